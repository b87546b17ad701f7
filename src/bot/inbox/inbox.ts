// Inputs waiting for their turn. Answers and outcomes go first, then commands from people, then the rest; of each price
// only the latest is kept, so that the queue is bounded however fast a feed is. Nothing else is ever dropped.

import { priceKey } from "../../market/pricing.ts";
import type { Input } from "../input.ts";

export class Inbox {
  readonly #replies: Input[] = [];
  readonly #orders: Input[] = [];
  // A newer price takes the older one's place in the queue, so that time inputs get their turn however many prices
  // arrive.
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
    for (const [key, input] of this.#latest) {
      this.#latest.delete(key);
      return input;
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
  if (input.kind === "time") return input.kind;
  if (input.kind !== "event" || input.event.kind !== "quote") return undefined;
  return priceKey(input.event.source, input.event.symbol);
}
