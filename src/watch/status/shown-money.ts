// What the account is worth, and what a day and all days came to, as text that is shown.

import { type Haircuts, netWorth } from "../../bot/accounts/worth.ts";
import type { Engine } from "../../bot/engine/engine.ts";
import type { Money } from "../../domain/money/money.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { missing } from "../../risk/rules/losses.ts";
import type { ShownEquity, ShownTotals, ShownWorth, Status } from "../status.ts";

export function equityOf(engine: Valued | undefined): ShownEquity {
  if (engine === undefined)
    return { currency: "", now: undefined, today: undefined, realised: "0", turnover: "0", orders: 0 };
  const { context } = engine;
  const { currency, equity: now, atMid, atPar, markAgeMs } = engine.statement();
  const { opening, realised, turnover, orders, fees, mintFees, railFees } = context.books.shown.day;
  const today = opening && now?.minus(opening);
  const revaluation = mintFees && railFees && today?.minus(realised).plus(mintFees).plus(railFees);
  const day = {
    atMid: text(atMid),
    atPar: text(atPar),
    markAgeMs,
    today: text(today),
    realised: String(realised),
    turnover: String(turnover),
    orders,
    revaluation: text(revaluation),
    fees: String(fees),
    mintFees: text(mintFees),
    railFees: text(railFees),
  };
  return now === undefined
    ? { currency, now: undefined, missing: missing(context), ...day }
    : { currency, now: String(now), ...day };
}

type Valued = Pick<Engine, "context" | "statement">;

function text(amount: Money | undefined): string | undefined {
  return amount && String(amount);
}

export function countsOf(context: RiskContext | undefined): Status["counts"] {
  const { orders = 0, refused = 0, fills = 0 } = context?.books.shown.day ?? {};
  return { approved: orders, refused, fills };
}

export function totalsOf(engine: Valued): ShownTotals {
  const { orders, refused, fills, unvalued, unvaluedFees, turnover, brought } = engine.context.books.shown.totals;
  const { currency, realised, unrealised, fx, fees, mintFees, railFees } = engine.statement();
  return {
    currency,
    approved: orders,
    refused,
    fills,
    turnover: String(turnover),
    fees: String(fees),
    mintFees: String(mintFees),
    railFees: String(railFees),
    unvaluedFees,
    realised: String(realised),
    unrealised: text(unrealised),
    fx: text(fx),
    brought: String(brought),
    unvalued,
  };
}

export function worthOf({ accounts, pricing }: RiskContext, haircuts: Haircuts): ShownWorth | undefined {
  const worth = netWorth(accounts, pricing.currency, (asset) => pricing.mark(asset)?.price, haircuts);
  const { currency, cash, tokens, reserved, inFlight, total, cautious } = worth;
  if (cash === undefined || tokens === undefined || reserved === undefined) return undefined;
  if (inFlight === undefined || total === undefined || cautious === undefined) return undefined;
  return {
    currency,
    cash: String(cash),
    tokens: String(tokens),
    reserved: String(reserved),
    inFlight: String(inFlight),
    total: String(total),
    cautious: String(cautious),
  };
}
