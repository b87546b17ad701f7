// The sweeps and workers at a queue: each announces its code, and repeats that before the announcement expires. Results
// of two codes never mix, because each has its own job names; presence explains why nothing is computed.

import { z } from "zod";
import { printable } from "../../../src/domain/sanitise.ts";
import { type CodeIdentity, canonicalDigest, identityText } from "../identity.ts";
import type { QueueLink } from "./connection.ts";

const KEY = "pegbot:presence";
const NAME_MAX = 80;

const word = z.string().regex(/^[!-~]{1,100}$/);
const written = z.object({
  role: z.enum(["sweep", "worker"]),
  /** `host:pid`, for display. */
  name: z.string().transform((name) => printable(name, NAME_MAX)),
  code: z.strictObject({ version: word, sources: word, runtime: word }),
  /** For a sweep: it uses a strategy file. For a worker: it runs such files. */
  strategyFiles: z.boolean(),
});

export type Presence = z.infer<typeof written>;

/** After this many missed announcements a participant counts as gone. */
const WORDS = 3;

export async function announce(link: QueueLink, id: string, presence: Presence, beatMs: number): Promise<void> {
  await link.set(`${KEY}:${presence.role}:${id}`, JSON.stringify(presence), WORDS * beatMs);
}

export async function leave(link: QueueLink, id: string, { role }: Presence): Promise<void> {
  await link.remove(`${KEY}:${role}:${id}`);
}

export async function present(link: QueueLink, role: Presence["role"]): Promise<readonly Presence[]> {
  const texts = await link.getAll(await link.keysBelow(`${KEY}:${role}:`));
  return texts.flatMap((text) => (text === undefined ? [] : presenceIn(text)));
}

/** Any user of the queue may have written it: empty where it is not a presence. */
function presenceIn(text: string): readonly Presence[] {
  try {
    return [written.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}

/** Jobs of one code, with those of strategy files separate: only workers that may run such files receive them. */
export function jobsName(code: CodeIdentity, strategyFiles: boolean): string {
  return `trials-${codeKey(code)}${strategyFiles ? "-files" : ""}`;
}

export function resultKey(code: CodeIdentity, trial: string): string {
  return `pegbot:result:${codeKey(code)}:${trial}`;
}

/** Why these workers cannot run a sweep; undefined where one can, or there is none yet. */
export function whyNoWorker(own: Presence, workers: readonly Presence[]): string | undefined {
  if (workers.length === 0) return undefined;
  const same = workers.filter(({ code }) => isSame(code, own.code));
  if (same.length === 0)
    return `every worker at the queue is of another version: ${listed(workers)}; this is ${identityText(own.code)}`;
  if (own.strategyFiles && !same.some((worker) => worker.strategyFiles))
    return `no worker at the queue runs strategy files: start one with --allow-strategy-files (${same.map(({ name }) => name).join(", ")} were not)`;
  return undefined;
}

/** Why a worker has nothing to do here; undefined where it has, or there is no sweep yet. */
export function whyNoSweep(own: Presence, sweeps: readonly Presence[]): string | undefined {
  if (sweeps.length === 0 || sweeps.some(({ code }) => isSame(code, own.code))) return undefined;
  return `the sweep at the queue is of another version: ${listed(sweeps)}; this worker is ${identityText(own.code)}`;
}

export function isSame(one: CodeIdentity, other: CodeIdentity): boolean {
  return codeKey(one) === codeKey(other);
}

function codeKey(code: CodeIdentity): string {
  return canonicalDigest(code).slice(0, 16);
}

function listed(all: readonly Presence[]): string {
  return all.map(({ name, code }) => `${name} (${identityText(code)})`).join(", ");
}
