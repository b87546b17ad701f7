// One machine, one ledger for a key. A bot with another state folder (another XDG_STATE_HOME, another user) would have a
// ledger of its own, and the two would send in each other's seconds and refuse each other's nonces. So a live bot listens under a name
// made of its key that belongs to the machine and to no folder, and says there which state folder it uses. The kernel takes
// the name back when the process ends, however it ends. Only Linux has such names; elsewhere nobody is seen.

import { connect, createServer, type Server } from "node:net";
import { err, ok, type Result } from "../domain/result.ts";
import { systemTimers } from "./system-timers.ts";

const FOLDER_LENGTH_MAX = 4_096;
const ANSWER_MS_MAX = 1_000;
/** A bot that is leaving has given its ledger back already and is still heard for a moment. */
const TRIES = 5;
const RETRY_MS = 200;

/** Held until it is called. An error names the folder that whoever holds it uses. */
export async function holdKey(fingerprint: string, folder: string): Promise<Result<() => void>> {
  if (process.platform !== "linux") return ok(() => undefined);
  for (let left = TRIES; ; left--) {
    const held = await listen(nameOf(fingerprint), folder);
    if (held !== undefined) return ok(() => void held.close());
    const other = await heldFrom(fingerprint);
    if (left <= 1 || (other !== undefined && other !== folder)) return err(refusal(other, folder));
    await new Promise<void>((resolve) => systemTimers.after(RETRY_MS, resolve));
  }
}

/** Why nobody may use the key from this state folder now; undefined where no live bot is heard, or one that shares it. */
export async function heldElsewhere(fingerprint: string, folder: string): Promise<string | undefined> {
  const other = await heldFrom(fingerprint);
  return other === undefined || other === folder ? undefined : refusal(other, folder);
}

function refusal(other: string | undefined, folder: string): string {
  const where = other === undefined ? "a state folder that it does not say" : `the state folder ${other}`;
  return `a bot on this machine uses this key with ${where}, this process would use ${folder}: two ledgers of one key send in each other's seconds and refuse each other's nonces`;
}

function nameOf(fingerprint: string): string {
  return `\0pegbot-key-${fingerprint}`;
}

/** Undefined where somebody has the name. */
function listen(path: string, folder: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(folder);
    });
    server.on("error", () => resolve(undefined));
    server.listen({ path }, () => resolve(server));
    server.unref();
  });
}

async function heldFrom(fingerprint: string): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  return await new Promise((resolve) => {
    let text = "";
    const socket = connect({ path: nameOf(fingerprint) });
    const end = (answer: string | undefined): void => {
      cancel();
      socket.destroy();
      resolve(answer);
    };
    // One that computes without end does not answer.
    const cancel = systemTimers.after(ANSWER_MS_MAX, () => end(undefined));
    socket.setEncoding("utf8");
    socket.on("data", (part) => {
      text = `${text}${part}`.slice(0, FOLDER_LENGTH_MAX);
    });
    socket.on("end", () => end(text));
    socket.on("error", () => end(undefined));
  });
}
