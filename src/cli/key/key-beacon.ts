// One machine, one ledger for a key. A bot with another state folder (another XDG_STATE_HOME, another user) would have a
// ledger of its own, and the two would send in each other's seconds and refuse each other's nonces. So a live bot listens under a name
// made of its key that belongs to the machine and to no folder, and says there which state folder it uses. The kernel takes
// the name back when the process ends, however it ends. Only Linux has such names; elsewhere nobody is seen.
// Every user of the machine can ask at that name, and take it while no bot has it. So asking costs the bot nothing that stays,
// and what is said there counts only with a proof that is made with the key, and fresh.

import { timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { pause } from "../../domain/pause.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { systemTimers } from "../system/system-timers.ts";
import { nameHolder } from "./name-holder.ts";

const TEXT_LENGTH_MAX = 4_096;
const ANSWER_MS_MAX = 1_000;
const RETRY_MS = 200;
/** Whoever listened may say it again after the bot: longer than a busy machine keeps an answer from being read. */
const FRESH_MS = 10_000;
/**
 * How often is asked before an answer counts. A bot that is leaving says nothing, or half of it, for a moment. One of this
 * folder has given its ledger back already and is waited for until its last word is stale.
 */
const TRIES = { bot: 1 + (FRESH_MS + 2_000) / RETRY_MS, stranger: 5, silent: 3, nobody: 5 } as const;
/** How often a bot beside somebody who is none tries to take the name. */
const RETAKE_MS = 10_000;

export type BeaconKey = Pick<Signer, "fingerprint" | "proof">;

/** Who wants to use the key, with which state folder. */
export type KeyUser = {
  readonly key: BeaconKey;
  readonly folder: string;
  readonly now: () => Millis;
  /** A person has seen to it that whoever holds the name and does not answer is no bot. */
  readonly ignoresSilent: boolean;
};

export type Beacon = { readonly warning: string | undefined; release(): void };

export type KeyRefusal = {
  readonly why: string;
  /** Nobody has proved anything: it may be a bot that stands still, and it may be anybody. */
  readonly isSilent: boolean;
};

/** One folder may have several paths (links, mounts), and one path several folders (those of containers): the folder itself counts. */
type Place = { readonly identity: string; readonly folder: string };

type Heard =
  | { readonly kind: "bot"; readonly place: Place }
  /** Words without proof, or none: whoever it is does not have the key, or is leaving. */
  | { readonly kind: "stranger" }
  | { readonly kind: "silent" }
  | { readonly kind: "nobody" };

/** Held until it is released; beside somebody who is no bot of this key from when he is gone. */
export async function holdKey(user: KeyUser, retakeMs = RETAKE_MS): Promise<Result<Beacon, KeyRefusal>> {
  if (process.platform !== "linux") return ok(unheld());
  const own = placeOf(user.folder);
  for (let tries = 1; ; tries++) {
    const held = await listen(user, own);
    // A machine that gives no such names (a filter of system calls) is as one that has none.
    if (held === "unavailable") return ok(unheld());
    if (held !== "taken") return ok({ warning: undefined, release: () => void held.close() });
    const heard = await ask(user);
    const isLast = tries >= TRIES[heard.kind];
    if (heard.kind === "bot" && (isLast || heard.place.identity !== own.identity))
      return err(usedElsewhere(heard.place, own));
    if (heard.kind !== "bot" && isLast) {
      const allowed = beside(user, heard.kind === "stranger");
      return allowed.ok ? ok({ ...allowed.value, release: keepTrying(user, own, retakeMs) }) : allowed;
    }
    await pause(systemTimers, RETRY_MS);
  }
}

/** Gives what ends it, and lets the name go where it was taken. */
function keepTrying(user: KeyUser, own: Place, everyMs: number): () => void {
  let isOver = false;
  let end: () => void;
  const take = async (): Promise<void> => {
    const held = await listen(user, own);
    if (held === "unavailable") return;
    if (held !== "taken") end = () => void held.close();
    if (isOver) end();
    else if (held === "taken") later();
  };
  const later = (): void => {
    end = systemTimers.after(everyMs, () => void take());
  };
  later();
  return () => {
    isOver = true;
    end();
  };
}

/** Whether the key may be used from this state folder now: no live bot is heard, or one that shares it. */
export async function keyElsewhere(user: KeyUser): Promise<Result<Pick<Beacon, "warning">, KeyRefusal>> {
  if (process.platform !== "linux") return ok(unheld());
  const own = placeOf(user.folder);
  for (let tries = 1; ; tries++) {
    const heard = await ask(user);
    if (heard.kind === "nobody") return ok(unheld());
    if (heard.kind === "bot")
      return heard.place.identity === own.identity ? ok(unheld()) : err(usedElsewhere(heard.place, own));
    if (tries >= TRIES[heard.kind]) return beside(user, heard.kind === "stranger");
    await pause(systemTimers, RETRY_MS);
  }
}

function unheld(warning?: string): Beacon {
  return { warning, release: () => undefined };
}

/** Somebody holds the name and has not proved to be a bot of this key. */
function beside({ key, ignoresSilent }: KeyUser, hasAnswered: boolean): Result<Beacon, KeyRefusal> {
  const name = `@${nameOf(key).slice(1)}`;
  const unseen = "while it does, a bot with another state folder is not seen";
  if (hasAnswered)
    return ok(unheld(`a program that does not have this key holds its name on this machine (${name}): ${unseen}`));
  const why = `a program holds the name of this key on this machine (${name}) and did not answer within ${ANSWER_MS_MAX} ms, ${TRIES.silent} times`;
  if (ignoresSilent) return ok(unheld(`${why}; it is ignored as a person said: ${unseen}`));
  const pid = nameHolder(name);
  const who = pid === undefined ? "a process of another user" : `process ${pid}`;
  return err({ why: `${why}: ${who}, a bot with another state folder that stands still, or anybody`, isSilent: true });
}

function usedElsewhere(other: Place, { identity, folder }: Place): KeyRefusal {
  const isNamesake = other.folder === folder && other.identity !== identity;
  const own = isNamesake ? "another folder of that name, as containers have their own" : folder;
  const why = `a bot on this machine uses this key with the state folder ${other.folder}, this process would use ${own}: two ledgers of one key send in each other's seconds and refuse each other's nonces`;
  return { why, isSilent: false };
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

function nameOf({ fingerprint }: BeaconKey): string {
  return `\0pegbot-key-${fingerprint}`;
}

function proven(key: BeaconKey, at: number, { identity, folder }: Place): string {
  return key.proof(`beacon ${at} ${identity} ${folder}`);
}

function listen({ key, now }: KeyUser, own: Place): Promise<Server | "taken" | "unavailable"> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      const at = now();
      // So few bytes are in the kernel at once, and the descriptor goes at once: however many ask, each is answered, and none
      // keeps anything of ours.
      socket.write(`${at} ${own.identity} ${proven(key, at, own)} ${own.folder}`);
      socket.destroy();
    });
    server.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE" ? "taken" : "unavailable"));
    server.listen({ path: nameOf(key) }, () => resolve(server));
    server.unref();
  });
}

