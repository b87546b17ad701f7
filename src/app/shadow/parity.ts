// What a shadow would have filled, laid over what the venue filled: the orders of a journal go through the local book at
// the quotes that were recorded meanwhile. Each difference has one cause, so that the causes add up to the whole.

import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { Quantity } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import type { Quote } from "../../domain/quote.ts";
import { createRandom } from "../../domain/random.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { LocalBook } from "../../exchange/shadow.ts";
import type { Entry, ReceiptRecord } from "../../journal/record.ts";
import type { Place, Track } from "../../simulator/market/recorded.ts";

/** An order with a known end; `paid` is undefined where the venue did not fill it. */
export type LiveOrder = {
  readonly order: OrderIntent;
  readonly sentAt: Millis;
  readonly answeredAt: Millis;
  readonly paid: number | undefined;
};

/** The orders of a journal, entry by entry. */
export class LiveOrders {
  readonly found: LiveOrder[] = [];
  readonly #open = new Map<string, { readonly order: OrderIntent; readonly sentAt?: Millis }>();

  take({ record }: Entry): void {
    if (record.kind === "intent" && record.request.kind === "order")
      this.#open.set(record.id, { order: record.request.order });
    const known = "id" in record ? this.#open.get(record.id) : undefined;
    if (known === undefined) return;
    if (record.kind === "sending") this.#open.set(record.id, { ...known, sentAt: record.at });
    if (known.sentAt === undefined) return;
    const { order, sentAt } = known as { readonly order: OrderIntent; readonly sentAt: Millis };
    const end = (receipt: ReceiptRecord | undefined): void => {
      this.#open.delete(order.clientOrderId);
      const paid = receipt?.kind === "order" ? paidIn(receipt.fill) : undefined;
      this.found.push({ order, sentAt, answeredAt: record.at, paid });
    };
    if (record.kind === "outcome" && record.outcome.kind === "accepted") end(record.outcome.receipt);
    else if (record.kind === "outcome" && record.outcome.kind === "rejected") end(undefined);
    else if (record.kind === "resolution" && record.verdict.kind === "landed") end(record.verdict.receipt);
    else if (record.kind === "resolution" && record.verdict.kind === "released") end(undefined);
  }
}

export const CAUSES = ["latency", "size", "refused", "price"] as const;
export type Cause = (typeof CAUSES)[number];

/** Figures in basis points are per order, of the edge over the middle when it was sent; not filled is zero. */
export type PairParity = {
  readonly symbol: PairSymbol;
  readonly orders: number;
  /** No quote was recorded then. */
  readonly unseen: number;
  readonly live: Side;
  readonly shadow: Side;
  /** What live paid worse than shadow, where both filled, in basis points. */
  readonly priceBps: number;
  readonly differenceBps: number;
  readonly causes: Readonly<Record<Cause, number>>;
};

type Side = { readonly filled: number; readonly edgeBps: number };

/** Without a quote within this time an order is not compared. */
const NEXT_MS_MAX = 60_000;

function firstFrom(time: number, at: (time: number) => Quote | undefined): Quote | undefined {
  for (let ms = 0; ms <= NEXT_MS_MAX; ms += 250) {
    const quote = at(time + ms);
    if (quote !== undefined && quote.receivedAt >= time) return quote;
  }
  return undefined;
}

/**
 * A quote of a moment between two that were recorded: a random walk from one to the other, drawn. The one before is the
 * one that the order was made for: orders that met it again, or the straight line to the one after, would be filled too
 * often.
 */
function between(
  before: Quote,
  after: Quote,
  time: number,
  walk: { readonly perMs: number; readonly drawn: number },
): Quote {
  const length = after.receivedAt - before.receivedAt;
  const into = time - before.receivedAt;
  const part = length === 0 ? 0 : into / length;
  const away = 1 + walk.drawn * Math.sqrt(walk.perMs * into * (1 - part));
  const mixed = (one: number, other: number): number => (one + (other - one) * part) * away;
  return { ...before, bid: mixed(before.bid, after.bid), ask: mixed(before.ask, after.ask) };
}

/** The variance of the middle, per millisecond, over the quotes around the orders. */
function varianceOf(met: readonly Met[]): number {
  const of = ({ bid, ask }: Quote): number => (bid + ask) / 2;
  const far = met.filter(({ before, after }) => after.receivedAt > before.receivedAt);
  return meanOf(far, ({ before, after }) => (of(after) / of(before) - 1) ** 2 / (after.receivedAt - before.receivedAt));
}

