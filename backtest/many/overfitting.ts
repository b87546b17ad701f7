// What a search found, held against luck: the four checks put together from plain results, for whoever shows them.

import { createRandom } from "../../src/domain/random.ts";
import { closedTrades } from "../metric/basis/closed-trades.ts";
import type { Figure } from "../metric/basis/figure.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Bootstrap, bootstrap } from "./overfit/bootstrap.ts";
import { type DeflatedSharpe, deflatedSharpe, type TrialReturns } from "./overfit/deflated-sharpe.ts";
import { type Neighbourhood, neighbourhood } from "./overfit/neighbourhood.ts";
import { type TradeOrder, tradeOrder } from "./overfit/trade-order.ts";
import type { Choice } from "./sweep/axis.ts";
import { achieved, isMoreBetter, type Objective } from "./sweep/objective.ts";
import type { Point } from "./sweep/space.ts";
import type { TrialResult } from "./trial-result.ts";

/** Of the choice: is the best better than luck, and does it stand alone? */
export type ChoiceChecks = {
  readonly deflated: Figure<DeflatedSharpe>;
  readonly neighbourhood: Figure<Neighbourhood>;
};

/** Of the run that judges it: how much of it is chance? */
export type RunChecks = {
  readonly bootstrap: Figure<Bootstrap>;
  readonly tradeOrder: Figure<TradeOrder>;
};

export type Overfitting = ChoiceChecks & RunChecks;

type Searched = {
  /** All that were tried, in the order of their results. */
  readonly points: readonly Point[];
  readonly choices: readonly Choice[];
  readonly objective: Objective;
  /** The places of those that were tried over as much time as the choice; all, unless told. Figures of the others are not compared. */
  readonly compared?: ReadonlySet<number>;
};

/** `best` is the place of the one that was chosen. */
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

/** `closed`: what each closed trade brought, in the currency. */
export function runChecks(returns: TrialReturns, closed: readonly number[], seed: number): RunChecks {
  const random = createRandom(seed).fork("overfitting");
  return {
    bootstrap: bootstrap(returns, random.fork("bootstrap")),
    tradeOrder: tradeOrder(closed, random.fork("trade order")),
  };
}

/**
 * Over holding: with money in several currencies most of a month's return is rates that moved anyway, and no search can have
 * found those. A trial that did not start has no returns.
 */
export function overHolding(result: TrialResult): TrialReturns {
  if (result.kind !== "ran") return { returns: new Float64Array(0), perYear: 1 };
  const { equity, holding, perYear } = result.returns;
  return { returns: Float64Array.from(equity, (one, i) => one - (holding[i] as number)), perYear };
}

/** None where some result has no rate. */
export function closedResults({ fills, settings }: RunRecord): readonly number[] {
  const closed = closedTrades(fills, settings.currency);
  return closed.kind === "known" ? closed.value.results.map((one) => one.toNumber()) : [];
}
