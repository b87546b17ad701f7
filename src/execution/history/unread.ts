// Which of the venue's lists cannot be read, and since when. What the books rest on and nobody can read is checked by nobody:
// after some patience nothing may be begun until it is read again.

import type { Asset } from "../../domain/asset.ts";
import type { Mono } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import type { Witness } from "../submission.ts";

type Failing = { readonly since: Mono; readonly code: string; readonly times: number };

/** Of supply changes there is one for each coin. */
export type List = { readonly witness: Witness; readonly asset?: Asset | undefined };

/** What the books rest on. */
export const ESSENTIAL: readonly List[] = (["balances", "trades", "orders"] as const).map((witness) => ({ witness }));

export class Unread {
  private readonly failing = new Map<string, Failing>();

  /** Says how often in a row it has failed in this way. */
  failed(list: List, code: string, at: Mono): number {
    const key = keyOf(list);
    const before = this.failing.get(key);
    const times = before?.code === code ? before.times + 1 : 1;
    this.failing.set(key, { since: before?.since ?? at, code, times });
    return times;
  }

  answered(list: List): void {
    if (this.failing.size > 0) this.failing.delete(keyOf(list));
  }

  has(list: List): boolean {
    return this.failing.size > 0 && this.failing.has(keyOf(list));
  }

  isFor(list: List, forMs: number, now: Mono): boolean {
    const failing = this.failing.get(keyOf(list));
    return failing !== undefined && now - failing.since >= forMs;
  }

  /** Why nothing may be begun. */
  reason(patienceMs: number, now: Mono): string | undefined {
    if (this.failing.size === 0) return undefined;
    const list = ESSENTIAL.find((one) => this.isFor(one, patienceMs, now));
    return list && `${unreadText(list, patienceMs)}: what was booked since is checked by nobody`;
  }
}

export function unreadText(list: List, forMs: number): string {
  return `the venue's ${listName(list)} cannot be read for ${durationText(forMs)} or more`;
}

export function listName({ witness, asset }: List): string {
  return witness === "supply-changes" ? `supply changes${asset === undefined ? "" : ` of ${asset}`}` : witness;
}

function keyOf({ witness, asset }: List): string {
  return witness === "supply-changes" ? `${witness} ${asset}` : witness;
}
