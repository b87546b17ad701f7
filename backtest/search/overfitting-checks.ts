// Assembles the overfitting checks of a search from its results, and renders them as rows: the figure, and its meaning
// in one sentence.

import { createRandom } from "../../src/domain/random.ts";
import type { Figure } from "../metric/figure.ts";
import { closedTrades } from "../metric/fills.ts";
import type { RunRecord } from "../record/run-record.ts";
import { money, number, percent } from "../report/format.ts";
import {
  type Bootstrap,
  bootstrap,
  type DeflatedSharpe,
  deflatedSharpe,
  type Neighbourhood,
  neighbourhood,
  type TradeOrder,
  type TrialReturns,
  tradeOrder,
} from "./overfitting.ts";
import type { Choice, Point } from "./parameter-space.ts";
import { achieved, isMoreBetter, type Objective } from "./search-terms.ts";
import type { TrialResult } from "./trial-result.ts";

/** Checks of the choice: is the best set better than luck, and is it isolated? */
export type ChoiceChecks = {
  readonly deflated: Figure<DeflatedSharpe>;
  readonly neighbourhood: Figure<Neighbourhood>;
};

/** Checks of the out-of-sample run: how much of it is chance? */
export type RunChecks = {
  readonly bootstrap: Figure<Bootstrap>;
  readonly tradeOrder: Figure<TradeOrder>;
};

export type Overfitting = ChoiceChecks & RunChecks;

type Searched = {
  /** All sets tried, in the order of their results. */
  readonly points: readonly Point[];
  readonly choices: readonly Choice[];
  readonly objective: Objective;
  /**
   * Indices of the sets that were tried over as much time as the choice; all by default. Figures of the others are not
   * compared.
   */
  readonly compared?: ReadonlySet<number>;
};

/** `best` is the index of the chosen set. */
export function choiceChecks(
  results: readonly TrialResult[],
  { points, choices, objective, compared }: Searched,
  best: number,
): ChoiceChecks {
  const sign = isMoreBetter(objective) ? 1 : -1;
  const tried = results.map((result, i) => {
    const value = compared?.has(i) === false ? null : achieved(objective, result);
    return { values: points[i] as Point, achieved: value === null ? null : sign * value };
  });
  return {
    deflated: deflatedSharpe(results.map(overHolding), best),
    neighbourhood: neighbourhood(tried, best, choices),
  };
}

/** `closed`: the result of each closed trade, in the currency. */
export function runChecks(returns: TrialReturns, closed: readonly number[], seed: number): RunChecks {
  const random = createRandom(seed).fork("overfitting");
  return {
    bootstrap: bootstrap(returns, random.fork("bootstrap")),
    tradeOrder: tradeOrder(closed, random.fork("trade order")),
  };
}

/**
 * Returns over holding: with money in several currencies most of a month's return comes from rate moves, which no
 * search can have found. A trial that did not start has no returns.
 */
export function overHolding(result: TrialResult): TrialReturns {
  if (result.kind !== "ran") return { returns: new Float64Array(0), perYear: 1 };
  const { equity, holding, perYear } = result.returns;
  return { returns: Float64Array.from(equity, (one, i) => one - (holding[i] as number)), perYear };
}

/** Empty where a result has no rate. */
export function closedResults({ fills, settings }: RunRecord): readonly number[] {
  const closed = closedTrades(fills, settings.currency);
  return closed.kind === "known" ? closed.value.results.map((one) => one.toNumber()) : [];
}

export type CheckRow = {
  readonly label: string;
  readonly text: string;
  readonly note: string | undefined;
  readonly meaning: string;
  readonly tone: "gain" | "loss" | undefined;
};

/** A probability from here on is called significant. */
export const SIGNIFICANT = 0.95;
/** Below this fraction the best set is an isolated spike. */
const KEPT_MIN = 0.5;

const MEANINGS = {
  deflated:
    "The chance that the best set is better than what the best of so many sets without any edge shows by luck, by Sharpe over holding.",
  neighbourhood:
    "How much of the best set's result is left one step away in any parameter: little means a lucky spike.",
  bootstrap:
    "Where Sharpe over holding lies when the run's own returns are drawn anew in blocks, 19 times of 20 above the low end.",
  tradeOrder:
    "How deep the account falls with the same trades in another order: a run with a milder fall than most was lucky in its order.",
} as const;

export function overfitRows(checks: Overfitting, currency: string): readonly CheckRow[] {
  return [
    row("deflated Sharpe", MEANINGS.deflated, checks.deflated, deflatedText),
    row("neighbourhood", MEANINGS.neighbourhood, checks.neighbourhood, neighbourhoodText),
    row("bootstrap", MEANINGS.bootstrap, checks.bootstrap, bootstrapText),
    row("order of trades", MEANINGS.tradeOrder, checks.tradeOrder, (order) => orderText(order, currency)),
  ];
}

type Said = Pick<CheckRow, "text" | "note" | "tone">;

function row<T>(label: string, meaning: string, figure: Figure<T>, say: (value: T) => Said): CheckRow {
  if (figure.kind !== "known") return { label, meaning, text: "n/a", note: figure.reason, tone: undefined };
  return { label, meaning, ...say(figure.value) };
}

function deflatedText({ chance, alone, bounded, sharpe, luck, trials, independent }: DeflatedSharpe): Said {
  const isSure = chance >= SIGNIFICANT;
  const alike = independent === undefined ? "" : `, which amount to ${number(independent, 0)} independent ones`;
  return {
    text: `${isSure ? "significant" : "not significant"}, ${percent(chance, 1)}`,
    note: `Sharpe over holding ${number(sharpe, 2)} a year, luck shows ${number(luck, 2)} over ${number(trials, 0)} sets${alike}; alone it would be ${percent(alone, 1)}, were sets apart by luck only ${percent(bounded, 1)}`,
    tone: isSure ? "gain" : "loss",
  };
}

function neighbourhoodText({ kept, worst, neighbours, isAtEnd }: Neighbourhood): Said {
  const end = isAtEnd ? "; the best lies at the end of a range: widen it, more may lie beyond" : "";
  return {
    text: `${percent(kept, 0)} kept`,
    note: `mean of ${number(neighbours, 0)} neighbours, ${percent(worst, 0)} at the worst${end}`,
    tone: kept < KEPT_MIN ? "loss" : undefined,
  };
}

function bootstrapText({ sharpe, growth, lossShare, draws }: Bootstrap): Said {
  return {
    text: `${number(sharpe.low, 2)} to ${number(sharpe.high, 2)}`,
    note: `of Sharpe over holding; return over holding ${percent(growth.low, 3)} to ${percent(growth.high, 3)}; ${percent(lossShare, 1)} of ${number(draws, 0)} draws lost`,
    tone: sharpe.low > 0 ? "gain" : sharpe.high < 0 ? "loss" : undefined,
  };
}

function orderText({ own, low, middle, high, deeperShare, trades, draws }: TradeOrder, currency: string): Said {
  return {
    text: `${money(middle, currency)}, ${money(high, currency)} in 1 of 20`,
    note: `own fall ${money(own, currency)}, ${percent(deeperShare, 0)} of ${number(draws, 0)} orders of ${number(trades, 0)} closed trades fall as deep; the mildest 1 of 20 below ${money(low, currency)}`,
    tone: undefined,
  };
}
