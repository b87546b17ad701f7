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
function varianceOf(moves: readonly (readonly [before: Quote, after: Quote])[]): number {
  const of = ({ bid, ask }: Quote): number => (bid + ask) / 2;
  const far = moves.filter(([before, after]) => after.receivedAt > before.receivedAt);
  const squares = far.map(
    ([before, after]) => (of(after) / of(before) - 1) ** 2 / (after.receivedAt - before.receivedAt),
  );
  return squares.reduce((sum, square) => sum + square, 0) / Math.max(1, squares.length);
}

function quoteIn(symbol: PairSymbol, { columns, row }: Place): Quote {
  const of = (column: Float64Array): number => column[row] as number;
  const size = (column: Float64Array): number | undefined => (Number.isNaN(of(column)) ? undefined : of(column));
  const sizes = { bidSize: size(columns.bidSize), askSize: size(columns.askSize) };
  const when = of(columns.time) as Millis;
  return { symbol, bid: of(columns.bid), ask: of(columns.ask), ...sizes, source: "venue", at: when, receivedAt: when };
}

export function shadowParity(orders: readonly LiveOrder[], tracks: readonly Track[], book: LocalBook): PairParity[] {
  const bySymbol = new Map(tracks.map((track) => [track.symbol, track]));
  const at = (symbol: PairSymbol, time: number): Quote | undefined => {
    const place = bySymbol.get(symbol)?.find(time);
    return place && quoteIn(symbol, place);
  };
  const pairs = new Map<PairSymbol, Sum>();
  const found = orders.map((one) => {
    const { symbol } = one.order;
    const arrival = (one.sentAt + (one.answeredAt - one.sentAt) / 2) as Millis;
    const [sent, before] = [at(symbol, one.sentAt), at(symbol, arrival)];
    return { one, arrival, sent, before, after: firstFrom(arrival, (time) => at(symbol, time)) };
  });
  const random = createRandom(1);
  const variances = new Map(
    tracks.map(({ symbol }) => [
      symbol,
      varianceOf(
        found.flatMap(({ one, before, after }) =>
          one.order.symbol === symbol && before && after ? [[before, after] as const] : [],
        ),
      ),
    ]),
  );
  for (const { one, arrival, sent, before, after } of found.toSorted((a, b) => a.arrival - b.arrival)) {
    const { symbol, side, quantity, limit } = one.order;
    const sum = pairs.get(symbol) ?? new Sum();
    pairs.set(symbol, sum);
    if (sent === undefined || before === undefined || after === undefined) {
      sum.unseen += 1;
      continue;
    }
    const walk = { perMs: variances.get(symbol) ?? 0, drawn: random.normal() };
    const arrived = between(before, after, arrival, walk);
    book.show([arrived], arrival);
    const verdict = book.order(one.order, arrival);
    const shadow = verdict.kind === "accepted" ? paidIn(verdict.value) : undefined;
    const middle = (sent.bid + sent.ask) / 2;
    const sign = side === "buy" ? 1 : -1;
    const edge = (paid: number | undefined): number =>
      paid === undefined ? 0 : (sign * (middle - paid) * 1e4) / middle;
    const priceOf = (quote: Quote): number => (side === "buy" ? quote.ask : quote.bid);
    const reaches = (quote: Quote): boolean => sign * (limit.toNumber() - priceOf(quote)) >= 0;
    const size = side === "buy" ? arrived.askSize : arrived.bidSize;
    const cause = (): Cause => {
      if (one.paid !== undefined && shadow !== undefined)
        return priceOf(sent) === priceOf(arrived) ? "price" : "latency";
      if (one.paid === undefined) return reaches(sent) && reaches(arrived) ? "refused" : "latency";
      return size !== undefined && quantity.toNumber() > size ? "size" : "latency";
    };
    sum.add(edge(one.paid), edge(shadow), { live: one.paid !== undefined, shadow: shadow !== undefined }, cause);
  }
  return [...pairs].map(([symbol, sum]) => sum.of(symbol));
}

/** Units of the quote asset for one of the base. */
function paidIn({ side, bought, sold }: Fill): number {
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  return quote.toNumber() / base.toNumber();
}

/** A pair with a grid fine enough for any recorded price. */
export function replayedPair(symbol: PairSymbol): Instrument {
  const grid = { quantityDecimals: 8, priceDecimals: 10, quantityMin: Quantity.of("0.00000001") };
  return { symbol, ...assetsOf(symbol), status: "online", ...grid };
}

class Sum {
  unseen = 0;
  #orders = 0;
  readonly #filled = { live: 0, shadow: 0 };
  readonly #edge = { live: 0, shadow: 0 };
  readonly #both = { count: 0, bps: 0 };
  readonly #causes: Record<Cause, number> = { latency: 0, size: 0, refused: 0, price: 0 };

  add(live: number, shadow: number, filled: { live: boolean; shadow: boolean }, cause: () => Cause): void {
    this.#orders += 1;
    this.#edge.live += live;
    this.#edge.shadow += shadow;
    if (filled.live) this.#filled.live += 1;
    if (filled.shadow) this.#filled.shadow += 1;
    if (filled.live && filled.shadow) {
      this.#both.count += 1;
      this.#both.bps += shadow - live;
    }
    if (live !== shadow) this.#causes[cause()] += live - shadow;
  }

  of(symbol: PairSymbol): PairParity {
    const orders = this.#orders;
    const each = (total: number, count = orders): number => (count === 0 ? 0 : total / count);
    return {
      symbol,
      orders,
      unseen: this.unseen,
      live: { filled: each(this.#filled.live), edgeBps: each(this.#edge.live) },
      shadow: { filled: each(this.#filled.shadow), edgeBps: each(this.#edge.shadow) },
      priceBps: each(this.#both.bps, this.#both.count),
      differenceBps: each(this.#edge.live - this.#edge.shadow),
      causes: Object.fromEntries(CAUSES.map((cause) => [cause, each(this.#causes[cause])])) as Record<Cause, number>,
    };
  }
}
