// Reasons to stop everything. Each is said once, after what else came of the call that found it, and again only after some
// minutes: the same rows come back with every answer, and whoever resumes without mending the cause is stopped anew. What
// one answer contradicts is one stop, however many orders it is about.

import type { Millis, Mono } from "../domain/time.ts";
import { keyOf } from "../risk/standing.ts";
import type { Effects } from "./executor.ts";
import type { NamedHalt } from "./submission.ts";

const REPEAT_MS = 300_000;
/** Reasons kept; beyond it they are forgotten and may be said again. */
const ALARMS_MAX = 1_000;

export class Alarms {
  /** By what they are about and what is known of it: more is said at once. */
  private readonly saidAt = new Map<string, Mono>();
  private due: NamedHalt[] = [];

  raise(halt: NamedHalt, now: Mono): void {
    const about = keyOf(halt);
    const saidAt = this.saidAt.get(about);
    if (saidAt !== undefined && now - saidAt < REPEAT_MS) return;
    if (this.saidAt.size >= ALARMS_MAX) this.saidAt.clear();
    this.saidAt.set(about, now);
    this.due.push(halt);
  }

  /** At the end of a call. */
  sound(receivedAt: Millis, out: Effects): void {
    if (this.due.length === 0) return;
    const due = this.due;
    this.due = [];
    for (const halt of due.length === 1 ? due : gathered(due))
      out.tell({ kind: "control", control: { kind: "halt", ...halt }, receivedAt });
  }

  clear(): void {
    if (this.saidAt.size > 0) this.saidAt.clear();
  }
}

/** The first of all contradictions that the same command leads out of; what else there is stands for itself. */
function gathered(halts: readonly NamedHalt[]): readonly NamedHalt[] {
  const isLike = (one: NamedHalt, other: NamedHalt): boolean =>
    one.cause === "contradiction" && other.cause === "contradiction" && one.wayOut === other.wayOut;
  return halts.flatMap((halt, place) => {
    if (halts.findIndex((one) => one === halt || isLike(one, halt)) < place) return [];
    const more = halts.filter((one) => isLike(halt, one)).length - 1;
    return more < 1 ? [halt] : [{ ...halt, reason: `${halt.reason}; and ${more} more like it` }];
  });
}
