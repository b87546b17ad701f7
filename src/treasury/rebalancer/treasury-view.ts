// The inputs of a plan from the engine's current state: holdings less reserved money, money in transit, the
// venue's last prices, and the routes with the configured terms. Read-only; the running bot, commands and backtests all
// use it.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { MintIntent } from "../../domain/mint.ts";
import { Money, type Quantity } from "../../domain/money/money.ts";
import { isFromOutside } from "../../domain/movement.ts";
import type { RailIntent } from "../../domain/rail.ts";
import type { Millis } from "../../domain/time.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import type { Expectation } from "../../execution/payments.ts";
import { type MoneyRequest, reservationOf } from "../../execution/request.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { isWayOut } from "../../risk/rules/price.ts";
import type { ContentStep } from "../approval/plan-content.ts";
import type { Schedule } from "../conversion/schedule.ts";
import {
  type Arrival,
  assetOf,
  BANK,
  type Band,
  type HoldingChange,
  type HoldingName,
  type HoldingState,
  holdingOf,
  holdingsAfter,
  isAtVenue,
  type Move,
} from "../plan/holding.ts";
import type { OrderTerms, Top } from "../plan/order-routes.ts";
import type { MovingCosts } from "../plan/route.ts";
import type { Situation } from "../plan/routes.ts";
import type { MintTerms, RailTerms } from "../plan/transfer-routes.ts";
import type { UnusedFunds } from "../plan/unused-funds.ts";

/** The rebalancer's view of the engine. */
export interface TradingView {
  readonly books: RiskContext & {
    readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
    /** The venue's last good quote. */
    topOf(symbol: PairSymbol): (Top & { readonly ageMs: number }) | undefined;
  };
  readonly strategy: { readonly wakes: { readonly size: number } };
}

export type Target = {
  readonly holding: HoldingName;
  readonly low?: Quantity | undefined;
  readonly target?: Quantity | undefined;
  readonly high?: Quantity | undefined;
  /** No step for it loses more. */
  readonly costBpsMax?: number | undefined;
};

/** The highest fee that any mint may have. */
export function mintFeeBpsMaxOf({ mints }: Pick<TreasuryTerms, "mints">): number {
  return Math.max(0, ...mints.map(({ feeBpsMax }) => feeBpsMax));
}

/** The configuration of plans. */
export type TreasuryTerms = {
  readonly targets: readonly Target[];
  readonly schedules?: readonly Schedule[] | undefined;
  readonly returnTo: "edge" | "target";
  readonly elsewhere: ReadonlyMap<HoldingName, Quantity>;
  readonly costs: Omit<MovingCosts, "stepCost"> & { readonly stepCost: Quantity };
  readonly orders: OrderTerms;
  /** Pairs that may be traded. */
  readonly symbols: ReadonlySet<string>;
  readonly mints: readonly Omit<MintTerms, "isUnderWay">[];
  readonly rails: readonly RailTerms[];
  readonly unused: readonly UnusedFunds[];
  /** The share of holdings or deposits that is never planned with, because the gate would refuse it. */
  readonly reserveBps: number;
  /** The largest order for a coin off its peg; undefined: none is sold. */
  readonly exitValueMax?: Quantity | undefined;
  /** The maximum order fee that the gate reserves; for a mint it reserves that mint's maximum fee. */
  readonly feeBpsMax: number;
};

type SeenCore = Pick<TradingView, "books"> & { readonly executor: ExecutorView };
type TopOf = (symbol: PairSymbol) => Top | undefined;

export function situationOf(
  core: SeenCore,
  terms: TreasuryTerms,
  topOf: TopOf,
  now: Millis,
  isOffPeg = false,
): Situation {
  const situation = plainSituation(core, terms, topOf, now);
  return isOffPeg ? withWayOut(situation, core, terms) : situation;
}

