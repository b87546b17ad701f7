// What a turn leads to, each as a stream of inputs: an approved order sent, a witness asked, a list read because its time
// has come. Nothing is decided here, and whatever fails on the way comes back as an input or is told.

import { from, map, mergeMap, type Observable } from "rxjs";
import type { QuoteEvent } from "../domain/event.ts";
import { millis } from "../domain/time.ts";
import type { Exchange, Reading } from "../exchange/port.ts";
import type { Dispatch, Heard, Question } from "../execution/dispatch.ts";
import type { Moment } from "../execution/submission.ts";
import type { Approved } from "../risk/gate.ts";
import { type Agenda, READ_CLASSES, type Read } from "./agenda.ts";
import type { Input } from "./desk.ts";
import type { VenueClock } from "./venue-clock.ts";

export type ErrandParts = {
  readonly exchange: Pick<Exchange, "quotes" | "pairs">;
  readonly dispatch: Dispatch;
  readonly agenda: Agenda;
  readonly clock: VenueClock;
  readonly now: () => Moment;
  readonly onProblem: (code: string, message: string) => void;
};

export interface Errands {
  send(order: Approved): Observable<Input>;
  ask(question: Question): Observable<Input>;
  /** Every read whose time has come. */
  due(isStarting: boolean): readonly Observable<Input>[];
  /** As the bot received it, and not later than the venue's clock. */
  quote(quote: QuoteEvent): Input;
}

export function createErrands({ exchange, dispatch, agenda, clock, now, onProblem }: ErrandParts): Errands {
  const quote = (event: QuoteEvent): Input => {
    const receivedAt = millis(Math.min(event.receivedAt, clock.now()));
    return { kind: "event", event: { ...event, receivedAt } };
  };

  const ask = (question: Question, ended: (heard: Heard) => void): Observable<Input> =>
    from(dispatch.ask(question)).pipe(
      map((heard) => {
        ended(heard);
        if (heard.kind === "unanswered") onProblem(heard.code, `${question.witness}: ${heard.message}`);
        return heard;
      }),
    );

  function list<T>(read: Read, reading$: Promise<Reading<T>>, inputsOf: (value: T) => Input[]): Observable<Input> {
    return from(reading$).pipe(
      mergeMap((reading) => {
        if (reading.kind === "read") {
          clock.heard(reading.at);
          agenda.ended(read, "answered", now().mono);
          return inputsOf(reading.value);
        }
        const failure = reading.kind === "failed" ? reading.failure : { code: "dropped", message: reading.reason };
        agenda.ended(read, failure.code === "not-available" ? "not-available" : "failed", now().mono);
        onProblem(failure.code, `${read}: ${failure.message}`);
        return [];
      }),
    );
  }

  function begin(read: Read): Observable<Input> {
    const want = { class: READ_CLASSES[read] };
    switch (read) {
      case "quotes":
        return list(read, exchange.quotes(want), (quotes) => quotes.map((one) => quote({ kind: "quote", ...one })));
      case "pairs":
        return list(read, exchange.pairs(want), (instruments) => [
          { kind: "event", event: { kind: "instruments", instruments, receivedAt: now().at } },
        ]);
      default:
        return ask({ witness: read, asset: undefined, ...want }, ({ kind }) =>
          agenda.ended(read, kind === "answer" ? "answered" : "failed", now().mono),
        );
    }
  }

  return {
    quote,
    send: (order) =>
      from(dispatch.send(order)).pipe(
        mergeMap(({ id, outcome, control }): Input[] => {
          const told: Input = { kind: "outcome", id, outcome };
          if (control === undefined) return [told];
          return [told, { kind: "event", event: { kind: "control", control, receivedAt: now().at } }];
        }),
      ),
    ask: (question) =>
      ask(question, ({ kind }) => {
        const { witness } = question;
        const isStanding = witness === "balances" || witness === "trades" || witness === "orders";
        if (kind === "answer" && isStanding) agenda.seen(witness, now().mono);
      }),
    due: (isStarting) => agenda.due(now().mono, isStarting).map(begin),
  };
}
