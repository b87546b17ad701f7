// The running bots of this user, one small file each in the user's runtime folder: a command finds them without their key,
// configuration or state folder. Only a start writes or removes files there.

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { environment } from "../../config/environment.ts";
import { isRunning } from "../../disk/is-running.ts";
import { whyOpenToOthers } from "../../disk/open-to-others.ts";
import { unwrap } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import { isSameFile } from "../journal/journal-binding.ts";
import { readSmall, writeDurably } from "../kill-switch/durable-text.ts";
import { every } from "../system/system-timers.ts";

const botSchema = z.object({
  pid: z.int().positive(),
  /** Of the process, as the system counts: another process that has the id by now began at another time. */
  begun: z.string().optional(),
  since: z.number().transform((at) => at as Millis),
  folder: z.string(),
  journal: z.string(),
  page: z.string(),
});

export type RunningBot = z.infer<typeof botSchema>;

export function runningBots(): readonly RunningBot[] {
  return published().filter(isThatProcess);
}

export function runningBotOn(journal: string): RunningBot | undefined {
  return runningBots().find((bot) => isSameFile(bot.journal, journal));
}

/** The id alone is believed where the system does not tell when a process began. */
function isThatProcess({ pid, begun }: Pick<RunningBot, "pid" | "begun">): boolean {
  return isRunning(pid) && begunAt(pid) === begun;
}

/** Systems clear such folders of old files, and at the end of a session: the file is written again. */
const AGAIN_MS = 60_000;

/** Until what it gives back is called. `trouble`: no folder takes the file. */
export function publishBot(bot: Omit<RunningBot, "pid" | "begun">, trouble: (text: string) => void): () => void {
  for (const old of published()) if (!isThatProcess(old)) rmSync(old.path, { force: true });
  const pid = process.pid;
  const text = JSON.stringify({ pid, begun: begunAt(pid), ...bot });
  const write = (): boolean => folders().some((folder) => isWritten(folder, text));
  if (!write())
    trouble(`none of ${folders().join(", ")} takes a file of this user: pegbot halt cannot name this process`);
  const cancel = every(AGAIN_MS, write);
  return () => {
    cancel();
    for (const folder of folders().filter(isOurs)) rmSync(join(folder, String(pid)), { force: true });
  };
}

function isWritten(folder: string, text: string): boolean {
  const write = (): boolean => {
    if (folder !== SERVICE && !existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    if (isOurs(folder)) writeDurably(join(folder, String(process.pid)), text);
    return isOurs(folder);
  };
  return tried(write) === true;
}

/** What systemd makes for the unit, whose temporary folder no command sees. */
const SERVICE = "/run/pegbot";

function folders(): readonly string[] {
  const user = process.geteuid?.() ?? "user";
  const session = environment().XDG_RUNTIME_DIR || `/run/user/${user}`;
  return [join(session, "pegbot"), SERVICE, join(tmpdir(), `pegbot-${user}`)];
}

/** In another folder other users could name processes, or a link could lead to files that are not ours to remove. */
function isOurs(folder: string): boolean {
  return tried(() => lstatSync(folder).isDirectory() && whyOpenToOthers(folder) === undefined) === true;
}

/** What is there and can be read. */
function published(): readonly (RunningBot & { readonly path: string })[] {
  return folders().flatMap((folder) => {
    const names = tried(() => (isOurs(folder) ? readdirSync(folder) : [])) ?? [];
    // Not one that is being written.
    return names
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const path = join(folder, name);
        return tried(() => ({ path, ...botSchema.parse(JSON.parse(unwrap(readSmall(path)) ?? "")) })) ?? [];
      });
  });
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Undefined where the system does not tell, and of a process that has ended. */
function begunAt(pid: number): string | undefined {
  const fields = tried(() => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" "));
  return fields?.[0] === "Z" ? undefined : fields?.[19];
}
