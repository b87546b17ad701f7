// The venue in process and synchronous: one request, the way there, the venue's action at its arrival, the way back. It
// gives the same result as the HTTP server and client would for the same request at the same time, without text in
// between; backtests call it directly.

import type { Balance } from "../domain/balance.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail } from "../domain/rail.ts";
import { printable } from "../domain/sanitise.ts";
import { type Millis, millis } from "../domain/time.ts";
import { type MoneyVerdict, type ReadVerdict, refusedMoney, refusedRead, rejectedRail } from "../exchange/classify.ts";
import type { Failure, MintReceipt, MoneyKind, OrderRecord, OutgoingOrder, TradeRecord } from "../exchange/port.ts";
import type { VenueCalls } from "./core/calls.ts";
import type { FloatQuote, Moment, OrderRow, RailRow } from "./core/record.ts";
import type { Answer, Form, Refusal } from "./core/refusal.ts";
import type { Latency } from "./latency.ts";
import * as told from "./port-rows.ts";

/** The outcome of a request and its duration; `date` is the venue's, to the second, if an answer came. */
export type Served<V> = {
  readonly verdict: V;
  readonly tookMs: number;
  readonly isAnswered: boolean;
  readonly date: Millis;
};

type Listed = "quotes" | "balances" | "trades" | "orders";
type ListedRows = readonly FloatQuote[] | readonly Balance[] | readonly TradeRecord[] | readonly OrderRecord[];

/** An answer that has not started after this time is given up, as in the client's transport. */
const ANSWER_MS_MAX = 15_000;
/** Messages are cut to the same length as in the client. */
const PROSE_MAX = 300;

export class VenueLine {
  private readonly venue: VenueCalls;
  private readonly latency: Latency;

  constructor(venue: VenueCalls, latency: Latency) {
    this.venue = venue;
    this.latency = latency;
  }

  /** `at`: the wall clock at the last check before the request leaves, in milliseconds with fractions. */
  order(key: string, order: OutgoingOrder, at: number): Served<MoneyVerdict<Fill>> {
    const { thereMs, backMs } = this.latency();
    const answer = this.venue.placeOrder(key, order, momentAt(at + thereMs));
    if (!answer.ok) return served(refused("order", answer.error), at, thereMs, backMs, orderTimeout);
    return served(orderVerdict(answer.value), at, thereMs, backMs, orderTimeout);
  }

  mint(key: string, form: Form, at: number): Served<MoneyVerdict<MintReceipt>> {
    const { thereMs, backMs } = this.latency();
    const answer = this.venue.mintTokens(key, form, momentAt(at + thereMs));
    const verdict = answer.ok ? accepted(told.mint(answer.value)) : refused("mint", answer.error);
    return served(verdict, at, thereMs, backMs, orderTimeout);
  }

  /** The parsed JSON body of the call. */
  rail(key: string, body: unknown, at: number): Served<MoneyVerdict<Rail>> {
    const { thereMs, backMs } = this.latency();
    const answer = this.venue.addPaymentRail(key, body, momentAt(at + thereMs));
    const verdict = answer.ok ? railVerdict(answer.value) : refused("rail", answer.error);
    return served(verdict, at, thereMs, backMs, orderTimeout);
  }

  /** Any read; `tell` converts the result to the port's types. */
  read<R, T>(
    ask: (venue: VenueCalls, moment: Moment) => Answer<R>,
    tell: (value: R, receivedAt: Millis) => T,
    at: number,
  ): Served<ReadVerdict<T>> {
    const { thereMs, backMs } = this.latency();
    const answer = ask(this.venue, momentAt(at + thereMs));
    const receivedAt = millis(Math.floor(at + thereMs + backMs));
    const verdict: ReadVerdict<T> = answer.ok
      ? { kind: "read", value: tell(answer.value, receivedAt) }
      : unread(answer.error);
    return served(verdict, at, thereMs, backMs, readTimeout);
  }

  /**
   * The frequently read lists. The venue's own rows are returned, because they have every field of the port: unchanged
   * rows are the same objects as in the last answer, and so is an unchanged list.
   */
  list(what: Listed, key: string, at: number): Served<ReadVerdict<ListedRows>> {
    const { thereMs, backMs } = this.latency();
    const answer = this.listed(what, key, momentAt(at + thereMs));
    const verdict: ReadVerdict<ListedRows> = answer.ok ? { kind: "read", value: answer.value } : unread(answer.error);
    return served(verdict, at, thereMs, backMs, readTimeout);
  }

  private listed(what: Listed, key: string, moment: Moment): Answer<ListedRows> {
    const { venue } = this;
    if (what === "quotes") return venue.quotes(moment);
    if (what === "balances") return venue.balances(key, moment);
    return what === "trades" ? venue.trades(key, moment) : venue.orders(key, moment);
  }
}

function orderVerdict(row: OrderRow): MoneyVerdict<Fill> {
  const { error, status } = row;
  if (error !== undefined) return refusedMoney("order", 200, cut(error), status !== "Rejected");
  return status === "Filled" ? accepted(told.fill(row)) : unclear(STRANGE + status);
}

/** The venue answered `answeredMs` after the request left, and the answer takes `backMs`. */
function served<V>(verdict: V, at: number, answeredMs: number, backMs: number, late: V): Served<V> {
  const tookMs = answeredMs + backMs;
  const date = millis(Math.floor((at + answeredMs) / 1_000) * 1_000);
  return tookMs > ANSWER_MS_MAX
    ? { verdict: late, tookMs: ANSWER_MS_MAX, isAnswered: false, date }
    : { verdict, tookMs, isAnswered: true, date };
}

function momentAt(at: number): Moment {
  const venue = millis(Math.floor(at));
  return { venue, settlement: venue };
}

const timeout: Failure = {
  code: "timeout",
  status: undefined,
  venueCode: undefined,
  message: `no answer within ${ANSWER_MS_MAX} ms`,
};

const orderTimeout: MoneyVerdict<never> = { kind: "doubt", failure: timeout, halt: false };

const readTimeout: ReadVerdict<never> = { kind: "failed", failure: timeout };

function unread(refusal: Refusal): ReadVerdict<never> {
  return { kind: "failed", failure: refusedRead(refusal.status, cut(refusal)) };
}

function accepted<T>(value: T): MoneyVerdict<T> {
  return { kind: "accepted", value };
}

function refused(kind: MoneyKind, refusal: Refusal): MoneyVerdict<never> {
  return refusedMoney(kind, refusal.status, cut(refusal));
}

function railVerdict(row: RailRow): MoneyVerdict<Rail> {
  if (row.status !== "rejected") return accepted(told.rail(row));
  return rejectedRail(`rail ${row.railId} was rejected: ${row.reason ?? "no reason given"}`);
}

/** The message for an unknown order status. */
const STRANGE = "ordstatus must be Filled or come with an error, was ";

function unclear(message: string): MoneyVerdict<never> {
  return { kind: "doubt", failure: { code: "unclear", status: 200, venueCode: undefined, message }, halt: false };
}

function cut({ code, message }: { readonly code: string; readonly message: string }): {
  readonly code: string;
  readonly message: string;
} {
  return { code, message: printable(message, PROSE_MAX) };
}
