// Serial work over the inbox, as an operator: while one input is worked on the others wait there, by their rank.

import { from, Observable, type ObservableInput, type OperatorFunction, Subscription } from "rxjs";
import type { Input } from "../trading-core/input.ts";
import { Inbox } from "./inbox.ts";

/** Everything through one inbox, one after the other: the next is taken when the work on the one before is complete. */
export function inTurn<T>(work: (input: Input) => ObservableInput<T>): OperatorFunction<Input, T> {
  return (source) =>
    new Observable<T>((out) => {
      const inbox = new Inbox();
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
