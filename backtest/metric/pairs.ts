// What each pair brought by itself, so that a run on recorded prices does not hide behind what was earned on synthetic ones.
// Formula: for each pair fills, and orders that were not filled; sum of |quote leg| * rate; sum of +-(fair - price) * size * rate, and that / worth of these fills in bp; sum of realised * rate

import type { PairSymbol } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { RunRecord } from "../record/run-record.ts";
import { fillEdges } from "./basis/fill-edges.ts";
import { fillMoney } from "./basis/fill-money.ts";

export type PairFigures = {
  readonly symbol: PairSymbol;
  /** Where the venue's prices of it came from; undefined where nobody says. */
  readonly prices: "recorded" | "synthetic" | undefined;
  readonly fills: number;
  readonly buys: number;
  readonly sells: number;
  /** Orders that ended without a fill. */
  readonly unfilled: number;
  /** In the currency, as far as rates and fair values were known at the decisions. */
  readonly turnover: number;
  readonly captured: number;
  /** Of the worth of the fills that have a fair value; undefined without one. */
  readonly capturedBps: number | undefined;
  /** At average cost and after fees; undefined where a closing fill has no rate. */
  readonly realised: Money | undefined;
};

/** Of the pairs that were ordered, in the order in which they first were filled. */
export function pairFigures({ fills, unfilled, settings }: RunRecord): readonly PairFigures[] {
  const { currency, recordedPairs } = settings;
  const symbols = [...new Set([...fills.symbol, ...unfilled.symbol])];
  const sums = new Map(symbols.map((symbol) => [symbol, new Sums(currency)]));
  const edges = fillEdges(fills);
  for (const [row, { rate, realised }] of fillMoney(fills).entries()) {
    const own = sums.get(fills.symbol[row] as PairSymbol) as Sums;
    own.fills++;
    if (fills.side[row] === 0) own.buys++;
    own.add(edges.worth[row] as number, edges.captured[row] as number);
    if (realised === undefined) continue;
    const worth = realised.asset === currency ? realised : rate && realised.valued(rate, currency, "down");
    own.realised = worth && own.realised?.plus(worth);
  }
  for (const symbol of unfilled.symbol) (sums.get(symbol) as Sums).unfilled++;
  return symbols.map((symbol) => {
    const { fills: count, buys, unfilled: missed, turnover, captured, judged, realised } = sums.get(symbol) as Sums;
    return {
      symbol,
      prices: recordedPairs === undefined ? undefined : recordedPairs.includes(symbol) ? "recorded" : "synthetic",
      fills: count,
      buys,
      sells: count - buys,
      unfilled: missed,
      turnover,
      captured,
      capturedBps: judged > 0 ? (captured / judged) * 10_000 : undefined,
      realised,
    };
  });
}

class Sums {
  fills = 0;
  buys = 0;
  unfilled = 0;
  turnover = 0;
  captured = 0;
  /** Worth of the fills with a fair value. */
  judged = 0;
  realised: Money | undefined;

  constructor(currency: RunRecord["settings"]["currency"]) {
    this.realised = Money.zero(currency);
  }

  add(worth: number, captured: number): void {
    if (Number.isNaN(worth)) return;
    this.turnover += worth;
    if (Number.isNaN(captured)) return;
    this.captured += captured;
    this.judged += worth;
  }
}
