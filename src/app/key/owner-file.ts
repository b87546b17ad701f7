// `owner.json` next to a key's file names the key's owner, for people and for clients. The lock of the key's file alone
// decides who owns it.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { environment } from "../../config/environment.ts";
import { stateFolder } from "../../config/user-folder.ts";
import { isRunning } from "../../disk/is-running.ts";
import { unwrap } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import { isSameFile } from "../journal/journal-binding.ts";
import { readSmall, writeDurably } from "../system/durable-text.ts";
import { versionText } from "../version.ts";

const ownerSchema = z.object({
  pid: z.int().positive(),
  /** When the system began the process: a later process of the same id began at another time. */
  begun: z.string().optional(),
  command: z.string(),
  version: z.string(),
  since: z.number().transform((at) => at as Millis),
  folder: z.string(),
  journal: z.string(),
  socket: z.string().optional(),
  /** Of a bot. */
  page: z.string().optional(),
});

export type KeyOwner = z.infer<typeof ownerSchema>;
export type RunningBot = KeyOwner & { readonly page: string };

const FILE = "owner.json";

/** Called with the lock held. */
export function nameOwner(folder: string, owner: Pick<KeyOwner, "command" | "journal" | "since">): void {
  const facts = {
    pid: process.pid,
    begun: begunAt(process.pid),
    version: versionText(),
    folder: process.cwd(),
    ...owner,
  };
  // Without the file the owner is not named to others.
  tried(() => writeDurably(join(folder, FILE), `${JSON.stringify(facts)}\n`));
}

/** What is known of this process only later. */
export function amendOwner(keyFile: { readonly path: string }, more: Partial<KeyOwner>): void {
  const folder = dirname(keyFile.path);
  const known = ownerIn(folder);
  if (known?.pid === process.pid) nameOwner(folder, { ...known, ...more });
}

/** Undefined if that process has ended. */
export function ownerIn(folder: string): KeyOwner | undefined {
  const owner = tried(() => ownerSchema.parse(JSON.parse(unwrap(readSmall(join(folder, FILE))) ?? "")));
  // The id alone is believed where the system does not report when a process began.
  return owner && isRunning(owner.pid) && begunAt(owner.pid) === owner.begun ? owner : undefined;
}

/** Of every key in this user's state folder. */
export function owners(): readonly KeyOwner[] {
  const folder = stateFolder(environment());
  const keys = folder.ok ? join(folder.value, "keys") : "";
  return (tried(() => readdirSync(keys)) ?? []).flatMap((name) => ownerIn(join(keys, name)) ?? []);
}

export function ownerOn(journal: string): KeyOwner | undefined {
  return owners().find((owner) => isSameFile(owner.journal, journal));
}

export function isBot(owner: KeyOwner): owner is RunningBot {
  return owner.page !== undefined;
}

export function ownerText({ pid, command, folder, since }: KeyOwner): string {
  return printable(`pegbot ${command}, process ${pid}, started in ${folder} at ${new Date(since).toISOString()}`, 400);
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Undefined where the system does not report it, and of a process that has ended. */
function begunAt(pid: number): string | undefined {
  const fields = tried(() => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" "));
  return fields?.[0] === "Z" ? undefined : fields?.[19];
}
