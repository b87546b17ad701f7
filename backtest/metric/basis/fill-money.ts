// A fill's amounts as money again: exact, with their assets, and worth in the currency where the rate was known.

import { type Asset, assetsOf } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { Fills } from "../../record/run-record.ts";

export type FillMoney = {
  readonly side: "buy" | "sell";
  readonly base: Money;
  readonly quote: Money;
  readonly fee: Money;
  readonly realised: Money | undefined;
  /** One unit of the quote asset in the currency. */
  readonly rate: Price | undefined;
};

const known = new WeakMap<Fills, readonly FillMoney[]>();

/** Of every fill. Several figures ask for it, and text takes time to read: it is read once. */
export function fillMoney(fills: Fills): readonly FillMoney[] {
  const found = known.get(fills) ?? Array.from({ length: fills.length }, (_, row) => moneyOf(fills, row));
  known.set(fills, found);
  return found;
}

function moneyOf(fills: Fills, row: number): FillMoney {
  const assets = assetsOf(fills.symbol[row] as Fills["symbol"][number]);
  const isBuy = fills.side[row] === 0;
  const [base, quote] = isBuy ? [fills.bought[row], fills.sold[row]] : [fills.sold[row], fills.bought[row]];
  const [rate, realised] = [fills.rate[row], fills.realised[row]];
  return {
    side: isBuy ? "buy" : "sell",
    base: Money.of(base as string, assets.base),
    quote: Money.of(quote as string, assets.quote),
    fee: feeOf(fills.fee[row] as string, fills.feeAsset[row] as Asset),
    realised: realised === undefined ? undefined : Money.of(realised, assets.quote),
    rate: rate === undefined ? undefined : rate === "1" ? ONE : Price.of(rate),
  };
}

// The two texts that are there most often.
const ONE = Price.of("1");

function feeOf(text: string, asset: Asset): Money {
  return text === "0" ? Money.zero(asset) : Money.of(text, asset);
}

/** The fee is in the currency, in the pair's quote asset, or in its base asset; of any other the worth is not known. */
export function feeWorth({ fee, base, quote, rate }: FillMoney, currency: Asset): Money | undefined {
  if (fee.asset === currency || fee.isZero()) return fee.isZero() ? Money.zero(currency) : fee;
  if (rate === undefined) return undefined;
  if (fee.asset === quote.asset) return fee.valued(rate, currency, "up");
  if (fee.asset !== base.asset) return undefined;
  const quantity = Quantity.ofMoney(base);
  const price = quantity && Price.implied(quote, quantity, "up");
  return price && fee.valued(price, quote.asset, "up").valued(rate, currency, "up");
}
