// Builds the deciding parts in one place for every shell: strategy, limits, prices, books, gate, engine and executor.
// The core is empty until a journal is folded into it, or starts from a saved engine.

import { Accounts } from "../books/accounts/accounts.ts";
import { Books, type SavedBooks } from "../books/books.ts";
import { HiddenPrices } from "../books/hidden-prices.ts";
import { Valuation } from "../books/valuation.ts";
import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import type { CoinCost } from "../domain/event.ts";
import type { Ids } from "../domain/ids.ts";
import type { Quantity } from "../domain/money/money.ts";
import type { FillsAt } from "../domain/order.ts";
import type { RailFee } from "../execution/effects.ts";
import { createExecutor, type Executor } from "../execution/executor.ts";
import type { Settings } from "../execution/parameters.ts";
import { waysFrom } from "../market/cross.ts";
import { type FairSettings, Pricing } from "../market/pricing.ts";
import { Counters } from "../risk/counters.ts";
import { createMintLossRules, createRules } from "../risk/create-rules.ts";
import { type Approved, createGate } from "../risk/gate.ts";
import { type Limits, unlessOff } from "../risk/limits.ts";
import type { Gate } from "../risk/rule.ts";
import { createMovementGate, type MovementGate, type MovementLimits } from "../risk/treasury-gate.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { Rebalancer } from "../treasury/rebalancer/rebalancer.ts";
import type { ReviewSettings } from "./review/review.ts";

/** The deciding parts, new and empty: a fold of the journal fills them. */
export type Core = {
  readonly strategy: Strategy;
  readonly books: Books;
  readonly gate: Gate<Approved>;
  readonly movements: MovementGate;
  readonly executor: Executor;
  /** Keeps holdings within their bands; absent without targets. */
  readonly rebalancer?: Rebalancer | undefined;
  readonly review: ReviewSettings;
};

export type MakeCore = (strategy: Strategy, saved?: SavedBooks) => Core;

export type CoreParts = {
  readonly limits: Limits;
  /** The pairs for which par is a source of fair value, with the band that the venue's quote must stay in. */
  readonly par: FairSettings["par"];
  /** The venue shows no quotes. */
  readonly isBlind?: boolean;
  readonly fillsAt?: FillsAt;
  /** Further rules for judging prices. */
  readonly prices?: PriceRules;
  /** Shared by every core of a process, so that a client order id is never generated twice. */
  readonly ids: Ids;
  /** The instance id of this process. */
  readonly writer: string;
  /** The originator recorded with intents; the bot by default. */
  readonly by?: string;
  readonly settings: Settings;
  /** The cost of coins in the opening, each in its own fiat. */
  readonly openingCosts?: readonly CoinCost[];
  /** Bounds of mints; without them only the available money limits a mint. */
  readonly treasury?: MintBounds;
  /** The configured fees on payments; none by default. */
  readonly railFee?: RailFee;
};

/** The limits that do not follow from the order limits. */
export type MintBounds = Omit<MovementLimits, "reserveBps" | "mintLosses">;

/** No fee of this venue reaches one percent; a request for more is a mistake. */
const NO_BOUNDS: MintBounds = {
  mintMax: new Map(),
  mintPerDayMax: new Map(),
  mintFeeBpsMax: 100,
};

export type PriceRules = Partial<Pick<FairSettings, "bands" | "sourcesMinOf" | "origins" | "weekend" | "weekly">>;

