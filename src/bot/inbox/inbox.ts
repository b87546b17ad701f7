// Inputs waiting for their turn. Answers and outcomes go first, then commands from people, then the rest; of each price
// only the latest is kept (for a derived price sometimes also the one before it), so that the queue is bounded however
// fast a feed is. Nothing else is ever dropped.

import { priceKey } from "../../market/pricing.ts";
import type { Input } from "../trading-core/input.ts";

/** The maximum number of times a waiting price may move behind others; then it keeps its place. */
const MOVES_MAX = 8;

type Waiting = { readonly input: Input; readonly moves: number };

export class Inbox {
  readonly #replies: Input[] = [];
  readonly #orders: Input[] = [];
  // A newer price takes the older one's place in the queue, so that time inputs get their turn however many prices
  // arrive. A derived price never goes ahead of its legs, because it is judged by the verdicts on them.
  readonly #latest = new Map<string, Waiting>();
  size = 0;

  put(input: Input): void {
    const key = keyOf(input);
    if (key === undefined) (isReply(input) ? this.#replies : this.#orders).push(input);
    else this.#replace(key, input);
    this.#count();
  }

  take(): Input | undefined {
    if (this.size === 0) return undefined;
    const input = this.#replies.shift() ?? this.#orders.shift() ?? this.#oldest();
    this.#count();
    return input;
  }

  #replace(key: string, input: Input): void {
    const place = this.#latest.has(secondOf(key)) ? this.#placeOfLater(key) : key;
    const { moves = 0 } = this.#latest.get(place) ?? {};
    if (!this.#isBeforeItsLegs(place, input)) {
      this.#latest.set(place, { input, moves });
      return;
    }
    const free = [key, secondOf(key)].find((other) => !this.#latest.has(other));
    if (moves >= MOVES_MAX && free !== undefined) {
      // The waiting price is processed with the legs it arrived with; the new one comes after its own.
      this.#latest.set(free, { input, moves: 0 });
      return;
    }
    this.#latest.delete(place);
    this.#latest.set(place, { input, moves: moves + 1 });
  }

  /** If two inputs of one price wait, the place of the later one. */
  #placeOfLater(key: string): string {
    let last = key;
    for (const place of this.#latest.keys()) if (place === key || place === secondOf(key)) last = place;
    return last;
  }

  /** Whether a leg of this derived price waits behind the place it would take. */
  #isBeforeItsLegs(place: string, input: Input): boolean {
    const legs = legsOf(input);
    if (legs.length === 0 || !this.#latest.has(place)) return false;
    let isBehind = false;
    for (const waiting of this.#latest.keys()) {
      if (isBehind && legs.includes(waiting)) return true;
      isBehind ||= waiting === place;
    }
    return false;
  }

  #oldest(): Input | undefined {
    for (const [key, { input }] of this.#latest) {
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

function legsOf(input: Input): readonly string[] {
  if (input.kind !== "event" || input.event.kind !== "quote") return [];
  const { legs = [], source } = input.event;
  return legs.map((symbol) => priceKey(source, symbol));
}

function keyOf(input: Input): string | undefined {
  if (input.kind === "time" || input.kind === "news") return input.kind;
  if (input.kind !== "event" || input.event.kind !== "quote") return undefined;
  return priceKey(input.event.source, input.event.symbol);
}

/** The key of a second waiting input of the same price, which must not replace the first. */
function secondOf(key: string): string {
  return `${key} again`;
}
