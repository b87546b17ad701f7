// What the account is worth, and what a day and all days came to, as text that is shown.

import { type Haircuts, netWorth } from "../../bot/accounts/worth.ts";
import type { Money } from "../../domain/money/money.ts";
import { missing } from "../../risk/loss-rule.ts";
import type { RiskContext } from "../../risk/rule.ts";
import type { ShownEquity, ShownTotals, ShownWorth, Status } from "../status.ts";

export function equityOf(context: RiskContext | undefined): ShownEquity {
  if (context === undefined)
    return { currency: "", now: undefined, today: undefined, realised: "0", turnover: "0", orders: 0 };
  const { pricing, books } = context;
  const now = pricing.equity();
  const { opening, realised, turnover, orders, fees, mintFees, railFees } = books.shown.day;
  const today = opening && now?.minus(opening);
  const unrealised = mintFees && railFees && today?.minus(realised).plus(mintFees).plus(railFees);
  const currency = pricing.currency;
  const text = (amount: Money | undefined): string | undefined => amount && String(amount);
  const day = {
    today: text(today),
    realised: String(realised),
    turnover: String(turnover),
    orders,
    unrealised: text(unrealised),
    fees: String(fees),
    mintFees: text(mintFees),
    railFees: text(railFees),
  };
  return now === undefined
    ? { currency, now: undefined, missing: missing(context), ...day }
    : { currency, now: String(now), ...day };
}

export function countsOf(context: RiskContext | undefined): Status["counts"] {
  const { orders = 0, refused = 0, fills = 0 } = context?.books.shown.day ?? {};
  return { approved: orders, refused, fills };
}

export function totalsOf({ books, pricing }: RiskContext): ShownTotals {
  const { orders, refused, fills, unvalued, unvaluedFees, ...amounts } = books.shown.totals;
  const { turnover, fees, mintFees, railFees, realised, brought } = amounts;
  return {
    currency: pricing.currency,
    approved: orders,
    refused,
    fills,
    turnover: String(turnover),
    fees: String(fees),
    mintFees: String(mintFees),
    railFees: String(railFees),
    unvaluedFees,
    realised: String(realised),
    brought: String(brought),
    unvalued,
  };
}

export function worthOf({ accounts, pricing }: RiskContext, haircuts: Haircuts): ShownWorth | undefined {
  const worth = netWorth(accounts, pricing.currency, (asset) => pricing.rate(asset), haircuts);
  const { currency, cash, tokens, reserved, inFlight, total, cautious } = worth;
  if (cash === undefined || tokens === undefined || reserved === undefined) return undefined;
  if (inFlight === undefined || total === undefined || cautious === undefined) return undefined;
  const text = String;
  return {
    currency,
    cash: text(cash),
    tokens: text(tokens),
    reserved: text(reserved),
    inFlight: text(inFlight),
    total: text(total),
    cautious: text(cautious),
  };
}
