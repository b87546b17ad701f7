// One machine, one ledger for a key. A bot with another state folder (another XDG_STATE_HOME, another user) would have a
// ledger of its own, and the two would send in each other's seconds and refuse each other's nonces. So a live bot listens under a name
// made of its key that belongs to the machine and to no folder, and says there which state folder it uses. The kernel takes
// the name back when the process ends, however it ends. Only Linux has such names; elsewhere nobody is seen.

import { statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { err, ok, type Result } from "../domain/result.ts";
import { systemTimers } from "./system-timers.ts";

const TEXT_LENGTH_MAX = 4_096;
const ANSWER_MS_MAX = 1_000;
/** A bot that is leaving has given its ledger back already and is still heard for a moment. */
const TRIES = 5;
const RETRY_MS = 200;

/** One folder may have several paths (links, mounts), and one path several folders (those of containers): the folder itself counts. */
type Place = { readonly identity: string; readonly folder: string };

/** Held until it is called. An error names the folder that whoever holds it uses. */
export async function holdKey(fingerprint: string, folder: string): Promise<Result<() => void>> {
  if (process.platform !== "linux") return ok(() => undefined);
  const own = placeOf(folder);
  for (let left = TRIES; ; left--) {
    const held = await listen(nameOf(fingerprint), own);
    // A machine that gives no such names (a filter of system calls) is as one that has none.
    if (held === "unavailable") return ok(() => undefined);
    if (held !== "taken") return ok(() => void held.close());
    const other = await heldFrom(fingerprint);
    if (left <= 1 || (other !== undefined && other.identity !== own.identity)) return err(refusal(other, own));
    await new Promise<void>((resolve) => systemTimers.after(RETRY_MS, resolve));
  }
}

/** Why nobody may use the key from this state folder now; undefined where no live bot is heard, or one that shares it. */
export async function heldElsewhere(fingerprint: string, folder: string): Promise<string | undefined> {
  const other = await heldFrom(fingerprint);
  const own = placeOf(folder);
  return other === undefined || other.identity === own.identity ? undefined : refusal(other, own);
}

function refusal(other: Place | undefined, { identity, folder }: Place): string {
  const where = other === undefined ? "a state folder that it does not say" : `the state folder ${other.folder}`;
  const isNamesake = other?.folder === folder && other.identity !== identity;
  const own = isNamesake ? "another folder of that name, as containers have their own" : folder;
  return `a bot on this machine uses this key with ${where}, this process would use ${own}: two ledgers of one key send in each other's seconds and refuse each other's nonces`;
}

function placeOf(folder: string): Place {
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    return { identity: `${dev}:${ino}`, folder };
  } catch {
    // Not there yet, so that it is not the one of a bot that runs; why it cannot be used is for the ledger to say.
    return { identity: "new", folder };
  }
}

function nameOf(fingerprint: string): string {
  return `\0pegbot-key-${fingerprint}`;
}

function listen(path: string, { identity, folder }: Place): Promise<Server | "taken" | "unavailable"> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(`${identity} ${folder}`);
    });
    server.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE" ? "taken" : "unavailable"));
    server.listen({ path }, () => resolve(server));
    server.unref();
  });
}

async function heldFrom(fingerprint: string): Promise<Place | undefined> {
  if (process.platform !== "linux") return undefined;
  return await new Promise((resolve) => {
    let text = "";
    const socket = connect({ path: nameOf(fingerprint) });
    const end = (answer: Place | undefined): void => {
      cancel();
      socket.destroy();
      resolve(answer);
    };
    // One that computes without end does not answer.
    const cancel = systemTimers.after(ANSWER_MS_MAX, () => end(undefined));
    socket.setEncoding("utf8");
    socket.on("data", (part) => {
      text = `${text}${part}`.slice(0, TEXT_LENGTH_MAX);
    });
    socket.on("end", () => end(saidBy(text)));
    socket.on("error", () => end(undefined));
  });
}

/** One that ends in between says nothing, or half of it. */
function saidBy(text: string): Place | undefined {
  const [, identity, folder] = /^(\S+) (.+)$/s.exec(text) ?? [];
  return identity === undefined || folder === undefined ? undefined : { identity, folder };
}
