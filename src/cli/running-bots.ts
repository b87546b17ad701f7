// Which bots of this user run on this machine, by the ledgers of their keys: for a person who wants to stop one and stands in
// the wrong folder. It needs no key and no configuration; what cannot be looked at is left out.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../config/environment.ts";
import { stateFolder } from "../config/state-folder.ts";
import { orFail } from "./command-failure.ts";
import { joinBudget } from "./join-budget.ts";
import type { Shell } from "./shell.ts";

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
  try {
    const keys = join(orFail(stateFolder(environment())), "keys");
    return readdirSync(keys).filter((name) => existsSync(join(keys, name, "ledger.db-wal")));
  } catch {
    return [];
  }
}
