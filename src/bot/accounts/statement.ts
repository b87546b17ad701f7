// The one statement of what an account is worth and where its profit came from, in the currency of the limits. Limits, screen, page,
// `status`, metrics, messages and reports all read these figures and work out none of their own. Profit counts since the books
// began: equity moves by realised + unrealised + FX revaluation - fees of mints and rails, and by what a coin that was not bought by a
// trade gains or loses against par, which `atPar` less `equity` shows.

import type { Asset } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import { Money, Price } from "../../domain/money/money.ts";
import type { Totals } from "../../risk/counters.ts";
import type { Accounts } from "./accounts.ts";

/** Each is one unit of an asset in the currency; undefined until a price was heard. */
export type StatementPrices = {
  readonly currency: Asset;
  /** As limits count it: a coin at the lower of par and the best known bid. */
  mark(asset: Asset): { readonly price: Price; readonly ageMs: number } | undefined;
  /** A coin at the middle of the venue's price against the currency that it stands for. */
  mid(asset: Asset): Price | undefined;
  /** What it stands for, at the rate of that currency. */
  par(asset: Asset): Price | undefined;
};

export type Statement = {
  readonly currency: Asset;
  /** At the mark, every open order counted as the worse of filled and not filled. */
  readonly equity: Money | undefined;
  readonly atMid: Money | undefined;
  readonly atPar: Money | undefined;
  /** At average cost and at the rate of each fill, fees of trades included. */
  readonly realised: Money;
  /** What trades left open, at the mark, less its average cost. Nothing where nothing was traded. */
  readonly unrealised: Money | undefined;
  /** What the rates of currencies have done to the value of what was put in and realised, all of it at par. */
  readonly fx: Money | undefined;
  readonly fees: Money;
  readonly mintFees: Money;
  readonly railFees: Money;
  /** Of the oldest price behind equity. */
  readonly markAgeMs: number | undefined;
};

type Owned = Pick<Accounts, "assets" | "held" | "profit">;
type PriceOf = (asset: Asset) => Price | undefined;

export function statementOf(
  accounts: Owned,
  { realised, fees, mintFees, railFees, unvaluedFees, placedAtPar }: Totals,
  prices: StatementPrices,
  equity: Money | undefined,
): Statement {
  const { currency } = prices;
  const par: PriceOf = (asset) => prices.par(asset);
  const own = ownAtPar(accounts, prices);
  const isFxKnown = unvaluedFees === 0 && own !== undefined && placedAtPar !== undefined;
  return {
    currency,
    equity,
    atMid: equity && heldAt(accounts, currency, (asset) => prices.mid(asset)),
    atPar: equity && heldAt(accounts, currency, par),
    realised,
    unrealised: openAt(accounts, currency, (asset) => prices.mark(asset)?.price),
    fx: isFxKnown ? own.minus(placedAtPar).minus(realised).plus(mintFees).plus(railFees) : undefined,
    fees,
    mintFees,
    railFees,
    markAgeMs: equity && oldestMark(accounts, prices),
  };
}

/** At par: all that is held, without what open positions of trades are worth above or below their cost. */
export function ownAtPar(accounts: Owned, prices: Pick<StatementPrices, "currency" | "par">): Money | undefined {
  const { currency } = prices;
  const par: PriceOf = (asset) => prices.par(asset);
  const held = heldAt(accounts, currency, par);
  const open = openAt(accounts, currency, par);
  return held && open && held.minus(open);
}

/** A signal at the rate of what it is quoted in; undefined where that is no price. */
export function priceAt(signal: number, rate: Price): Price | undefined {
  const read = Price.parse((signal * rate.toNumber()).toFixed(RATE_DECIMALS));
  return read.ok ? read.value : undefined;
}

const RATE_DECIMALS = 9;

export function parOf(asset: Asset, currency: Asset, rateOf: PriceOf): Price | undefined {
  const fiat = (standsFor(asset) ?? asset) as Asset;
  return fiat === currency ? ONE : rateOf(fiat);
}

const ONE = Price.of("1");

function heldAt(accounts: Owned, currency: Asset, priceOf: PriceOf): Money | undefined {
  const amounts = accounts.assets.map((asset) => accounts.held(asset));
  return sumOf(amounts, currency, priceOf);
}

function openAt({ profit }: Owned, currency: Asset, priceOf: PriceOf): Money | undefined {
  const flows = Array.from(profit.positions.values(), ({ amount, cost }) => [amount, cost.negated()]);
  return sumOf(flows.flat(), currency, priceOf);
}

function sumOf(amounts: readonly (Money | undefined)[], currency: Asset, priceOf: PriceOf): Money | undefined {
  let sum = Money.zero(currency);
  for (const amount of amounts) {
    if (amount === undefined || amount.isZero()) continue;
    const price = amount.asset === currency ? ONE : priceOf(amount.asset);
    if (price === undefined) return undefined;
    sum = sum.plus(amount.valued(price, currency, "down"));
  }
  return sum;
}

function oldestMark(accounts: Owned, prices: StatementPrices): number | undefined {
  const ages = accounts.assets.flatMap((asset) => {
    const isPriced = asset !== prices.currency && accounts.held(asset)?.isZero() === false;
    return isPriced ? (prices.mark(asset)?.ageMs ?? []) : [];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}
