// What waits for its turn. Answers and outcomes go first, then what people ordered, then the rest; of each price only the
// latest is kept, so that the queue is bounded however fast a feed is. Nothing else is ever dropped.

import type { Input } from "./desk.ts";

export interface Inbox {
  put(input: Input): void;
  take(): Input | undefined;
  readonly size: number;
}

export function createInbox(): Inbox {
  const replies: Input[] = [];
  const orders: Input[] = [];
  // A newer one takes the place of the older in the row: so time has its turn however many prices there are.
  const latest = new Map<string, Input>();
  return {
    put(input) {
      const key = keyOf(input);
      if (key !== undefined) latest.set(key, input);
      else (isReply(input) ? replies : orders).push(input);
    },
    take() {
      const input = replies.shift() ?? orders.shift();
      if (input !== undefined) return input;
      for (const [key, next] of latest) {
        latest.delete(key);
        return next;
      }
      return undefined;
    },
    get size() {
      return replies.length + orders.length + latest.size;
    },
  };
}

function isReply({ kind }: Input): boolean {
  return kind === "outcome" || kind === "answer" || kind === "unanswered" || kind === "resolution";
}

function keyOf(input: Input): string | undefined {
  if (input.kind === "time" || input.kind === "news") return input.kind;
  if (input.kind !== "event" || input.event.kind !== "quote") return undefined;
  return `${input.event.symbol} ${input.event.source}`;
}
