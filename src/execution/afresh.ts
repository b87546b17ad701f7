// What a running bot reads once more after a person let it go on, by `resume` or by a word on what evidence could not decide:
// what it knows of the account is from before, and the person may be wrong. Nothing leaves until all of it is read.

import type { Mono } from "../domain/time.ts";
import type { Answer, Effects } from "./executor.ts";
import { ESSENTIAL } from "./history/unread.ts";
import type { Witness } from "./submission.ts";

export class Afresh {
  private readonly missing = new Set<Witness>();
  /** Asked for from then on; undefined where somebody has yet to ask. */
  private askedAt: Mono | undefined = undefined;
  /** A start has read everything by itself, and a command reads what it needs. */
  private isFollowed = false;

  demand(): void {
    if (!this.isFollowed) return;
    for (const { witness } of ESSENTIAL) this.missing.add(witness);
    this.askedAt = undefined;
  }

  /** About once a second, by whoever follows the account. */
  follow(now: Mono, out: Pick<Effects, "ask">): void {
    this.isFollowed = true;
    if (this.missing.size === 0 || this.askedAt !== undefined) return;
    this.askedAt = now;
    for (const witness of this.missing) out.ask({ witness, asset: undefined, class: "doubt" });
  }

  /** An older question than ours says nothing. */
  answered({ witness, askedAt }: Pick<Answer, "witness" | "askedAt">): void {
    if (this.askedAt !== undefined && askedAt >= this.askedAt) this.missing.delete(witness);
  }

  /** It is asked for again. */
  unanswered(witness: Witness): void {
    if (this.missing.has(witness)) this.askedAt = undefined;
  }

  /** Why nothing may leave. */
  reason(): string | undefined {
    if (this.missing.size === 0) return undefined;
    return `${[...this.missing].join(", ")} have not been read since a person let the bot go on: they are being asked for`;
  }
}
