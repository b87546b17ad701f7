// Which of the venue's lists cannot be read, and since when. What the books rest on and nobody can read is checked by nobody:
// after some patience nothing may be begun until it is read again.

import { durationText } from "../domain/amount-text.ts";
import type { Mono } from "../domain/time.ts";
import type { Witness } from "./submission.ts";

type Failing = { readonly since: Mono; readonly code: string; readonly times: number };

const ESSENTIAL: readonly Witness[] = ["balances", "trades", "orders"];

// Private by type only: every order passes here, and `#` makes the compiled path longer.
export class Unread {
  private readonly failing = new Map<Witness, Failing>();

  /** Says how often in a row it has failed in this way. */
  failed(witness: Witness, code: string, at: Mono): number {
    const before = this.failing.get(witness);
    const times = before?.code === code ? before.times + 1 : 1;
    this.failing.set(witness, { since: before?.since ?? at, code, times });
    return times;
  }

  answered(witness: Witness): void {
    if (this.failing.size > 0) this.failing.delete(witness);
  }

  has(witness: Witness): boolean {
    return this.failing.size > 0 && this.failing.has(witness);
  }

  isFor(witness: Witness, forMs: number, now: Mono): boolean {
    const failing = this.failing.get(witness);
    return failing !== undefined && now - failing.since >= forMs;
  }

  /** Why nothing may be begun. */
  reason(patienceMs: number, now: Mono): string | undefined {
    if (this.failing.size === 0) return undefined;
    const witness = ESSENTIAL.find((one) => this.isFor(one, patienceMs, now));
    return witness && `${unreadText(witness, patienceMs)}: what was booked since is checked by nobody`;
  }
}

export function unreadText(witness: Witness, forMs: number): string {
  return `the venue's ${listName(witness)} cannot be read for ${durationText(forMs)} or more`;
}

export function listName(witness: Witness): string {
  return witness === "supply-changes" ? "supply changes" : witness;
}
