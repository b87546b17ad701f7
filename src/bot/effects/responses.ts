// What comes back from the venue, as inputs of the trading core. Whoever carries the questions, with promises or in virtual time,
// hands the readings in here, so that the polls and the venue's clock hear of every one of them.

import type { PairSymbol } from "../../domain/asset.ts";
import type { BarEvent, QuoteEvent } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Quote } from "../../domain/quote.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Reading } from "../../exchange/port.ts";
import type { Moment, Witness } from "../../execution/request.ts";
import type { VenueClock } from "../inbox/venue-clock.ts";
import type { Input } from "../trading-core/input.ts";
import type { Heard } from "./dispatch.ts";
import type { PollSchedule, Read } from "./poll-schedule.ts";

export type ResponseParts = {
  readonly polls: PollSchedule;
  readonly clock: VenueClock;
  readonly now: () => Moment;
  readonly onProblem: (code: string, message: string) => void;
};

/** A quote of the venue, which gives no time. */
export type VenuePrice = Pick<Quote, "symbol" | "bid" | "ask" | "bidSize" | "askSize">;

export interface Responses {
  /** As the bot received it, and not later than the venue's clock. */
  quote(quote: QuoteEvent | BarEvent): Input;
  quotes(reading: Reading<readonly Quote[]>): readonly Input[];
  /** The venue's prices as events: for who takes them to the trading core himself. */
  prices(reading: Reading<readonly VenuePrice[]>): readonly QuoteEvent[];
  pairs(reading: Reading<readonly Instrument[]>): readonly Input[];
  /** `isPolled`: the schedule asked for it. */
  witness(heard: Heard, isPolled: boolean): Input;
}

export function createResponses({ polls, clock, now, onProblem }: ResponseParts): Responses {
  /** By the last list. Mostly none: then no quote is looked at for it. */
  let offline: ReadonlySet<PairSymbol> = new Set();
  /** How many pairs had a quote in the last answer. */
  let quoted = 0;
  const quote = (event: QuoteEvent | BarEvent): Input => {
    const receivedAt = millis(Math.min(event.receivedAt, clock.now()));
    return { kind: "event", event: { ...event, receivedAt } };
  };

  function list<T, I>(read: Read, reading: Reading<T>, inputsOf: (value: T) => readonly I[]): readonly I[] {
    if (reading.kind === "read") {
      clock.heard(reading.at);
      polls.ended(read, "answered", now().mono);
      return inputsOf(reading.value);
    }
    const { code, message } =
      reading.kind === "failed" ? reading.failure : { code: "dropped", message: reading.reason };
    polls.ended(read, code === "not-available" ? "not-available" : "failed", now().mono);
    onProblem(code, `${read}: ${message}`);
    return [];
  }

  /** A start would wait for the first pair until the list is due again, so it is no list: the one before stays. */
  const noPairs = (at: Millis | undefined, problem = "it is empty"): readonly Input[] => {
    clock.heard(at);
    polls.ended("pairs", "unusable", now().mono);
    onProblem("unusable", `pairs: no pair in the venue's list can be used (${problem}); it is read again in seconds`);
    return [];
  };

  /** What is quoted may be traded again, and what is quoted no longer may be offline: the list that says otherwise is read before its time. */
  const compare = (prices: readonly Pick<Quote, "symbol">[]): void => {
    if (prices.length < quoted || (offline.size > 0 && prices.some(({ symbol }) => offline.has(symbol))))
      polls.questioned();
    quoted = prices.length;
  };

  const venueEvents = (prices: readonly VenuePrice[]): readonly QuoteEvent[] => {
    const heardAt = clock.now();
    compare(prices);
    return prices.map((price) => venueEvent(price, heardAt));
  };

  return {
    quote,
    quotes: (reading) =>
      list("quotes", reading, (quotes) => {
        compare(quotes);
        return quotes.map((one) => quote({ kind: "quote", ...one }));
      }),
    prices: (reading) => list("quotes", reading, venueEvents),
    pairs(reading) {
      if (reading.kind === "read" && reading.value.length === 0) return noPairs(reading.at, reading.problems?.[0]);
      return list("pairs", reading, (instruments) => {
        offline = new Set(instruments.flatMap(({ symbol, status }) => (status === "online" ? [] : [symbol])));
        return [{ kind: "event", event: { kind: "instruments", instruments, receivedAt: now().at } }];
      });
    },
    witness(heard, isPolled) {
      const witness = heard.kind === "answer" ? heard.answer.witness : heard.witness;
      if (isListed(witness)) {
        const { mono } = now();
        if (isPolled) polls.ended(witness, heard.kind === "answer" ? "answered" : "failed", mono);
        else if (heard.kind === "answer") polls.seen(witness, mono);
      }
      if (heard.kind === "unanswered") onProblem(heard.code, `${witness}: ${heard.message}`);
      return heard;
    },
  };
}

/** Field by field: this is done for every pair in every slot. */
function venueEvent({ symbol, bid, ask, bidSize, askSize }: VenuePrice, receivedAt: Millis): QuoteEvent {
  return { kind: "quote", symbol, bid, ask, bidSize, askSize, source: "venue", at: undefined, receivedAt };
}

function isListed(witness: Witness): witness is Witness & Read {
  return witness === "balances" || witness === "trades" || witness === "orders" || witness === "addresses";
}