function meanOf<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);
}

function quoteIn(symbol: PairSymbol, { columns, row }: Place): Quote {
  const of = (column: Float64Array): number => column[row] as number;
  const size = (column: Float64Array): number | undefined => (Number.isNaN(of(column)) ? undefined : of(column));
  const sizes = { bidSize: size(columns.bidSize), askSize: size(columns.askSize) };
  const when = of(columns.time) as Millis;
  return { symbol, bid: of(columns.bid), ask: of(columns.ask), ...sizes, source: "venue", at: when, receivedAt: when };
}

/** An order with the quotes at its sending, and before and after its arrival. */
type Met = LiveOrder & {
  readonly arrival: Millis;
  readonly sent: Quote;
  readonly before: Quote;
  readonly after: Quote;
};

/** The orders of one pair, in the order of their sending; the book is fresh. */
export function shadowParity(orders: readonly LiveOrder[], track: Track, book: LocalBook): PairParity {
  const { symbol } = track;
  const at = (time: number): Quote | undefined => {
    const place = track.find(time);
    return place && quoteIn(symbol, place);
  };
  const met = orders.flatMap((one): readonly Met[] => {
    const arrival = (one.sentAt + (one.answeredAt - one.sentAt) / 2) as Millis;
    const [sent, before, after] = [at(one.sentAt), at(arrival), firstFrom(arrival, at)];
    return sent && before && after ? [{ ...one, arrival, sent, before, after }] : [];
  });
  const [random, perMs] = [createRandom(1), varianceOf(met)];
  const rows = met.map((one) => {
    const arrived = between(one.before, one.after, one.arrival, { perMs, drawn: random.normal() });
    book.show([arrived], one.arrival);
    const verdict = book.order(one.order, one.arrival);
    return rowOf(one, arrived, verdict.kind === "accepted" ? paidIn(verdict.value) : undefined);
  });
  const both = rows.filter(({ isLive, isShadow }) => isLive && isShadow);
  const shareOf = (side: "isLive" | "isShadow"): number => meanOf(rows, (row) => Number(row[side]));
  const apart = ({ live, shadow }: Row): number => live - shadow;
  const partOf = (cause: Cause): number => meanOf(rows, (row) => (row.cause === cause ? apart(row) : 0));
  return {
    ...{ symbol, orders: rows.length, unseen: orders.length - rows.length },
    live: { filled: shareOf("isLive"), edgeBps: meanOf(rows, ({ live }) => live) },
    shadow: { filled: shareOf("isShadow"), edgeBps: meanOf(rows, ({ shadow }) => shadow) },
    priceBps: -meanOf(both, apart),
    differenceBps: meanOf(rows, apart),
    causes: Object.fromEntries(CAUSES.map((cause) => [cause, partOf(cause)])) as Record<Cause, number>,
  };
}

type Row = ReturnType<typeof rowOf>;

function rowOf({ order, paid, sent }: Met, arrived: Quote, shadow: number | undefined) {
  const { side, quantity, limit } = order;
  const sign = side === "buy" ? 1 : -1;
  const middle = (sent.bid + sent.ask) / 2;
  const edge = (price: number | undefined): number =>
    price === undefined ? 0 : (sign * (middle - price) * 1e4) / middle;
  const priceOf = (quote: Quote): number => (side === "buy" ? quote.ask : quote.bid);
  const reaches = (quote: Quote): boolean => sign * (limit.toNumber() - priceOf(quote)) >= 0;
  const size = side === "buy" ? arrived.askSize : arrived.bidSize;
  const cause = (): Cause => {
    if (paid !== undefined && shadow !== undefined) return priceOf(sent) === priceOf(arrived) ? "price" : "latency";
    if (paid === undefined) return reaches(sent) && reaches(arrived) ? "refused" : "latency";
    return size !== undefined && quantity.toNumber() > size ? "size" : "latency";
  };
  const isFilled = { isLive: paid !== undefined, isShadow: shadow !== undefined };
  return { live: edge(paid), shadow: edge(shadow), ...isFilled, cause: cause() };
}

/** Units of the quote asset for one of the base. */
export function paidIn({ side, bought, sold }: Fill): number {
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  return quote.toNumber() / base.toNumber();
}

/** A pair with a grid fine enough for any recorded price. */
export function replayedPair(symbol: PairSymbol): Instrument {
  const grid = { quantityDecimals: 8, priceDecimals: 10, quantityMin: Quantity.of("0.00000001") };
  return { symbol, ...assetsOf(symbol), status: "online", ...grid };
}
