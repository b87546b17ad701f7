// Trade figures: fills, those that closed a position, turnover, exposure, and each pair separately.

import type { PairSymbol } from "../../src/domain/asset.ts";
import { issuerOf } from "../../src/domain/coin.ts";
import { Money, Price } from "../../src/domain/money/money.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./figure.ts";
import { fillEdges, fillMoney, inCurrency } from "./fills.ts";
import { daysOpen, worthGap } from "./worth.ts";

/**
 * The number of fills.
 * Formula: fills; buys; sells; fills that closed something; fills / days since the books opened
 */
export function trades(record: RunRecord) {
  const { fills } = record;
  const sells = fills.side.reduce((sum, side) => sum + side, 0);
  const days = daysOpen(record);
  return known({
    fills: fills.length,
    buys: fills.length - sells,
    sells,
    closing: fills.realised.filter((result) => result !== undefined).length,
    perDay: days > 0 ? fills.length / days : undefined,
  });
}

/**
 * The traded amount, exactly, in the currency; and how many times a day it turned equity over.
 * Formula: sum of |quote leg| * rate at the decision; that / equity at the end / days since the books opened
 */
export function turnover(record: RunRecord): Figure<{ readonly total: Money; readonly perDay: number | undefined }> {
  const { fills, samples } = record;
  const { currency } = record.settings;
  let total = Money.zero(currency);
  for (const { quote, rate } of fillMoney(fills)) {
    const value = inCurrency(quote, rate, currency);
    if (value === undefined) return notAvailable(`${quote.asset} has no rate in ${currency}`);
    total = total.plus(value);
  }
  const equity = worthGap(record) === undefined ? (samples.equity.at(-1) ?? NaN) : NaN;
  const daily = total.toNumber() / equity / daysOpen(record);
  return known({ total, perDay: Number.isFinite(daily) ? daily : undefined });
}

export type IssuerShare = { readonly issuer: string; readonly mean: number; readonly most: number };

/**
 * The part of equity that rests on each issuer: what its end would put at stake.
 * Formula: for each issuer time-weighted mean, and largest, of sum over its coins of held * mark / equity
 */
export function exposure({ samples, settings }: RunRecord): Figure<readonly IssuerShare[]> {
  const { length, time, equity, assets } = samples;
  if (length < 2) return notAvailable("needs at least 2 samples of equity");
  const issuers = Map.groupBy(assets, ({ asset }) => issuerOf(asset) ?? "");
  issuers.delete("");
  const shares = [...issuers].map(([issuer, own]) => {
    let [weighted, spent, most] = [0, 0, 0];
    for (let row = 0; row < length; row++) {
      const worth = own.reduce(
        (sum, { held, rate }) => sum + (held[row] === 0 ? 0 : (held[row] as number) * (rate[row] as number)),
        0,
      );
      const share = worth / (equity[row] as number);
      if (!Number.isFinite(share)) continue;
      const spanMs = (time[row + 1] ?? settings.to) - (time[row] as number);
      [weighted, spent, most] = [weighted + share * spanMs, spent + spanMs, Math.max(most, share)];
    }
    return { issuer, mean: weighted / spent, most };
  });
  return known(shares.sort((one, other) => other.most - one.most));
}

export type PairFigures = {
  readonly symbol: PairSymbol;
  /** The source of the venue's prices for this pair; undefined where the record does not state it. */
  readonly prices: "recorded" | "synthetic" | undefined;
  readonly fills: number;
  readonly buys: number;
  readonly sells: number;
  /** Orders that ended without a fill. */
  readonly unfilled: number;
  /** In the currency, as far as rates and fair values were known at the decisions. */
  readonly turnover: number;
  readonly captured: number;
  /** In bp of the worth of fills that have a fair value; undefined without any. */
  readonly capturedBps: number | undefined;
  /** At average cost, after fees; undefined where a closing fill has no rate. */
  readonly realised: Money | undefined;
  /** What its fills added to the account, at the marks of the end; undefined where an asset has none. */
  readonly profit: Money | undefined;
};

/**
 * The result of each pair separately, so that results on recorded prices stay separate from those on synthetic ones.
 * Formula: for each pair fills, and orders that were not filled; sum of |quote leg| * rate; sum of +-(fair - price) * size * rate, and that / worth of these fills in bp; sum of realised * rate; sum of (bought - sold - fee), each at its closing mark: over all pairs the profit over holding of a run without mints and rails
 *
 * Of the pairs that were ordered, in the order in which they first were filled.
 */
export function pairFigures({ fills, unfilled, settings, books }: RunRecord): readonly PairFigures[] {
  const { currency, recordedPairs } = settings;
  const symbols = [...new Set([...fills.symbol, ...unfilled.symbol])];
  const sourceOf = (symbol: PairSymbol): PairFigures["prices"] =>
    recordedPairs && (recordedPairs.includes(symbol) ? "recorded" : "synthetic");
  const sums = new Map(symbols.map((symbol) => [symbol, new Sums(symbol, sourceOf(symbol), currency)]));
  const edges = fillEdges(fills);
  const marks = new Map(
    books.closing.map(({ asset, rate }) => [asset, rate === undefined ? undefined : Price.of(rate)]),
  );
  const marked = (money: Money): Money | undefined => inCurrency(money, marks.get(money.asset), currency);
  for (const [row, { side, base, quote, fee, rate, realised }] of fillMoney(fills).entries()) {
    const own = sums.get(fills.symbol[row] as PairSymbol) as Sums;
    own.fills++;
    if (fills.side[row] === 0) own.buys++;
    own.add(edges.worth[row] as number, edges.captured[row] as number);
    const flows = side === "buy" ? [base, quote.negated()] : [quote, base.negated()];
    for (const flow of [...flows, fee.negated()]) {
      const worth = flow.isZero() ? Money.zero(currency) : marked(flow);
      own.profit = worth && own.profit?.plus(worth);
    }
    if (realised === undefined) continue;
    const worth = inCurrency(realised, rate, currency);
    own.realised = worth && own.realised?.plus(worth);
  }
  for (const symbol of unfilled.symbol) (sums.get(symbol) as Sums).unfilled++;
  return [...sums.values()].map(({ judged, ...own }) => ({
    ...own,
    sells: own.fills - own.buys,
    capturedBps: judged > 0 ? (own.captured / judged) * 10_000 : undefined,
  }));
}

class Sums {
  readonly symbol: PairSymbol;
  readonly prices: PairFigures["prices"];
  fills = 0;
  buys = 0;
  unfilled = 0;
  turnover = 0;
  captured = 0;
  /** Worth of the fills with a fair value. */
  judged = 0;
  realised: Money | undefined;
  profit: Money | undefined;

  constructor(symbol: PairSymbol, prices: PairFigures["prices"], currency: RunRecord["settings"]["currency"]) {
    this.symbol = symbol;
    this.prices = prices;
    this.realised = Money.zero(currency);
    this.profit = Money.zero(currency);
  }

  add(worth: number, captured: number): void {
    if (Number.isNaN(worth)) return;
    this.turnover += worth;
    if (Number.isNaN(captured)) return;
    this.captured += captured;
    this.judged += worth;
  }
}
