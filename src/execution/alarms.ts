// Reasons to stop everything. Each is said once, after what else came of the call that found it, and again only after some
// minutes: the same rows come back with every answer, and whoever resumes without mending the cause is stopped anew.

import type { Control } from "../domain/event.ts";
import type { Millis, Mono } from "../domain/time.ts";
import { keyOf } from "../risk/standing.ts";
import type { Effects } from "./executor.ts";
import type { NamedHalt } from "./submission.ts";

const REPEAT_MS = 300_000;
/** Reasons kept; beyond it they are forgotten and may be said again. */
const ALARMS_MAX = 1_000;

// Private by type only: every order passes here, and `#` makes the compiled path longer.
export class Alarms {
  /** By what they are about and what is known of it: more is said at once. */
  private readonly saidAt = new Map<string, Mono>();
  private due: Control[] = [];

  raise(halt: NamedHalt, now: Mono): void {
    const about = keyOf(halt);
    const saidAt = this.saidAt.get(about);
    if (saidAt !== undefined && now - saidAt < REPEAT_MS) return;
    if (this.saidAt.size >= ALARMS_MAX) this.saidAt.clear();
    this.saidAt.set(about, now);
    this.due.push({ kind: "halt", ...halt });
  }

  /** At the end of a call. */
  sound(receivedAt: Millis, out: Effects): void {
    if (this.due.length === 0) return;
    const due = this.due;
    this.due = [];
    for (const control of due) out.tell({ kind: "control", control, receivedAt });
  }

  clear(): void {
    if (this.saidAt.size > 0) this.saidAt.clear();
  }
}
