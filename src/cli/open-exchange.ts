// From the configuration to a venue that can be asked: key, ledger, transport and client, in one call for every command
// that talks to the venue. Whoever opens it closes it.

import { randomUUID } from "node:crypto";
import { environment } from "../config/environment.ts";
import type { Config } from "../config/schema.ts";
import { stateFolder } from "../config/state-folder.ts";
import { printable } from "../domain/outside-text.ts";
import { unwrap } from "../domain/result.ts";
import { parseBaseUrl } from "../exchange/base-url.ts";
import { awaitedBudget } from "../exchange/budget/awaited-budget.ts";
import type { Budget } from "../exchange/budget/budget.ts";
import { systemHostClock } from "../exchange/budget/host-clock.ts";
import type { KeyBudget } from "../exchange/budget/key-budget.ts";
import { type BudgetOptions, openBudget } from "../exchange/budget/open-budget.ts";
import type { Machine } from "../exchange/budget/open-ledger.ts";
import { type ClientParts, createExchange, type WireExchange } from "../exchange/client.ts";
import type { Signer } from "../exchange/key/signer.ts";
import { type Profile, resolveProfile } from "../exchange/profile.ts";
import { createTransport, transportDefaults } from "../exchange/transport.ts";
import { CommandFailure, orFail } from "./command-failure.ts";
import { exitCode } from "./exit-code.ts";
import { type Beacon, type BeaconKey, holdKey, type KeyRefusal, type KeyUser, keyElsewhere } from "./key-beacon.ts";
import { openSigner } from "./open-signer.ts";
import type { Shell } from "./shell.ts";
import { systemTimers } from "./system-timers.ts";
import { refuseTimeScale, scaledHost, timeScale } from "./time-scale.ts";
import { versionText } from "./version.ts";

/** The venue does not say how many decimals a price may have; six were seen to work. */
const PRICE_DECIMALS = 6;

export type Connection = {
  readonly exchange: WireExchange;
  readonly budget: KeyBudget;
  readonly signer: Signer;
  readonly profile: Profile;
  close(): void;
};

/** Who asks; and the numbers that a test may shorten, which users have no way to. */
export type Tuning = Pick<BudgetOptions, "pacing"> & {
  /** Whoever also writes to a journal does so under the same name: so others can tell whether he is gone. */
  readonly instance?: string;
  readonly role?: "bot" | "tool";
};

export type Asking = Tuning & {
  /** Asks for as long as it runs, and no person waits for any single answer: it takes what slots are left. */
  readonly isPatient?: boolean;
};

/** Drawn anew at every start. */
export function newInstance(): string {
  return randomUUID().replaceAll("-", "");
}

export async function openExchange(
  shell: Shell,
  config: Config,
  { isPatient = false, ...tuning }: Asking = {},
): Promise<Connection> {
  const base = venueAddress(config);
  const signer = await openSigner(shell, config);
  const budget = await joinHere(shell, config, signer, tuning);
  const profile = resolveProfile(config.venue.profile);
  const slots = isPatient ? budget : awaitedBudget(budget, shell.clock);
  const venue = connect(shell, { base, mode: config.mode, signer, budget: slots });
  return {
    exchange: venue.speaking(profile),
    budget,
    signer,
    profile,
    close() {
      venue.close();
      budget.close();
      signer.close();
    },
  };
}

/** Joins those who share the key's requests; nothing is asked of the venue yet. */
export async function joinBudget(
  shell: Shell,
  { fingerprint }: Pick<Signer, "fingerprint">,
  { instance = newInstance(), role = "tool", ...tuning }: Tuning = {},
): Promise<KeyBudget> {
  const opened = await openBudget({
    place: { stateFolder: stateFolderHere(), fingerprint },
    machine: machineOf(shell),
    identity: { instance, pid: process.pid, folder: process.cwd(), role },
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

export type VenueLine = {
  /** The venue as seen by a client that speaks in this way; all of them share one line and one budget. */
  speaking(profile: Profile): WireExchange;
  close(): void;
};

type LineParts = Pick<Connection, "signer"> & {
  readonly budget: Budget;
  readonly base: URL;
  readonly mode: Config["mode"];
} & Pick<ClientParts, "onCalled">;

export function connect(shell: Shell, { base, mode, signer, budget, ...told }: LineParts): VenueLine {
  const reach = mode === "live" ? "public" : "loopback";
  const transport = createTransport(base, machineOf(shell), { ...transportDefaults, reach });
  const userAgent = `pegbot/${versionText().split(" ")[0] ?? "0"}`;
  const { clock } = shell;
  return {
    speaking: (profile) =>
      createExchange({ clock, budget, transport, signer, profile, userAgent, priceDecimals: PRICE_DECIMALS, ...told }),
    close: () => transport.close(),
  };
}

function machineOf({ clock }: Shell): Machine {
  const scale = timeScale();
  const host = scale === undefined ? systemHostClock() : scaledHost(systemHostClock(), scale);
  return { clock, host, timers: systemTimers };
}

export function venueAddress({ venue, mode }: Config): URL {
  refuseTimeScale(mode);
  if (environment().NODE_TLS_REJECT_UNAUTHORIZED === "0" && mode === "live")
    throw new CommandFailure(
      exitCode.usage,
      "NODE_TLS_REJECT_UNAUTHORIZED=0 must not be set in live mode: certificates are always checked",
      "unset it",
    );
  if (venue.baseUrl === undefined)
    throw new CommandFailure(
      exitCode.usage,
      "there is no venue to ask: venue.baseUrl is missing, and a simulator of the bot's own answers only while the bot runs",
      "start the bot; or start a venue with `pegbot simulator --key …` and set venue.baseUrl to http://127.0.0.1:8700/api/v1/",
    );
  return unwrap(parseBaseUrl(venue.baseUrl));
}
