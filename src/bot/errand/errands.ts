// What a turn leads to, each as a stream of inputs: an approved order sent, a witness asked, a list read because its time
// has come. Nothing is decided here, and whatever fails on the way comes back as an input or is told.

import { from, map, mergeMap, type Observable } from "rxjs";
import type { Exchange } from "../../exchange/port.ts";
import type { Approval } from "../../risk/movement-gate.ts";
import type { Input } from "../desk/input.ts";
import type { Read } from "./agenda.ts";
import type { Dispatch, Question } from "./dispatch.ts";
import type { Post } from "./post.ts";
import type { ReadWants } from "./read-wants.ts";

export type ErrandParts = {
  readonly exchange: Pick<Exchange, "quotes" | "pairs">;
  readonly dispatch: Dispatch;
  readonly post: Post;
  readonly wants: ReadWants;
};

export interface Errands {
  send(approval: Approval): Observable<Input>;
  ask(question: Question): Observable<Input>;
  /** What the agenda wants. */
  read(read: Read): Observable<Input>;
}

export function createErrands({ exchange, dispatch, post, wants }: ErrandParts): Errands {
  const ask = (question: Question, standing: boolean): Observable<Input> =>
    from(dispatch.ask(question)).pipe(map((heard) => post.witness(heard, standing)));
  return {
    send: (approval) =>
      from(dispatch.send(approval)).pipe(map(({ id, outcome, control }) => post.outcome(id, outcome, control))),
    ask: (question) => ask(question, false),
    read(read) {
      const want = wants.of(read);
      switch (read) {
        case "quotes":
          return from(exchange.quotes(want)).pipe(mergeMap(post.quotes));
        case "pairs":
          return from(exchange.pairs(want)).pipe(mergeMap(post.pairs));
        default:
          return ask({ witness: read, asset: undefined, ...want }, true);
      }
    },
  };
}
