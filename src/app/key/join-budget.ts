// Opens the file of a key: whoever has it open is the key's owner. Sends nothing to the venue.

import { randomUUID } from "node:crypto";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { CommandFailure, orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { type BudgetOptions, type KeyBudget, openBudget } from "../../exchange/budget/budget.ts";
import { type Machine, systemHostClock } from "../../exchange/budget/host-clock.ts";
import { HELD, keyFolder } from "../../exchange/budget/key-file.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { scaledHost, timeScale } from "../system/time-scale.ts";
import { nameOwner, ownerIn, ownerText } from "./owner-file.ts";

/** Numbers that only tests shorten, and how long to wait for the key. */
export type Tuning = Pick<BudgetOptions, "pacing" | "onSpent" | "environment" | "isTrial" | "patienceMs">;

/** A new one at every start. */
export function newInstance(): string {
  return randomUUID().replaceAll("-", "");
}

export async function joinBudget(
  shell: Pick<Shell, "clock" | "command">,
  { fingerprint }: Pick<Signer, "fingerprint">,
  journal: string,
  tuning: Tuning = {},
): Promise<KeyBudget> {
  const place = { stateFolder: stateFolderHere(), fingerprint };
  const opened = await openBudget({ place, machine: machineOf(shell), ...tuning });
  if (!opened.ok) throw unjoined(opened.error, keyFolder(place));
  nameOwner(keyFolder(place), { command: shell.command ?? "command", journal, since: shell.clock.now() });
  return opened.value;
}

function stateFolderHere(): string {
  return orFail(stateFolder(environment()));
}

/** Another owner has the key. */
export class KeyHeld extends CommandFailure {}

function unjoined(error: string, folder: string): CommandFailure {
  if (error.startsWith("other-environment: "))
    return usageFailure(
      `${error}; nothing was sent`,
      `name that environment's own key in the section key (pegbot keys generate makes one), or correct venue.environment; if the key was first used under a wrong name, move ${folder} away while no pegbot runs`,
    );
  if (!error.startsWith(HELD)) return plainFailure(`the file of the key cannot be used: ${error}`);
  const owner = ownerIn(folder);
  const next = "pegbot status there shows what it does; to start another end that one first, by Ctrl-C or SIGTERM";
  const text = owner === undefined ? error : `${error}: ${ownerText(owner)}`;
  return new KeyHeld(exitCode.failed, `${text}; nothing was started`, next);
}

function machineOf({ clock }: Pick<Shell, "clock">): Machine {
  const scale = timeScale();
  const host = scale === undefined ? systemHostClock() : scaledHost(systemHostClock(), scale);
  return { clock, host, timers: systemTimers };
}