function plainSituation(core: SeenCore, terms: TreasuryTerms, topOf: TopOf, now: Millis): Situation {
  const { books, executor } = core;
  const { pricing } = books;
  const { currency } = pricing;
  const mints = [...executor.open()].filter(isMint);
  const holdings = holdingsOf(core, terms, mints);
  return {
    now,
    currency,
    rates: (asset) => pricing.rate(asset),
    volumes: books.accounts.volumes,
    unused: terms.unused,
    holdings,
    bands: terms.targets.map((target) => bandOf(target, terms.returnTo, holdings)),
    instruments: [...books.instruments.values()].filter(({ symbol }) => terms.symbols.has(symbol)),
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

/** Adds sales of off-peg coins, valued at their marks; no route buys more of such a coin. */
function withWayOut(
  situation: Situation,
  { books: { pricing } }: SeenCore,
  { exitValueMax }: TreasuryTerms,
): Situation {
  if (exitValueMax === undefined) return situation;
  const leaving = situation.instruments.filter((instrument) =>
    isWayOut({ side: "sell", instrument, fair: pricing.fair(instrument.symbol) }),
  );
  const isLeaving = (asset: Asset): boolean => leaving.some(({ base }) => base === asset);
  const { valueMax = exitValueMax } = situation.orders;
  return {
    ...situation,
    rates: (asset) => situation.rates(asset) ?? (isLeaving(asset) ? pricing.mark(asset)?.price : undefined),
    hasFair: (symbol, side) =>
      situation.hasFair(symbol, side) || (side === "sell" && leaving.some((one) => one.symbol === symbol)),
    orders: leaving.length === 0 ? situation.orders : { ...situation.orders, valueMax: valueMax.min(exitValueMax) },
    mints: situation.mints.filter(({ asset }) => !isLeaving(asset)),
    rails: situation.rails.filter(({ kind, asset }) => kind === "off-ramp" || !isLeaving(asset)),
  };
}

function isMint(submission: MoneyRequest): submission is MoneyRequest<"mint"> {
  return submission.kind === "mint";
}

function holdingsOf(
  core: SeenCore,
  terms: TreasuryTerms,
  mints: readonly MoneyRequest<"mint">[],
): readonly HoldingState[] {
  const { accounts } = core.books;
  const awaited = [...core.executor.treasury.payments.expectations()];
  const coming = paymentsTo(core, awaited);
  const here = accounts.assets.map((asset): HoldingState => {
    const held = accounts.held(asset) ?? Money.zero(asset);
    const reserve = held.size().max(accounts.placed(asset)).share(terms.reserveBps, "up");
    const spendable = (accounts.spendable(asset) ?? Money.zero(asset)).minus(reserve);
    const available = spendable.minus(spendable.max(Money.zero(asset)).share(feeBpsMaxOf(asset, terms), "up"));
    const free = available.max(Money.zero(asset));
    // An amount to be paid on a rail is still here, but counts as gone.
    const leaving = Money.sum(
      ofAsset(awaited, asset, ({ leaves }) => leaves),
      asset,
    );
    const settled = accounts.settled(asset) ?? Money.zero(asset);
    const bound = settled.minus(leaving).minus(free).max(Money.zero(asset));
    return {
      holding: holdingOf(asset),
      available: free,
      bound,
      inFlight: [...arrivalsOf(mints, asset), ...coming(holdingOf(asset))],
    };
  });
  const outside = Array.from(terms.elsewhere, ([holding, quantity]): HoldingState => {
    const asset = assetOf(holding);
    const zero = Money.zero(asset);
    const owed = holding === holdingOf(asset, BANK) ? Money.sum(ofAsset(awaited, asset, dueFromBank), asset) : zero;
    return { holding, available: quantity.of(asset).minus(owed).max(zero), bound: zero, inFlight: coming(holding) };
  });
  return [...here, ...outside.filter(({ holding }) => !isAtVenue(holding))];
}

/**
 * The fee share that the gates reserve for payments in this asset: the highest one, because any route may be planned
 * with all of it.
 */
function feeBpsMaxOf(asset: Asset, { feeBpsMax, mints }: TreasuryTerms): number {
  return Math.max(feeBpsMax, ...mints.filter(({ fiat }) => fiat === asset).map((mint) => mint.feeBpsMax));
}

/** The amounts of expectations or flights in this asset. */
function ofAsset<T>(all: readonly T[], asset: Asset, amountOf: (one: T) => Money): readonly Money[] {
  return all.map(amountOf).filter((amount) => amount.asset === asset);
}

/** An incoming payment is made by a bank, and nothing leaves the account. */
function dueFromBank({ pays, leaves }: Expectation): Money {
  return leaves.isZero() ? pays : Money.zero(pays.asset);
}

/** Payments on rails, made or expected, by the holding that they lead to. */
function paymentsTo(
  { books, executor }: SeenCore,
  awaited: readonly Expectation[],
): (holding: HoldingName) => readonly Arrival[] {
  const arrivals = new Map<HoldingName, Arrival[]>();
  const add = (holding: HoldingName, amount: Money, what: string): void => {
    arrivals.set(holding, [...(arrivals.get(holding) ?? []), { amount, what }]);
  };
  for (const { id, rail, comes, leaves } of awaited) {
    const request = executor.get(rail)?.request as RailIntent | undefined;
    const place = !leaves.isZero() ? BANK : request?.toAccount ? undefined : request?.blockchain;
    add(holdingOf(comes.asset, place), comes, `${id}, to be paid`);
  }
  for (const flight of books.accounts.flights())
    if (flight.door === "payment")
      add(holdingOf(flight.comes.asset, isFromOutside(flight) ? undefined : BANK), flight.comes, flight.id);
  return (holding) => arrivals.get(holding) ?? [];
}

function arrivalsOf(mints: readonly MoneyRequest<"mint">[], asset: Asset): readonly Arrival[] {
  return comingTo(mints, asset).map(({ id, request, state }) => ({
    amount: request.quantity.of(asset),
    what: `mint ${id}, ${state.kind}`,
  }));
}

/** Includes mints of unknown outcome, so that an amount that may still come is not requested twice. */
function comingTo(mints: readonly MoneyRequest<"mint">[], asset: Asset): readonly MoneyRequest<"mint">[] {
  return mints.filter(({ request, state }) => isForAccount(request, asset) && reservationOf(state) !== "freed");
}

function isForAccount(request: MintIntent, asset: Asset): boolean {
  return request.asset === asset && request.destination === undefined;
}

/**
 * The part of the money in transit that the books do not have yet: coins of mints whose outcome is unknown, or whose
 * cost is not stated yet.
 */
export function unbookedOf({ books, executor }: SeenCore, asset: Asset): Money {
  const booked = new Set(Array.from(books.accounts.flights(), ({ id }) => id));
  const unbooked = comingTo([...executor.open()].filter(isMint), asset).filter(({ id }) => !booked.has(id));
  return Money.sum(
    unbooked.map(({ request }) => request.quantity.of(asset)),
    asset,
  );
}

/** A holding inside its band stays inside; one that left it is brought back to the edge or to the target. */
function bandOf(
  { holding, low, target, high, costBpsMax }: Target,
  returnTo: "edge" | "target",
  holdings: readonly HoldingState[],
): Band {
  const asset = assetOf(holding);
  const band: Band =
    low === undefined && high === undefined
      ? { holding, low: target?.of(asset), high: target?.of(asset), costBpsMax }
      : { holding, low: low?.of(asset), high: high?.of(asset), costBpsMax };
  if (returnTo === "edge" || target === undefined) return band;
  const state = holdings.find((one) => one.holding === holding);
  const parts = state === undefined ? [] : [state.available, state.bound, ...state.inFlight.map((one) => one.amount)];
  const total = Money.sum(parts, asset);
  const isOutside = (band.low && total.lessThan(band.low)) || (band.high && total.moreThan(band.high));
  if (!isOutside) return band;
  const left = { low: band.low, high: band.high };
  return { ...band, low: target.of(asset), high: target.of(asset), left };
}

/** The holdings after these steps. */
export function holdingsAfterSteps(
  steps: readonly ContentStep[],
  holdings: Pick<Situation, "holdings" | "bands">,
): readonly HoldingChange[] {
  return holdingsAfter(steps.flatMap(movesOf), holdings);
}

function movesOf({ takes, brings }: ContentStep): readonly Move[] {
  const [taken, brought] = [partsOf(takes), partsOf(brings)];
  return [{ holding: taken.holding, amount: taken.amount.negated() }, brought];
}

/** Parses an amount as written in a plan, such as `49997.8 CHF`. */
function partsOf(text: string): Move {
  const [amount = "", holding = ""] = text.split(" ");
  return { holding: holding as HoldingName, amount: Money.of(amount, assetOf(holding as HoldingName)) };
}