export function createCore(
  strategy: Strategy,
  {
    limits,
    par,
    prices: priceRules = {},
    ids,
    settings,
    treasury = NO_BOUNDS,
    openingCosts = [],
    isBlind = false,
    fillsAt = "price",
    ...who
  }: CoreParts,
  saved?: SavedBooks,
): Core {
  const currency = limits.currency as Asset;
  const feeBpsMax = unlessOff(limits.feeBpsMax) ?? 0;
  const reserveBps = unlessOff(limits.reserveBpsMin) ?? 0;
  const accounts = new Accounts(feeBpsMax, saved?.accounts);
  const counters = new Counters(currency, saved?.counters);
  const hiddenPrices = new HiddenPrices(saved?.hiddenPrices);
  const prices = new Pricing({
    ...fairSettings(limits, par, priceRules),
    isBlind,
    hiddenLow: (symbol, fair, now) => hiddenPrices.of(symbol).low(fair, now),
  });
  const pricing = new Valuation(accounts, prices, currency);
  const executor = createExecutor({
    ...who,
    settings,
    feeBpsMax,
    held: (asset) => accounts.settled(asset),
    // A doubt is often decided while prices are missing; then the day's opening equity is used, shifted by deposits and
    // withdrawals since.
    equity: () => pricing.equity() ?? counters.day.opening,
    orderMax: unlessOff<Quantity>(limits.orderValueMax)?.of(currency),
    isValued: (asset, at) => pricing.isValued(asset, at),
  });
  const keptBack = { reserveBps, feeBps: feeBpsMax };
  const books = new Books({
    ...{ accounts, counters, prices, pricing, hiddenPrices, executor },
    ...{ keptBack, openingCosts, saved },
  });
  const gate = createGate(createRules(limits), currency, ids);
  const movements = createMovementGate(movementLimits(limits, treasury), ids);
  return { strategy, books, gate, movements, executor, review: { lifetimeMsMax: limits.decisionAgeMsMax, fillsAt } };
}

/**
 * Replaces the limits that only rules read; the engine's pricing and reservations keep the ones from the start, which
 * were wider.
 */
export function replaceLimits(
  { gate, movements }: Pick<Core, "gate" | "movements">,
  limits: Limits,
  treasury: MintBounds,
): void {
  gate.replace(createRules(limits));
  movements.replace(movementLimits(limits, treasury));
}

function movementLimits(limits: Limits, treasury: MintBounds): MovementLimits {
  return { ...treasury, reserveBps: unlessOff(limits.reserveBpsMin) ?? 0, mintLosses: createMintLossRules(limits) };
}

function fairSettings(limits: Limits, par: FairSettings["par"], prices: PriceRules): FairSettings {
  const apartBps = unlessOff(limits.referenceSpreadBpsMax);
  return {
    par,
    venueAgeMsMax: limits.referenceAgeMsMax,
    referenceAgeMsMax: limits.referenceAgeMsMax,
    sourcesMin: limits.referenceSourcesMin,
    marking: { ageMsMax: limits.markAgeMsMax, haircutBps: limits.markHaircutBps },
    disagreementBpsMax: apartBps ?? Number.POSITIVE_INFINITY,
    ...prices,
  };
}

/**
 * The pairs needed from feeds that offer `told`: those between traded assets and the currency, and for an asset without
 * one the shortest path to the currency (BTC/USD and USD/CHF for BTC). Not every path, because each one is another
 * price that must agree.
 */
export function ratePairs(
  { symbols, currency }: Pick<Limits, "symbols" | "currency">,
  told: readonly PairSymbol[],
  held: readonly string[] = [],
): ReadonlySet<PairSymbol> {
  const quotes = new Set([currency, ...symbols.map((symbol) => assetsOf(symbol as PairSymbol).quote)]);
  const among = [...quotes].flatMap((base) => [...quotes].map((quote) => `${base}/${quote}` as PairSymbol));
  const pairs = new Set(among.filter((pair) => assetsOf(pair).base !== assetsOf(pair).quote));
  const known = [...new Set(told)].map((symbol) => ({ symbol }));
  for (const asset of new Set([...quotes, ...held])) {
    const ways = waysFrom(asset as Asset, currency as Asset, known);
    if (ways.some((way) => way.every(({ prices }) => pairs.has(prices.symbol)))) continue;
    for (const { prices } of ways[0] ?? []) pairs.add(prices.symbol);
  }
  return pairs;
}
