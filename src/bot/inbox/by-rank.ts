// Serial work over the inbox, as an operator: while one input is processed the others wait there, by rank.

import { from, Observable, type ObservableInput, type OperatorFunction, Subscription } from "rxjs";
import type { Input } from "../trading-core/input.ts";
import { Inbox } from "./inbox.ts";

/** Sends all inputs through one inbox: the next is taken when the work on the previous one completes. */
export function byRank<T>(work: (input: Input) => ObservableInput<T>): OperatorFunction<Input, T> {
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
        // If the work has completed already, the loop continues; otherwise it resumes when the work ends.
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
