// Turns the venue's answers into inputs of the engine. Live and virtual-time callers both pass their readings
// through here, so that the polls and the venue clock see every one.

import type { PairSymbol } from "../../domain/asset.ts";
import type { BarEvent, QuoteEvent } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Quote } from "../../domain/quote.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { type Reading, unreadText } from "../../exchange/port.ts";
import type { Heard } from "../../execution/dispatch.ts";
import type { Moment, Witness } from "../../execution/request.ts";
import type { VenueClock } from "../inbox/venue-clock.ts";
import type { Input } from "../input.ts";
import type { PollSchedule, Read } from "./poll-schedule.ts";

export type ResponseParts = {
  readonly polls: PollSchedule;
  readonly clock: VenueClock;
  readonly now: () => Moment;
  readonly onProblem: (code: string, message: string) => void;
};

/** A quote of the venue, which has no timestamp. */
export type VenuePrice = Pick<Quote, "symbol" | "bid" | "ask" | "bidSize" | "askSize">;

export interface Responses {
  /** At its time of receipt, capped by the venue's clock. */
  quote(quote: QuoteEvent | BarEvent): Input;
  quotes(reading: Reading<readonly Quote[]>): readonly Input[];
  /** The venue's prices as events, for callers that pass them to the engine themselves. */
  prices(reading: Reading<readonly VenuePrice[]>): readonly QuoteEvent[];
  pairs(reading: Reading<readonly Instrument[]>): readonly Input[];
  /** `isPolled`: the read was made by the poll schedule. */
  witness(heard: Heard, isPolled: boolean): Input;
}

export function createResponses({ polls, clock, now, onProblem }: ResponseParts): Responses {
  /** Offline pairs in the last list. Usually empty, and then no quote is checked against it. */
  let offline: ReadonlySet<PairSymbol> = new Set();
  /** The number of quoted pairs in the last answer. */
  let quoted = 0;
  /** Whether the venue has answered with quotes, or has none. */
  let unreadPair: string | undefined;
  let quotes: "unknown" | "shown" | "absent" = "unknown";
  const quote = (event: QuoteEvent | BarEvent): Input => {
    const receivedAt = millis(Math.min(event.receivedAt, clock.now()));
    return { kind: "event", event: { ...event, receivedAt } };
  };

  function list<T, I>(read: Read, reading: Reading<T>, inputsOf: (value: T) => readonly I[]): readonly I[] {
    if (reading.kind === "read") {
      clock.heard(reading.at);
      polls.ended(read, "answered", now().mono);
      if (read === "quotes") quotes = "shown";
      return inputsOf(reading.value);
    }
    const { code, message } =
      reading.kind === "failed" ? reading.failure : { code: "dropped", message: reading.reason };
    const isAbsent = read === "quotes" && code === "not-available" && quotes !== "shown";
    const end = isAbsent ? "absent" : code === "not-available" ? code : "failed";
    polls.ended(read, end, now().mono);
    if (!isAbsent) onProblem(code, `${read}: ${message}`);
    return [];
  }

  /** A venue that never showed quotes has none: the engine goes on without them, and people read it once. */
  const unquoted = (reading: Reading<unknown>): readonly Input[] => {
    const isNews = quotes === "unknown" && reading.kind === "failed" && reading.failure.code === "not-available";
    if (isNews) quotes = "absent";
    return isNews ? [{ kind: "unquoted" }] : [];
  };

  /**
   * An unusable list is ignored and the previous one stays; otherwise a start would wait for its first pair until the
   * list is due again.
   */
  const noPairs = (at: Millis | undefined, problem = "it is empty"): readonly Input[] => {
    clock.heard(at);
    polls.ended("pairs", "unusable", now().mono);
    onProblem("unusable", `pairs: no pair in the venue's list can be used (${problem}); it is read again in seconds`);
    return [];
  };

  /**
   * A newly quoted pair may be tradable again, and one that is no longer quoted may be offline: a contradiction with
   * the list makes it due early.
   */
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
    quotes(reading) {
      const inputs = list<readonly Quote[], Input>("quotes", reading, (read) => {
        compare(read);
        return read.map((one) => quote({ kind: "quote", ...one }));
      });
      return [...inputs, ...unquoted(reading)];
    },
    prices: (reading) => list("quotes", reading, venueEvents),
    pairs(reading) {
      const [problem] = reading.kind === "read" ? (reading.problems ?? []) : [];
      const text = problem && unreadText(problem);
      if (reading.kind === "read" && reading.value.length === 0) return noPairs(reading.at, text);
      if (text !== undefined && text !== unreadPair) onProblem("unreadable", `pairs: ${text}`);
      unreadPair = text;
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

/** Built field by field, because this runs for every pair in every slot. */
function venueEvent({ symbol, bid, ask, bidSize, askSize }: VenuePrice, receivedAt: Millis): QuoteEvent {
  return { kind: "quote", symbol, bid, ask, bidSize, askSize, source: "venue", at: undefined, receivedAt };
}

function isListed(witness: Witness): witness is Witness & Read {
  return witness === "balances" || witness === "trades" || witness === "orders" || witness === "addresses";
}
