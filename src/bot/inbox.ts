// What waits for its turn. Answers and outcomes go first, then what people ordered, then the rest; of each price only the
// latest is kept, so that the queue is bounded however fast a feed is. Nothing else is ever dropped.

import { from, Observable, type ObservableInput, type OperatorFunction, Subscription } from "rxjs";
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

/** Everything through one inbox, one after the other: the next is taken when the work on the one before is complete. */
export function inTurn<T>(work: (input: Input) => ObservableInput<T>): OperatorFunction<Input, T> {
  return (source) =>
    new Observable<T>((out) => {
      const inbox = createInbox();
      const working = new Subscription();
      let isBusy = false;
      let isOver = false;
      const next = (): void => {
        while (!isBusy && !out.closed) {
          const input = inbox.take();
          if (input === undefined) {
            if (isOver) out.complete();
            return;
          }
          begin(input);
        }
      };
      const begin = (input: Input): void => {
        isBusy = true;
        const one = from(work(input)).subscribe({
          next: (value) => out.next(value),
          error: (error) => out.error(error),
          complete: () => {
            isBusy = false;
          },
        });
        // Complete already: the loop goes on. Otherwise it begins anew when this ends.
        if (!isBusy) return;
        working.add(one);
        one.add(next);
      };
      working.add(
        source.subscribe({
          next(input) {
            inbox.put(input);
            next();
          },
          error: (error) => out.error(error),
          complete() {
            isOver = true;
            next();
          },
        }),
      );
      return working;
    });
}

function isReply({ kind }: Input): boolean {
  return kind === "outcome" || kind === "answer" || kind === "unanswered" || kind === "resolution";
}

function keyOf(input: Input): string | undefined {
  if (input.kind === "time" || input.kind === "news") return input.kind;
  if (input.kind !== "event" || input.event.kind !== "quote") return undefined;
  return `${input.event.symbol} ${input.event.source}`;
}
