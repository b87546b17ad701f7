// What a plan is made of, as the desk sees it now: holdings less what is bound, what is on its way, the venue's last prices,
// and the doors with the terms of the configuration. Reads only; running bot, commands and backtests look through it alike.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { MintIntent } from "../domain/mint.ts";
import { Money, type Quantity } from "../domain/money/money.ts";
import type { Millis } from "../domain/time.ts";
import type { Executor } from "../execution/executor.ts";
import { reservationOf } from "../execution/reservation.ts";
import type { Submission } from "../execution/submission.ts";
import type { OrderTerms, Top } from "../treasury/plan/order-doors.ts";
import {
  type Arrival,
  assetOf,
  type Band,
  type Holding,
  isAtVenue,
  type PotName,
  potOf,
} from "../treasury/plan/pot.ts";
import type { MovingCosts } from "../treasury/plan/price-of-moving.ts";
import type { Situation } from "../treasury/plan/situation.ts";
import type { MintTerms, RailTerms } from "../treasury/plan/slow-doors.ts";
import type { Engine } from "./engine.ts";

export type Target = {
  readonly pot: PotName;
  readonly low: Quantity | undefined;
  readonly target: Quantity | undefined;
  readonly high: Quantity | undefined;
};

/** What the configuration says of plans. */
export type TreasuryTerms = {
  readonly targets: readonly Target[];
  readonly returnTo: "edge" | "target";
  readonly elsewhere: ReadonlyMap<PotName, Quantity>;
  readonly costs: Omit<MovingCosts, "stepCost"> & { readonly stepCost: Quantity };
  readonly orders: OrderTerms;
  /** Pairs that may be traded. */
  readonly symbols: ReadonlySet<string>;
  readonly mints: readonly Omit<MintTerms, "isUnderWay">[];
  readonly rails: readonly RailTerms[];
  /** Of what is held or was put in: never planned with, as the gate would not let it go. */
  readonly reserveBps: number;
  /** What the gate keeps for the fee of an order. */
  readonly feeBpsMax: number;
};

type SeenDesk = { readonly engine: Engine; readonly executor: Executor };
type TopOf = (symbol: PairSymbol) => Top | undefined;

export function situationOf(desk: SeenDesk, terms: TreasuryTerms, topOf: TopOf, now: Millis): Situation {
  const { engine, executor } = desk;
  const { pricing } = engine.context;
  const { currency } = pricing;
  const mints = [...executor.open()].filter(isMint);
  const holdings = holdingsOf(desk, terms, mints);
  return {
    now,
    currency,
    rates: (asset) => pricing.rate(asset),
    holdings,
    bands: terms.targets.map((target) => bandOf(target, terms.returnTo, holdings)),
    instruments: [...engine.instruments.values()].filter(({ symbol }) => terms.symbols.has(symbol)),
    topOf,
    hasFair: (symbol) => pricing.fair(symbol).kind === "fair",
    orders: terms.orders,
    mints: terms.mints.map((mint) => ({
      ...mint,
      isUnderWay: mints.some(({ request }) => request.asset === mint.asset),
    })),
    rails: terms.rails,
    costs: { ...terms.costs, stepCost: terms.costs.stepCost.of(currency) },
  };
}

function isMint(submission: Submission): submission is Submission<"mint"> {
  return submission.kind === "mint";
}

function holdingsOf(
  { engine, executor }: SeenDesk,
  terms: TreasuryTerms,
  mints: readonly Submission<"mint">[],
): readonly Holding[] {
  const { accounts } = engine.context;
  const here = accounts.assets.map((asset): Holding => {
    const held = accounts.held(asset) ?? Money.zero(asset);
    const reserve = held.size().max(accounts.placed(asset)).share(terms.reserveBps, "up");
    const spendable = (accounts.spendable(asset) ?? Money.zero(asset)).minus(reserve);
    const available = spendable.minus(spendable.max(Money.zero(asset)).share(terms.feeBpsMax, "up"));
    const onItsWay = Money.sum(executor.inFlight(asset), asset);
    const free = available.max(Money.zero(asset));
    const bound = held.minus(onItsWay).minus(free).max(Money.zero(asset));
    return { pot: potOf(asset), available: free, bound, inFlight: arrivalsOf(mints, asset) };
  });
  const outside = Array.from(terms.elsewhere, ([pot, quantity]): Holding => {
    const zero = Money.zero(assetOf(pot));
    return { pot, available: quantity.of(assetOf(pot)), bound: zero, inFlight: [] };
  });
  return [...here, ...outside.filter(({ pot }) => !isAtVenue(pot))];
}

/** Also of those whose outcome is unknown: what may come is not asked for a second time. */
function arrivalsOf(mints: readonly Submission<"mint">[], asset: Asset): readonly Arrival[] {
  return mints
    .filter(({ request, state }) => isForAccount(request, asset) && reservationOf(state) !== "freed")
    .map(({ id, request, state }) => ({
      amount: request.quantity.of(asset),
      expectedAt: undefined,
      what: `mint ${id}, ${state.kind}`,
    }));
}

function isForAccount(request: MintIntent, asset: Asset): boolean {
  return request.asset === asset && request.destination === undefined;
}

/** A pot that is inside stays inside; one that has left is brought back to the edge or to the target. */
function bandOf({ pot, low, target, high }: Target, returnTo: "edge" | "target", holdings: readonly Holding[]): Band {
  const asset = assetOf(pot);
  const band: Band =
    low === undefined && high === undefined
      ? { pot, low: target?.of(asset), high: target?.of(asset) }
      : { pot, low: low?.of(asset), high: high?.of(asset) };
  if (returnTo === "edge" || target === undefined) return band;
  const holding = holdings.find((one) => one.pot === pot);
  const parts =
    holding === undefined ? [] : [holding.available, holding.bound, ...holding.inFlight.map((one) => one.amount)];
  const total = Money.sum(parts, asset);
  const isOutside = (band.low && total.lessThan(band.low)) || (band.high && total.moreThan(band.high));
  return isOutside ? { pot, low: target.of(asset), high: target.of(asset) } : band;
}
