// What comes back from the venue, as inputs of the desk. Whoever carries the questions, with promises or in virtual time,
// hands the readings in here, so that the agenda and the venue's clock hear of every one of them.

import type { BarEvent, Control, QuoteEvent } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Quote } from "../domain/quote.ts";
import { millis } from "../domain/time.ts";
import type { Outcome, Reading } from "../exchange/port.ts";
import type { Heard } from "../execution/heard.ts";
import type { AnyReceipt, Moment, Witness } from "../execution/submission.ts";
import type { Agenda, Read } from "./agenda.ts";
import type { Input } from "./desk.ts";
import type { VenueClock } from "./venue-clock.ts";

export type PostParts = {
  readonly agenda: Agenda;
  readonly clock: VenueClock;
  readonly now: () => Moment;
  readonly onProblem: (code: string, message: string) => void;
};

export interface Post {
  /** As the bot received it, and not later than the venue's clock. */
  quote(quote: QuoteEvent | BarEvent): Input;
  quotes(reading: Reading<readonly Quote[]>): readonly Input[];
  pairs(reading: Reading<readonly Instrument[]>): readonly Input[];
  /** `standing`: the agenda asked for it. */
  witness(heard: Heard, standing: boolean): Input;
  outcome(id: string, outcome: Outcome<AnyReceipt>, control: Control | undefined): readonly Input[];
}

export function createPost({ agenda, clock, now, onProblem }: PostParts): Post {
  const quote = (event: QuoteEvent | BarEvent): Input => {
    const receivedAt = millis(Math.min(event.receivedAt, clock.now()));
    return { kind: "event", event: { ...event, receivedAt } };
  };

  function list<T>(read: Read, reading: Reading<T>, inputsOf: (value: T) => readonly Input[]): readonly Input[] {
    if (reading.kind === "read") {
      clock.heard(reading.at);
      agenda.ended(read, "answered", now().mono);
      return inputsOf(reading.value);
    }
    const { code, message } =
      reading.kind === "failed" ? reading.failure : { code: "dropped", message: reading.reason };
    agenda.ended(read, code === "not-available" ? "not-available" : "failed", now().mono);
    onProblem(code, `${read}: ${message}`);
    return [];
  }

  return {
    quote,
    quotes: (reading) => list("quotes", reading, (quotes) => quotes.map((one) => quote({ kind: "quote", ...one }))),
    pairs: (reading) =>
      list("pairs", reading, (instruments) => [
        { kind: "event", event: { kind: "instruments", instruments, receivedAt: now().at } },
      ]),
    witness(heard, standing) {
      const witness = heard.kind === "answer" ? heard.answer.witness : heard.witness;
      if (isListed(witness)) {
        const { mono } = now();
        if (standing) agenda.ended(witness, heard.kind === "answer" ? "answered" : "failed", mono);
        else if (heard.kind === "answer") agenda.seen(witness, mono);
      }
      if (heard.kind === "unanswered") onProblem(heard.code, `${witness}: ${heard.message}`);
      return heard;
    },
    outcome(id, outcome, control) {
      const told: Input = { kind: "outcome", id, outcome };
      if (control === undefined) return [told];
      return [told, { kind: "event", event: { kind: "control", control, receivedAt: now().at } }];
    },
  };
}

function isListed(witness: Witness): witness is Witness & Read {
  return witness === "balances" || witness === "trades" || witness === "orders";
}
