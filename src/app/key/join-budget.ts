// Joins the ledger of a key, through which all processes of this state folder share its request budget. Sends nothing
// to the venue, so that `halt`, `resume` and `status` need no connection.

import { randomUUID } from "node:crypto";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { CommandFailure, orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { err, type Result } from "../../domain/result.ts";
import type { KeyBudget } from "../../exchange/budget/budget.ts";
import type { Machine } from "../../exchange/budget/host-clock.ts";
import { systemHostClock } from "../../exchange/budget/host-clock.ts";
import type { Member } from "../../exchange/budget/ledger-store.ts";
import { type BudgetOptions, type KeyStatus, keyFolder, lookAtLedger, openBudget } from "../../exchange/budget/open.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import type { Profile } from "../../exchange/profile.ts";
import type { Opening } from "../../journal/record.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { scaledHost, timeScale } from "../system/time-scale.ts";

/** The identity of the process, and numbers that only tests shorten. */
export type Tuning = Pick<BudgetOptions, "pacing" | "onSpent" | "environment" | "isTrial"> & {
  /** The same name as in the journal, so that other processes can tell whether this one has ended. */
  readonly instance?: string;
  readonly role?: "bot" | "tool";
  /** The venue is asked in this form from the next request on; that of the configuration unless set. */
  readonly profile?: () => Profile;
  /** A bot's limits, for other processes to compare theirs with. */
  readonly limits?: Member["limits"];
};

/** A new one at every start. */
export function newInstance(): string {
  return randomUUID().replaceAll("-", "");
}

export async function joinBudget(
  shell: Shell,
  { fingerprint }: Pick<Signer, "fingerprint">,
  { instance = newInstance(), role = "tool", limits, ...tuning }: Tuning = {},
): Promise<KeyBudget> {
  const place = { stateFolder: stateFolderHere(), fingerprint };
  const opened = await openBudget({
    place,
    machine: machineOf(shell),
    identity: { instance, pid: process.pid, folder: process.cwd(), role, ...(limits && { limits }) },
    ...tuning,
  });
  if (!opened.ok) throw unjoined(opened.error, keyFolder(place));
  return opened.value;
}

/** For commands that only look: who uses the key of a journal now. */
export function lookAtKey(
  shell: Shell,
  { account: fingerprint, environment: of }: Pick<Opening, "account" | "environment">,
): Result<KeyStatus> {
  const state = stateFolder(environment());
  if (!state.ok) return state;
  const looked = lookAtLedger({ stateFolder: state.value, fingerprint }, machineOf(shell), of);
  return looked.ok ? looked : err(`the ledger of the key cannot be used: ${looked.error}`);
}

function stateFolderHere(): string {
  return orFail(stateFolder(environment()));
}

/** Another owner has the key. */
export class KeyHeld extends CommandFailure {}

function unjoined(error: string, ledger: string): CommandFailure {
  if (error.startsWith("other-environment: "))
    return usageFailure(
      `${error}; nothing was sent`,
      `name that environment's own key in the section key (pegbot keys generate makes one), or correct venue.environment; if the key was first used under a wrong name, move ${ledger} away while no pegbot runs`,
    );
  if (!error.startsWith("second-bot: ")) return plainFailure(`the ledger of the key cannot be used: ${error}`);
  const next = "pegbot status there shows what it does; to start another end that one first, by Ctrl-C or SIGTERM";
  return new KeyHeld(exitCode.failed, `${error}; nothing was started`, next);
}

function machineOf({ clock }: Shell): Machine {
  const scale = timeScale();
  const host = scale === undefined ? systemHostClock() : scaledHost(systemHostClock(), scale);
  return { clock, host, timers: systemTimers };
}
