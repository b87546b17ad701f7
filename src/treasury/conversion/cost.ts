// What a conversion cost, by its own records: against the rates of the moment when it was asked for, in parts that sum to the whole.
// Of an order the spread is that of the price shown then; waiting is how that price had moved when it was sent, impact what was paid
// beyond it. A mint or a rail is at par: what its rate differs from par is spread. Carry is the capital that it tied up.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { assetsOf } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { PlanMove } from "../../journal/record.ts";
import { type Arrival, contentOf } from "../approval/plan-content.ts";
import type { LoggedPlan } from "../approval/plan-log.ts";
import { assetOf, type HoldingName } from "../plan/holding.ts";
import type { Top } from "../plan/order-routes.ts";
import { unitsOf, type Value } from "../plan/route.ts";
import type { Situation } from "../plan/routes.ts";

export const PARTS = ["spread", "impact", "fees", "waiting", "carry"] as const;
type Part = (typeof PARTS)[number];

/** In cents of the currency, of the moves over one route. `value`: of what left the holding that is converted. */
export type RouteCost = Readonly<Record<Part | "cost" | "value" | "againstPar", Money>> & { readonly route: string };

/** What was to be known for `costsOf`. */
export function arrivalOf({ instruments, topOf, rates, currency, costs }: Situation): Arrival {
  const assets = new Set(instruments.flatMap(({ base, quote }) => [base, quote, standsFor(base), standsFor(quote)]));
  const rated = [...assets].flatMap((name) => {
    const asset = name as Asset | undefined;
    const rate = asset === undefined || asset === currency ? undefined : rates(asset);
    return rate === undefined ? [] : [[asset, String(rate)] as const];
  });
  const shown = instruments.flatMap(({ symbol }) => {
    const top = topOf(symbol);
    return top === undefined ? [] : [[symbol, [shownPrice(top, "sell"), shownPrice(top, "buy")]] as const];
  });
  return {
    ...{ rates: Object.fromEntries(rated), shown: Object.fromEntries(shown) },
    capitalBpsPerYear: costs.capitalBpsPerYear,
  };
}

export function shownPrice({ bid, ask }: Top, side: Side): string {
  return (side === "buy" ? ask : bid).toFixed(PRICE_DECIMALS);
}

const PRICE_DECIMALS = 9;

type Leg = { readonly move: PlanMove; readonly ms: number };
type Sums = Record<Part | "value" | "againstPar", Value>;

/** By route, in the order of use; undefined where an asset had no rate. */
export function costsOf(known: LoggedPlan): readonly RouteCost[] | undefined {
  const { conversion, currency, arrival } = contentOf(known.plan);
  if (conversion === undefined || arrival === undefined) return undefined;
  const worth = worthBy(arrival, currency);
  const routes = new Map<string, Sums>();
  for (const leg of legsOf(known)) {
    const { route, takes } = leg.move;
    const costs = partsOf(leg, arrival, worth);
    if (costs === undefined) return undefined;
    const sums = routes.get(route) ?? { ...NONE };
    for (const part of PARTS) sums[part] += costs[part];
    sums.againstPar += costs.againstPar;
    if (takes.endsWith(` ${conversion.from}`)) sums.value += worth(moneyIn(takes)) ?? 0n;
    routes.set(route, sums);
  }
  // Rounded as they add up: the parts of a route sum to its cost, and those of all routes to the whole, to the cent.
  let sum = 0n;
  return Array.from(routes, ([route, { value, againstPar, ...parts }]) => {
    const rounded = PARTS.map((part) => {
      const before = centsOf(sum);
      sum += parts[part];
      return [part, centsOf(sum) - before] as const;
    });
    const money = (cents: bigint): Money => Money.of(formatUnits(cents * (ONE / 100n)), currency);
    return {
      ...(Object.fromEntries(rounded.map(([part, cents]) => [part, money(cents)])) as Record<Part, Money>),
      ...{ route, value: money(centsOf(value)), againstPar: money(centsOf(againstPar)) },
      cost: money(rounded.reduce((all, [, cents]) => all + cents, 0n)),
    };
  });
}

const NONE: Sums = { spread: 0n, impact: 0n, fees: 0n, waiting: 0n, carry: 0n, value: 0n, againstPar: 0n };

