// The one statement of an account's value and the sources of its profit, in the currency of the limits. Limits, screen,
// page, `status`, metrics, messages and reports all read these figures and compute none themselves. Profit counts from
// the opening of the books: equity moves by realised + unrealised + FX revaluation - fees of mints and rails, and by
// the gain or loss against par of coins that were not bought by a trade, which `atPar` less `equity` shows.

import type { Asset } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import { Money, Price } from "../../domain/money/money.ts";
import type { Totals } from "../../risk/counters/day.ts";
import type { Accounts } from "./accounts.ts";

/** Each price is that of one unit of an asset in the currency; undefined until a price was received. */
export type StatementPrices = {
  readonly currency: Asset;
  /** The mark that limits use: a coin at the lower of par and the best known bid. */
  mark(asset: Asset): { readonly price: Price; readonly ageMs: number } | undefined;
  /** A coin at the mid of the venue's quote against its own fiat. */
  mid(asset: Asset): Price | undefined;
  /** A coin at par with its fiat, at the rate of that currency. */
  par(asset: Asset): Price | undefined;
};

export type Statement = {
  readonly currency: Asset;
  /** At the mark, with every open order counted as the worse of filled and not filled. */
  readonly equity: Money | undefined;
  readonly atMid: Money | undefined;
  readonly atPar: Money | undefined;
  /** At average cost and at the rate of each fill, trading fees included. */
  readonly realised: Money;
  /** Open traded positions at the mark less their average cost; zero without trades. */
  readonly unrealised: Money | undefined;
  /** The effect of currency rates on the value of deposits and realised profit, all at par. */
  readonly fx: Money | undefined;
  readonly fees: Money;
  readonly mintFees: Money;
  readonly railFees: Money;
  /** The age of the oldest price in equity. */
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

/** All holdings at par, without the unrealised profit of traded positions. */
export function ownAtPar(accounts: Owned, prices: Pick<StatementPrices, "currency" | "par">): Money | undefined {
  const { currency } = prices;
  const par: PriceOf = (asset) => prices.par(asset);
  const held = heldAt(accounts, currency, par);
  const open = openAt(accounts, currency, par);
  return held && open && held.minus(open);
}

/** A signal converted at the rate of its quote asset; undefined if the result is not a valid price. */
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
