// What the account is worth, what the day and all days came to, and the parts of each holding, as text that is shown.

import { type Haircuts, netWorth } from "../../bot/accounts/worth.ts";
import type { Engine } from "../../bot/engine/engine.ts";
import type { TradingCore } from "../../bot/trading-core/trading-core.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { missing } from "../../risk/rules/losses.ts";
import { unbookedOf } from "../../treasury/rebalancer/treasury-view.ts";
import type { ShownBand, ShownEquity, ShownHolding, ShownTotals, ShownWorth, Status } from "../status.ts";

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

export type Targets = Config["treasury"]["targets"];

type Wishes = { readonly reserveBps: number | undefined; readonly targets: Targets };

export function holdingsOf(
  tradingCore: Pick<TradingCore, "engine" | "executor">,
  pending: ReadonlyMap<Asset, Money>,
  { reserveBps, targets }: Wishes,
): ShownHolding[] {
  const { accounts, pricing } = tradingCore.engine.context;
  return accounts.assets.flatMap((asset) => {
    const held = accounts.held(asset);
    const atLeast = accounts.heldAtLeast(asset);
    const reserved = held !== undefined && atLeast !== undefined ? held.minus(atLeast) : undefined;
    const spendable = accounts.spendable(asset);
    const available = spendable !== undefined && reserved !== undefined ? spendable.plus(reserved) : undefined;
    const inFlight = accounts.inFlight(asset);
    // A venue lists every asset it knows; what we have nothing of is no news.
    const isNothing = (held === undefined || held.isZero()) && (available === undefined || available.isZero());
    const unbooked = unbookedOf(tradingCore, asset);
    if (isNothing && inFlight.isZero() && unbooked.isZero()) return [];
    return [
      {
        asset,
        held: textOf(held),
        available: textOf(available),
        reserved: textOf(reserved) ?? "0",
        pending: textOf(pending.get(asset)),
        inFlight: String(inFlight),
        mayCome: String(unbooked),
        floor: reserveBps === undefined || held === undefined ? undefined : floorText(held, accounts, reserveBps),
        band: bandOf(targets[asset]),
        value: valueText(held, asset, pricing),
      },
    ];
  });
}

/** As RC17 has it: a part of what was put in, or of what is held where that is more. */
function floorText(held: Money, accounts: RiskContext["accounts"], reserveBps: number): string {
  return String(held.size().max(accounts.placed(held.asset)).share(reserveBps, "up"));
}

/** Of the holding at the venue: others have a place in their names. */
function bandOf(wanted: Targets[string] | undefined): ShownBand | undefined {
  if (wanted === undefined) return undefined;
  return { low: wanted.low?.toString(), target: wanted.target?.toString(), high: wanted.high?.toString() };
}

function valueText(held: Money | undefined, asset: Asset, pricing: RiskContext["pricing"]): string | undefined {
  if (held === undefined || asset === pricing.currency) return textOf(held);
  const rate = pricing.mark(asset)?.price;
  return rate === undefined ? undefined : String(held.valued(rate, pricing.currency, "down"));
}

function textOf(amount: Money | undefined): string | undefined {
  return amount === undefined ? undefined : String(amount);
}
