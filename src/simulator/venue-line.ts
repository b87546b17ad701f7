// The venue in process and synchronously: one request, the way there, what the venue does at its arrival, the way back.
// It answers what the HTTP server and client make of the same request at the same time, with no text between them.
// Whoever calls keeps to one request at a time; backtests call it directly.

import type { Balance } from "../domain/balance.ts";
import { invariant } from "../domain/invariant.ts";
import type { Fill } from "../domain/order.ts";
import { printable } from "../domain/outside-text.ts";
import type { Rail } from "../domain/rail.ts";
import { type Millis, millis } from "../domain/time.ts";
import { type MoneyVerdict, type ReadVerdict, refusedMoney, refusedRead } from "../exchange/classify.ts";
import type { Failure, MintReceipt, OrderRecord, OutgoingOrder, TradeRecord } from "../exchange/port.ts";
import type { Answer, Form } from "./core/answer.ts";
import type { VenueCalls } from "./core/calls.ts";
import type { FloatQuote, Moment, OrderRow, RailRow } from "./core/record.ts";
import type { OrderError, Refusal } from "./core/refusal.ts";
import type { Latency, Trip } from "./latency.ts";
import * as told from "./told.ts";

/** What came of it, after how long; `date` is the venue's, to the second, when an answer came. */
export type Served<V> = { readonly verdict: V; readonly tookMs: number; readonly date: Millis | undefined };

/** An answer that has not begun after so long is given up, as the client's transport does. */
const ANSWER_MS_MAX = 15_000;
/** Texts for people are cut as the client cuts them. */
const PROSE_MAX = 300;

// Private by type only: every request of a backtest comes through here, and `#` makes the compiled path longer.
export class VenueLine {
  private readonly venue: VenueCalls;
  private readonly latency: Latency;
  /** Most orders that fail do so for the same reason as the one before. */
  private lastError: { readonly error: OrderError; readonly verdict: MoneyVerdict<never> } | undefined;

  constructor(venue: VenueCalls, latency: Latency) {
    this.venue = venue;
    this.latency = latency;
  }

  /** `at`: the wall clock at the last check before the request leaves, in milliseconds with fractions. */
  order(key: string, order: OutgoingOrder, at: number): Served<MoneyVerdict<Fill>> {
    const { thereMs, backMs } = this.latency();
    const moment = momentAt(at + thereMs);
    const answer = this.venue.placeOrder(key, order, moment);
    if (!answer.ok) return served(refused(answer.error), at + thereMs, thereMs, backMs, orderTimeout);
    const receipt = answer.value;
    if (receipt.kind === "done")
      return served(this.orderVerdict(receipt.order), at + thereMs, thereMs, backMs, orderTimeout);
    const executed = thereMs + receipt.executesAt - moment.venue;
    // The venue's clock never goes back: it is not asked for what nobody waits for.
    if (executed + backMs > ANSWER_MS_MAX) return { verdict: orderTimeout, tookMs: ANSWER_MS_MAX, date: undefined };
    const row = this.venue.outcome(receipt.orderId, momentAt(receipt.executesAt));
    invariant(row !== undefined, `order ${receipt.orderId} must be executed at ${receipt.executesAt}`);
    return served(this.orderVerdict(row), at + executed, executed, backMs, orderTimeout);
  }

  mint(key: string, form: Form, at: number): Served<MoneyVerdict<MintReceipt>> {
    const { thereMs, backMs } = this.latency();
    const answer = this.venue.mintTokens(key, form, momentAt(at + thereMs));
    const verdict = answer.ok ? accepted(told.mint(answer.value)) : refused(answer.error);
    return served(verdict, at + thereMs, thereMs, backMs, orderTimeout);
  }

  /** The JSON body of the call, as parsed. */
  rail(key: string, body: unknown, at: number): Served<MoneyVerdict<Rail>> {
    const { thereMs, backMs } = this.latency();
    const answer = this.venue.addPaymentRail(key, body, momentAt(at + thereMs));
    const verdict = answer.ok ? railVerdict(answer.value) : refused(answer.error);
    return served(verdict, at + thereMs, thereMs, backMs, orderTimeout);
  }

  /** Any read; `tell` puts what was read into the port's words. */
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
    return served(verdict, at + thereMs, thereMs, backMs, readTimeout);
  }

  quotes(at: number): Served<ReadVerdict<readonly FloatQuote[]>> {
    const trip = this.latency();
    return listed(this.venue.floatQuotes(momentAt(at + trip.thereMs)), trip, at);
  }

  // The reads that follow every trade. The venue's own rows are handed over, which say all that the port asks for: what
  // did not change since the last answer is the same object, and so is the list when nothing did.

  balances(key: string, at: number): Served<ReadVerdict<readonly Balance[]>> {
    const trip = this.latency();
    return listed(this.venue.balances(key, momentAt(at + trip.thereMs)), trip, at);
  }

  orders(key: string, at: number): Served<ReadVerdict<readonly OrderRecord[]>> {
    const trip = this.latency();
    return listed(this.venue.orders(key, momentAt(at + trip.thereMs)), trip, at);
  }

  trades(key: string, at: number): Served<ReadVerdict<readonly TradeRecord[]>> {
    const trip = this.latency();
    return listed(this.venue.trades(key, momentAt(at + trip.thereMs)), trip, at);
  }

  private orderVerdict(row: OrderRow): MoneyVerdict<Fill> {
    const { error, status } = row;
    if (error === undefined) return status === "Filled" ? accepted(told.fill(row)) : contradiction(STRANGE + status);
    if (status !== "Rejected") return contradiction(`the order came back ${status} and with an error`);
    const last = this.lastError;
    if (last !== undefined && last.error === error) return last.verdict;
    const verdict = refusedMoney(200, cut(error));
    this.lastError = { error, verdict };
    return verdict;
  }
}

function served<V>(verdict: V, answeredAt: number, answeredMs: number, backMs: number, late: V): Served<V> {
  if (answeredMs + backMs > ANSWER_MS_MAX) return { verdict: late, tookMs: ANSWER_MS_MAX, date: undefined };
  return { verdict, tookMs: answeredMs + backMs, date: millis(Math.floor(answeredAt / 1_000) * 1_000) };
}

function listed<T>(answer: Answer<T>, { thereMs, backMs }: Trip, at: number): Served<ReadVerdict<T>> {
  const verdict: ReadVerdict<T> = answer.ok ? { kind: "read", value: answer.value } : unread(answer.error);
  return served(verdict, at + thereMs, thereMs, backMs, readTimeout);
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

function refused(refusal: Refusal): MoneyVerdict<never> {
  return refusedMoney(refusal.status, cut(refusal));
}

function railVerdict(row: RailRow): MoneyVerdict<Rail> {
  if (row.status !== "rejected") return accepted(told.rail(row));
  const message = `rail ${row.railId} was rejected: ${row.reason ?? "no reason given"}`;
  return refusedMoney(200, { code: undefined, message });
}

/** Said where the order's status is a word that no one knows. */
const STRANGE = "ordstatus must be Filled or come with an error, was ";

function contradiction(message: string): MoneyVerdict<never> {
  const failure = { code: "contradiction", status: 200, venueCode: undefined, message };
  return { kind: "doubt", failure, halt: true };
}

function cut({ code, message }: { readonly code: string; readonly message: string }): {
  readonly code: string;
  readonly message: string;
} {
  return { code, message: printable(message, PROSE_MAX) };
}
