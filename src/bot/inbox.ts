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

/** So often one price may go behind others of its source while it waits: then it has its turn, however much is told meanwhile. */
const MOVES_MAX = 8;

type Waiting = { readonly input: Input; readonly moves: number };

class RankedInbox implements Inbox {
  readonly #replies: Input[] = [];
  readonly #orders: Input[] = [];
  // A newer one takes the place of the older in the row: so time has its turn however many prices there are. A source's own
  // prices keep their order: one that is worked out from others is judged by what these were found to be.
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
    const { moves = 0 } = this.#latest.get(key) ?? {};
    const isMoved = moves < MOVES_MAX && this.#isBeforeItsOwn(key, input);
    if (isMoved) this.#latest.delete(key);
    this.#latest.set(key, { input, moves: isMoved ? moves + 1 : moves });
  }

  /** Whether another price of its source waits behind the one that it takes the place of. */
  #isBeforeItsOwn(key: string, input: Input): boolean {
    const source = sourceOf(input);
    if (source === undefined || !this.#latest.has(key)) return false;
    let isBehind = false;
    for (const [other, { input: waiting }] of this.#latest) {
      if (isBehind && sourceOf(waiting) === source) return true;
      isBehind ||= other === key;
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

/** The venue works no price out from others. */
function sourceOf(input: Input): string | undefined {
  if (input.kind !== "event" || input.event.kind !== "quote" || input.event.source === "venue") return undefined;
  return input.event.source;
}

function keyOf(input: Input): string | undefined {
  if (input.kind === "time" || input.kind === "news") return input.kind;
  if (input.kind !== "event" || input.event.kind !== "quote") return undefined;
  return `${input.event.symbol} ${input.event.source}`;
}
