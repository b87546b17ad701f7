// The account's value, the results of the day and of all days, and the parts of each holding, as text for display.

import type { Engine } from "../../bot/engine.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { missing } from "../../risk/rules/losses.ts";
import { unbookedOf } from "../../treasury/rebalancer/treasury-view.ts";
import type { ShownEquity, ShownHolding, ShownTotals, Status } from "../status.ts";

type Exact = Money | Quantity;
type Texts<T> = {
  readonly [K in keyof T]: Exclude<T[K], Exact> | (Extract<T[K], Exact> extends never ? never : string);
};

/** Converts amounts to exact texts and leaves other values as they are. */
function texts<T extends object>(figures: T): Texts<T> {
  const text = (value: unknown): unknown =>
    value instanceof Money || value instanceof Quantity ? String(value) : value;
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, text(value)])) as Texts<T>;
}

type Valued = Pick<Engine, "books">;

export const NO_EQUITY: ShownEquity = {
  ...{ currency: "", now: undefined, today: undefined },
  ...{ realised: "0", turnover: "0", orders: 0 },
};

export function equityOf(engine: Valued): ShownEquity {
  const { books } = engine;
  const { currency, equity: now, atMid, atPar, markAgeMs } = books.statement();
  const { opening, realised, turnover, orders, fees, mintFees, railFees } = books.counters.shown.day;
  const today = opening && now?.minus(opening);
  const day = texts({ today, realised, turnover, orders, fees, mintFees, railFees });
  const unknown = now === undefined ? { missing: missing(books), priced: String(pricedIn(books)) } : {};
  return { currency, ...texts({ now, atMid, atPar, markAgeMs }), ...unknown, ...day };
}

/** A holding without a price, such as a deposit in a coin that no pair trades, hides no other. */
function pricedIn({ accounts, pricing }: RiskContext): Money {
  let sum = Money.zero(pricing.currency);
  for (const asset of accounts.assets) {
    const held = accounts.held(asset);
    const price = pricing.mark(asset)?.price;
    if (asset === pricing.currency) sum = sum.plus(held ?? Money.zero(asset));
    else if (held !== undefined && price !== undefined) sum = sum.plus(held.valued(price, pricing.currency, "down"));
  }
  return sum;
}

/** Trading profit and currency effect when the UTC day opened; persisted, because the journal has no prices. */
export type DayBase = { readonly day: number; readonly trading: string; readonly fx: string };

/** Coins of the opening that are still held, at the mark less their stated cost: sales take coins that were traded first. */
function openingResult({ books }: Valued): Money {
  const { accounts, pricing, openingCosts } = books;
  const { currency } = pricing;
  const valued = (money: Money): Money | undefined => {
    if (money.asset === currency) return money;
    const rate = pricing.mark(money.asset)?.price;
    return rate && money.valued(rate, currency, "down");
  };
  let sum = Money.zero(currency);
  for (const { asset, price } of openingCosts) {
    const fiat = fiatOf(asset);
    const { amount } = accounts.profit.positions.get(`${asset}/${fiat}` as PairSymbol) ?? {};
    if (fiat === undefined || amount === undefined || !amount.isPositive()) continue;
    const placed = accounts.placed(asset);
    const held = placed.moreThan(amount) ? amount : placed;
    const [value, cost] = [valued(held), valued(held.valued(price, fiat, "down"))];
    if (value !== undefined && cost !== undefined) sum = sum.plus(value.minus(cost));
  }
  return sum;
}

/** To the cent, as people read it: only then do parts add up to what is read as their sum. */
function cut(amount: Money): Money {
  return Money.of(String(amount).replace(/(\.\d\d)\d+$/, "$1"), amount.asset);
}

/** Splits the result of the day by its sources, which add up to it. */
export function createDayBase() {
  let base: DayBase | undefined;
  return {
    get base() {
      return base;
    },
    /** Takes over the base of an earlier process. */
    recall(saved: DayBase) {
      base ??= saved;
    },
    sources(engine: Valued): ShownEquity["sources"] {
      const { currency, equity, realised, unrealised, fx, mintFees, railFees } = engine.books.statement();
      const { shown, day } = engine.books.counters;
      const { opening, fills } = shown.day;
      if (equity === undefined || unrealised === undefined || fx === undefined || opening === undefined)
        return undefined;
      const trading = realised.plus(unrealised).minus(openingResult(engine)).minus(mintFees).minus(railFees);
      // A day whose opening was not recorded, as after a restart that found no memory, has a base only while nothing was traded.
      const isSeen = base !== undefined || fills === 0;
      if (day.number !== undefined && day.number !== base?.day)
        base = isSeen ? { day: day.number, trading: String(trading), fx: String(fx) } : undefined;
      if (base === undefined) return undefined;
      const [traded, moved] = [
        cut(trading.minus(Money.of(base.trading, currency))),
        cut(fx.minus(Money.of(base.fx, currency))),
      ];
      const rest = cut(equity.minus(opening)).minus(traded).minus(moved);
      return { trading: String(traded), opening: String(rest), fx: String(moved) };
    },
  };
}

export function countsOf({ counters }: RiskContext): Status["counts"] {
  const { orders, refused, fills, roundTrips } = counters.shown.day;
  return { approved: orders, refused, fills, roundTrips };
}

export function totalsOf(engine: Valued): ShownTotals {
  const { orders: approved, refused, fills, roundTrips, ...counted } = engine.books.counters.shown.totals;
  const { unvalued, unvaluedFees, turnover, brought } = counted;
  const { currency, realised, unrealised, fx, fees, mintFees, railFees } = engine.books.statement();
  const opening = unrealised && openingResult(engine);
  const profit = texts({ realised, unrealised, opening, fx, fees, mintFees, railFees });
  return {
    currency,
    approved,
    refused,
    fills,
    roundTrips,
    unvalued,
    unvaluedFees,
    ...texts({ turnover, brought }),
    ...profit,
  };
}

export type Targets = Config["treasury"]["targets"];

type Wishes = { readonly reserveBps: number | undefined; readonly targets: Targets };

export function holdingsOf(
  tradingCore: Pick<Engine, "books" | "executor">,
  pending: ReadonlyMap<Asset, Money>,
  { reserveBps, targets }: Wishes,
): ShownHolding[] {
  const { accounts, pricing } = tradingCore.books;
  return accounts.assets.flatMap((asset) => {
    const held = accounts.held(asset);
    const atLeast = accounts.heldAtLeast(asset);
    const reserved = atLeast && held?.minus(atLeast);
    const available = reserved && accounts.spendable(asset)?.plus(reserved);
    const inFlight = accounts.inFlight(asset);
    const mayCome = unbookedOf(tradingCore, asset);
    // A venue lists every asset it knows; assets that we do not hold are left out.
    if ([held, available, inFlight, mayCome].every((amount) => amount === undefined || amount.isZero())) return [];
    // As in RC17: a share of the amount put in, or of the holding if that is larger.
    const floor =
      reserveBps === undefined ? undefined : held?.size().max(accounts.placed(asset)).share(reserveBps, "up");
    // The target of the holding at the venue; other holdings have a place in their names.
    const { low, target, high } = targets[asset] ?? {};
    const band = targets[asset] && texts({ low, target, high });
    const rate = pricing.mark(asset)?.price;
    const value = asset === pricing.currency ? held : rate && held?.valued(rate, pricing.currency, "down");
    const parts = texts({ held, available, pending: pending.get(asset), inFlight, mayCome, floor, value });
    return [{ asset, ...parts, reserved: String(reserved ?? 0), band }];
  });
}
