// What was earned against par, exactly: coins bought under it and sold over it, on pairs of a coin with its own fiat.
// Formula: sum over buys of (par * size - paid) * rate + sum over sells of (received - par * size) * rate, before fees

import type { PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price } from "../../src/domain/money/money.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";
import { fillMoney } from "./basis/fill-money.ts";

export function premiumCaptured({ fills, prices, settings: { currency } }: RunRecord): Figure<Money> {
  const pars = new Map(
    prices.flatMap(({ symbol, par }) => (par === undefined ? [] : [[symbol, Price.of(String(par))]])),
  );
  if (pars.size === 0) return notAvailable(withoutPar(prices));
  let total = Money.zero(currency);
  for (const [row, { side, base, quote, rate }] of fillMoney(fills).entries()) {
    const par = pars.get(fills.symbol[row] as PairSymbol);
    if (par === undefined) continue;
    const worth = base.valued(par, quote.asset, side === "buy" ? "down" : "up");
    const gain = side === "buy" ? worth.minus(quote) : quote.minus(worth);
    if (rate === undefined && quote.asset !== currency)
      return notAvailable(`${quote.asset} has no rate in ${currency}`);
    total = total.plus(rate === undefined ? Money.of(gain.toString(), currency) : gain.valued(rate, currency, "down"));
  }
  return known(total);
}

/** A journal has the pairs that its decisions were about, and no others. */
function withoutPar(prices: RunRecord["prices"]): string {
  return prices.length === 0 ? "no decision was about any pair" : "no pair of the run has a par";
}