function ask(user: KeyUser): Promise<Heard> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect({ path: nameOf(user.key) });
    const end = (heard: Heard): void => {
      cancel();
      socket.destroy();
      resolve(heard);
    };
    // One that computes without end says nothing at all; a bot that answers says everything at once.
    const cancel = systemTimers.after(ANSWER_MS_MAX, () => end(text === "" ? { kind: "silent" } : judged(user, text)));
    socket.setEncoding("utf8");
    socket.on("data", (part) => {
      text += part;
      if (text.length > TEXT_LENGTH_MAX) end({ kind: "stranger" });
    });
    socket.on("end", () => end(judged(user, text)));
    socket.on("error", ({ code }: NodeJS.ErrnoException) => end({ kind: FAILED[code ?? ""] ?? "nobody" }));
  });
}

/** The queue of one that takes no connection is full; one that ends breaks off what waits. All else is a name that nobody has. */
const FAILED: Readonly<Record<string, "silent" | "stranger">> = {
  EAGAIN: "silent",
  ECONNRESET: "stranger",
  EPIPE: "stranger",
};

function judged({ key, now }: KeyUser, text: string): Heard {
  const [, at, identity, proof, folder] = /^(\d+) (\S+) (\S+) (.+)$/s.exec(text) ?? [];
  if (at === undefined || identity === undefined || proof === undefined || folder === undefined)
    return { kind: "stranger" };
  const place = { identity, folder };
  const isFresh = Math.abs(now() - Number(at)) <= FRESH_MS;
  return isFresh && isSame(proof, proven(key, Number(at), place)) ? { kind: "bot", place } : { kind: "stranger" };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
