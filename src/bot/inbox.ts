// What waits for its turn. Answers and outcomes go first, then what people ordered, then the rest; of each price only the
// latest is kept, so that the queue is bounded however fast a feed is. Nothing else is ever dropped.

import type { Input } from "./input.ts";

export interface Inbox {
  put(input: Input): void;
  take(): Input | undefined;
  readonly size: number;
}

export function createInbox(): Inbox {
  return new RankedInbox();
}

class RankedInbox implements Inbox {
  readonly #replies: Input[] = [];
  readonly #orders: Input[] = [];
  // A newer one takes the place of the older in the row: so time has its turn however many prices there are.
  readonly #latest = new Map<string, Input>();
  size = 0;

  put(input: Input): void {
    const key = keyOf(input);
    if (key === undefined) (isReply(input) ? this.#replies : this.#orders).push(input);
    else this.#latest.set(key, input);
    this.#count();
  }

  take(): Input | undefined {
    if (this.size === 0) return undefined;
    const input = this.#replies.shift() ?? this.#orders.shift() ?? this.#oldest();
    this.#count();
    return input;
  }

  #oldest(): Input | undefined {
    for (const [key, next] of this.#latest) {
      this.#latest.delete(key);
      return next;
    }
    return undefined;
  }

  #count(): void {
    this.size = this.#replies.length + this.#orders.length + this.#latest.size;
  }
}

function isReply({ kind }: Input): boolean {
  return kind === "outcome" || kind === "answer" || kind === "unanswered" || kind === "resolution";
}

function keyOf(input: Input): string | undefined {
  if (input.kind === "time" || input.kind === "news") return input.kind;
  if (input.kind !== "event" || input.event.kind !== "quote") return undefined;
  return `${input.event.symbol} ${input.event.source}`;
}
