// Which bots of this user run on this machine, by the ledgers of their keys: for a person who wants to stop one and stands in
// the wrong folder. It needs no key and no configuration; what cannot be looked at is left out.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { isThere } from "../../disk/is-there.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Shell } from "../shell.ts";
import { joinBudget } from "./join-budget.ts";

export type RunningBot = { readonly pid: number; readonly folder: string; readonly journal: string | undefined };

export async function runningBots(shell: Shell): Promise<readonly RunningBot[]> {
  const bots: RunningBot[] = [];
  for (const fingerprint of keysInUse()) {
    const bot = await runningBot(shell, fingerprint);
    if (bot !== undefined) bots.push(bot);
  }
  return bots;
}

export async function runningBot(shell: Shell, fingerprint: string): Promise<RunningBot | undefined> {
  try {
    const budget = await joinBudget(shell, { fingerprint });
    try {
      const { bot, members } = budget.ledger.urgently(() => budget.ledger.status());
      if (bot === undefined) return undefined;
      const journal = members.find(({ instance }) => instance === bot.instance)?.books?.path;
      return { pid: bot.pid, folder: bot.folder, journal };
    } finally {
      budget.close();
    }
  } catch {
    return undefined;
  }
}

/** A ledger that a process has open has its write-ahead log beside it: whoever leaves last removes that. */
function keysInUse(): readonly string[] {
  const keys = keysHere();
  if (!keys.ok) return [];
  const { folder, names } = keys.value;
  return names.filter((name) => existsSync(join(folder, name, "ledger.db-wal")));
}

/** Why nobody can say which of them run; undefined where their ledgers can be looked at, or there are none. */
export function whyUnseen(): string | undefined {
  const keys = keysHere();
  return keys.ok ? undefined : keys.error;
}

function keysHere(): Result<{ readonly folder: string; readonly names: readonly string[] }> {
  const state = stateFolder(environment());
  if (!state.ok) return state;
  const folder = join(state.value, "keys");
  try {
    return ok({ folder, names: isThere(folder) ? readdirSync(folder) : [] });
  } catch (error) {
    return err(`${folder} cannot be looked at (${(error as NodeJS.ErrnoException).code})`);
  }
}
