// Which sweeps and workers are at a queue: each announces its code, and again before the announcement expires. Results of two codes
// never meet, because each has job names of its own; presence tells people why nothing is computed.

import { z } from "zod";
import { printable } from "../../../src/domain/sanitise.ts";
import { type CodeIdentity, canonicalDigest, identityText } from "../identity.ts";
import type { QueueLink } from "./connection.ts";

const KEY = "pegbot:presence";
const NAME_MAX = 80;

const word = z.string().regex(/^[!-~]{1,100}$/);
const written = z.object({
  role: z.enum(["sweep", "worker"]),
  /** `host:pid`, for people. */
  name: z.string().transform((name) => printable(name, NAME_MAX)),
  code: z.strictObject({ version: word, sources: word, runtime: word }),
  /** A sweep of a strategy file; a worker that runs such files. */
  strategyFiles: z.boolean(),
});

export type Presence = z.infer<typeof written>;

/** So many announcements are missed before one counts as gone. */
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

/** Anyone at the queue may have written it: none where it is something else. */
function presenceIn(text: string): readonly Presence[] {
  try {
    return [written.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}

/** Jobs of one code, and of those with strategy files apart: only who may run them has them at all. */
export function jobsName(code: CodeIdentity, strategyFiles: boolean): string {
  return `trials-${codeKey(code)}${strategyFiles ? "-files" : ""}`;
}

export function resultKey(code: CodeIdentity, trial: string): string {
  return `pegbot:result:${codeKey(code)}:${trial}`;
}

/** Why a sweep cannot be run by these workers; undefined where one can, or none is there yet. */
export function whyNoWorker(own: Presence, workers: readonly Presence[]): string | undefined {
  if (workers.length === 0) return undefined;
  const same = workers.filter(({ code }) => isSame(code, own.code));
  if (same.length === 0)
    return `every worker at the queue is of another version: ${listed(workers)}; this is ${identityText(own.code)}`;
  if (own.strategyFiles && !same.some((worker) => worker.strategyFiles))
    return `no worker at the queue runs strategy files: start one with --allow-strategy-files (${same.map(({ name }) => name).join(", ")} were not)`;
  return undefined;
}

/** Why a worker has no business here; undefined where it has, or no sweep is there yet. */
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