/** The last word on each request counts: an order given up may have filled all the same. */
function legsOf({ progress }: LoggedPlan): readonly Leg[] {
  const sentAt = new Map(
    progress.flatMap(({ state, move, at }) => (state === "sent" && move ? [[move.request, at]] : [])),
  );
  const last = new Map(
    progress.flatMap(({ state, move, at }) =>
      state === "step" && move ? [[move.request, { move, ms: at - (sentAt.get(move.request) ?? at) }] as const] : [],
    ),
  );
  return [...last.values()].filter(({ move }) => !moneyIn(move.takes).isZero());
}

type Worth = (money: Money, isAtPar?: boolean) => Value | undefined;

/** At par a coin is worth its currency. */
function worthBy({ rates }: Arrival, currency: Asset): Worth {
  const rateOf = (asset: Asset): bigint | undefined => {
    const rate = asset === currency ? "1" : rates[asset];
    return rate === undefined ? undefined : unitsOf(rate);
  };
  return (money, isAtPar = false) => {
    const fiat = isAtPar ? (standsFor(money.asset) as Asset | undefined) : undefined;
    const rate = (fiat && rateOf(fiat)) ?? rateOf(money.asset);
    return rate && unitsOf(money) * rate;
  };
}

function partsOf({ move, ms }: Leg, { shown, capitalBpsPerYear }: Arrival, worth: Worth) {
  const [takes, brings] = [moneyIn(move.takes), moneyIn(move.brings)];
  const [went, came, atPar] = [worth(takes), worth(brings), [worth(takes, true), worth(brings, true)] as const];
  if (went === undefined || came === undefined) return undefined;
  const againstPar = (atPar[0] ?? went) - (atPar[1] ?? came);
  if (/^(buy|sell) /.test(move.route)) {
    const order = orderParts(move, { takes, brings }, shown, worth);
    return order && { ...order, carry: 0n, againstPar };
  }
  const isOfOne = (standsFor(takes.asset) ?? takes.asset) === (standsFor(brings.asset) ?? brings.asset);
  const kept = Money.of(formatUnits(unitsOf(takes) - unitsOf(brings)), brings.asset);
  const fees = (isOfOne ? worth(kept) : undefined) ?? 0n;
  const carry = (went * BigInt(capitalBpsPerYear) * BigInt(ms)) / (BPS * YEAR_MS);
  return { spread: went - came - fees, impact: 0n, fees, waiting: 0n, carry, againstPar };
}

const BPS = 10_000n;
const YEAR_MS = 365n * BigInt(DAY_MS);

function orderParts(
  { route, shown: sent, fee: feeText }: PlanMove,
  { takes, brings }: { readonly takes: Money; readonly brings: Money },
  shown: Arrival["shown"],
  worth: Worth,
) {
  const [side, symbol = ""] = route.split(" ");
  const { base, quote } = assetsOf(symbol as PairSymbol);
  const fee = feeText === undefined ? Money.zero(quote) : moneyIn(feeText);
  const ofFee = (asset: Asset): Money => (fee.asset === asset ? fee : Money.zero(asset));
  const isBuy = side === "buy";
  const [size, paid] = isBuy
    ? [brings.plus(ofFee(base)), takes.minus(ofFee(quote))]
    : [takes.minus(ofFee(base)), brings.plus(ofFee(quote))];
  const then = shown[symbol]?.[isBuy ? 1 : 0] ?? sent;
  const [fair, asPaid, fees] = [worth(size), worth(paid), worth(fee)];
  if (fair === undefined || asPaid === undefined || fees === undefined) return undefined;
  const at = (price: string | undefined): Value | undefined =>
    price === undefined ? undefined : worth(Money.of(formatUnits((unitsOf(size) * unitsOf(price)) / ONE), quote));
  // A price that was not shown cannot have moved.
  const asSent = at(sent) ?? asPaid;
  const asThen = at(then) ?? asSent;
  const sign = isBuy ? -1n : 1n;
  return {
    ...{ spread: sign * (fair - asThen), waiting: sign * (asThen - asSent), impact: sign * (asSent - asPaid) },
    fees,
  };
}

function moneyIn(text: string): Money {
  const [amount = "", holding = ""] = text.split(" ");
  return Money.of(amount, assetOf(holding as HoldingName));
}

/** To the nearest. */
function centsOf(value: Value): bigint {
  const [half, cent] = [CENT / 2n, CENT];
  const sum = value + half;
  return sum >= 0n ? sum / cent : -((-sum + cent - 1n) / cent);
}

const CENT = (ONE * ONE) / 100n;
