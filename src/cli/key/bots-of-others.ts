// Bots that run as another user of this machine, such as one under systemd, by the system's list of processes (Linux): for a person
// who wants to stop one and cannot see its ledger. What cannot be looked at is left out.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "./names-in.ts";

export type BotOfAnother = { readonly pid: number; readonly user: number; readonly command: string };

export function botsOfOthers(proc = "/proc", me = process.getuid?.()): readonly BotOfAnother[] {
  const found = new Map<number, BotOfAnother & { readonly parent: number }>();
  for (const name of namesIn(proc)) {
    const bot = /^\d+$/.test(name) ? botAt(join(proc, name), Number(name)) : undefined;
    if (bot !== undefined && bot.user !== me) found.set(bot.pid, bot);
  }
  // The launcher hands a signal on to the bot beneath it: one name is enough.
  return [...found.values()]
    .filter(({ parent }) => !found.has(parent))
    .map(({ pid, user, command }) => ({ pid, user, command }));
}

function botAt(folder: string, pid: number): (BotOfAnother & { readonly parent: number }) | undefined {
  try {
    const words = readFileSync(join(folder, "cmdline"), "utf8").split("\0").filter(Boolean);
    const launcher = words.findIndex((word) => word === "pegbot.js" || word.endsWith("/pegbot.js"));
    const command = words.slice(launcher + 1);
    if (launcher < 0 || (command[0] !== "run" && command[0] !== "start")) return undefined;
    // The name before it stands in brackets, and may have blanks of its own.
    const parent = Number(/\) \S (\d+) /.exec(readFileSync(join(folder, "stat"), "utf8"))?.[1]);
    return { pid, user: statSync(folder).uid, command: command.join(" "), parent };
  } catch {
    return undefined;
  }
}
