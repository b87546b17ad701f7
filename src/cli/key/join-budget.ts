// Whoever uses a key joins those who share its requests: the ledger of the key, and in live mode the one state folder of the machine.
// Nothing here asks the venue, so that a stop, a resume and a look at the books need no line to it.

import { randomUUID } from "node:crypto";
import { environment } from "../../config/environment.ts";
import type { Config } from "../../config/schema.ts";
import { stateFolder } from "../../config/state-folder.ts";
import { printable } from "../../domain/outside-text.ts";
import type { KeyBudget } from "../../exchange/budget/budget.ts";
import { systemHostClock } from "../../exchange/budget/host-clock.ts";
import type { Member } from "../../exchange/budget/ledger-store.ts";
import { type BudgetOptions, type Machine, openBudget } from "../../exchange/budget/open.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { scaledHost, timeScale } from "../system/time-scale.ts";
import { type Beacon, type BeaconKey, holdKey, type KeyRefusal, type KeyUser, keyElsewhere } from "./key-beacon.ts";

/** Who asks; and the numbers that a test may shorten, which users have no way to. */
export type Tuning = Pick<BudgetOptions, "pacing"> & {
  /** Whoever also writes to a journal does so under the same name: so others can tell whether he is gone. */
  readonly instance?: string;
  readonly role?: "bot" | "tool";
  /** Of a bot: what others can hold their own against. */
  readonly limits?: Member["limits"];
};

/** Drawn anew at every start. */
export function newInstance(): string {
  return randomUUID().replaceAll("-", "");
}

/** Joins those who share the key's requests; nothing is asked of the venue yet. */
export async function joinBudget(
  shell: Shell,
  { fingerprint }: Pick<Signer, "fingerprint">,
  { instance = newInstance(), role = "tool", limits, ...tuning }: Tuning = {},
): Promise<KeyBudget> {
  const opened = await openBudget({
    place: { stateFolder: stateFolderHere(), fingerprint },
    machine: machineOf(shell),
    identity: { instance, pid: process.pid, folder: process.cwd(), role, ...(limits && { limits }) },
    ...tuning,
  });
  if (!opened.ok) throw unjoined(opened.error);
  return opened.value;
}

/** As the one live bot of the key on this machine; held until it is released. */
export async function holdLiveKey(shell: Shell, key: BeaconKey): Promise<Beacon> {
  const held = await holdKey(userOf(shell, key));
  if (held.ok) return held.value;
  throw elsewhere(held.error);
}

/** As one who is no bot, before it asks the venue anything: in live mode not beside a bot with another state folder. */
export async function joinHere(
  shell: Shell,
  { mode }: Pick<Config, "mode">,
  signer: Signer,
  tuning: Tuning = {},
): Promise<KeyBudget> {
  const budget = await joinBudget(shell, signer, tuning);
  if (mode !== "live") return budget;
  const found = await keyElsewhere(userOf(shell, signer));
  if (found.ok) {
    if (found.value.warning !== undefined) shell.terminal.note(`warning: ${printable(found.value.warning, WHY_MAX)}`);
    return budget;
  }
  // A bot that stands still does not answer, and where it shares this folder it is no hindrance.
  if (found.error.isSilent && budget.ledger.urgently(() => budget.ledger.status()).bot !== undefined) return budget;
  budget.close();
  throw elsewhere(found.error);
}

const IGNORING = "PEGBOT_SILENT_KEY_HOLDER";

function userOf({ clock }: Shell, key: BeaconKey): KeyUser {
  const ignoresSilent = environment()[IGNORING] === "ignore";
  return { key, folder: stateFolderHere(), now: () => clock.now(), ignoresSilent };
}

function elsewhere({ why, isSilent }: KeyRefusal): CommandFailure {
  const next = isSilent
    ? `ss -xlpe as root shows its process and user: end it; if it is no bot of this key and cannot be ended, ${IGNORING}=ignore goes on beside it`
    : "use the same XDG_STATE_HOME and user as that bot, or give this one a key of its own";
  return new CommandFailure(
    isSilent ? exitCode.failed : exitCode.usage,
    `${printable(why, WHY_MAX)}; nothing was sent`,
    next,
  );
}

const WHY_MAX = 1_000;

function stateFolderHere(): string {
  return orFail(stateFolder(environment()));
}

function unjoined(error: string): CommandFailure {
  if (!error.startsWith("second-bot: "))
    return new CommandFailure(exitCode.failed, `the ledger of the key cannot be used: ${error}`);
  const next = "pegbot status there shows what it does; to start another end that one first, by Ctrl-C or SIGTERM";
  return new CommandFailure(exitCode.failed, `${error}; nothing was started`, next);
}

function machineOf({ clock }: Shell): Machine {
  const scale = timeScale();
  const host = scale === undefined ? systemHostClock() : scaledHost(systemHostClock(), scale);
  return { clock, host, timers: systemTimers };
}
