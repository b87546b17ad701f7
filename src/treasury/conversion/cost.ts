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

type Sums = Record<Part | "value" | "againstPar", Value>;

/** By route, in the order of use; undefined where an asset had no rate. */
export function costsOf(known: LoggedPlan): readonly RouteCost[] | undefined {
  const { conversion, currency, arrival } = contentOf(known.plan);
  if (conversion === undefined || arrival === undefined) return undefined;
  const worth = worthBy(arrival, currency);
  const routes = new Map<string, Sums>();
  for (const { move, ms } of legsOf(known.progress)) {
    const { route, takes } = move;
    const costs = costsOfLeg(move, arrival, worth);
    if (costs === undefined) return undefined;
    const sums = routes.get(route) ?? { ...NONE };
    const carry = costs.isOrder ? 0n : (costs.went * BigInt(arrival.capitalBpsPerYear) * BigInt(ms)) / (BPS * YEAR_MS);
    for (const [name, cost] of Object.entries({ ...costs.sums, carry })) sums[name as Part] += cost;
    if (takes.endsWith(` ${conversion.from}`)) sums.value += costs.went;
    routes.set(route, sums);
  }
  const money = (cents: bigint): Money => Money.of(formatUnits(cents * (ONE / 100n)), currency);
  // Rounded as they add up: the parts of a route sum to its cost, and those of all routes to the whole, to the cent.
  let sum = 0n;
  return Array.from(routes, ([route, { value, againstPar, ...parts }]) => {
    const before = centsOf(sum);
    const rounded = PARTS.map((part) => {
      const then = centsOf(sum);
      sum += parts[part];
      return [part, money(centsOf(sum) - then)] as const;
    });
    return {
      ...(Object.fromEntries(rounded) as Record<Part, Money>),
      ...{
        route,
        value: money(centsOf(value)),
        againstPar: money(centsOf(againstPar)),
        cost: money(centsOf(sum) - before),
      },
    };
  });
}

const NONE: Sums = { spread: 0n, impact: 0n, fees: 0n, waiting: 0n, carry: 0n, value: 0n, againstPar: 0n };
const BPS = 10_000n;
const YEAR_MS = 365n * BigInt(DAY_MS);

/** The last word on each request counts: an order given up may have filled all the same. */
function legsOf(progress: LoggedPlan["progress"]) {
  const sentAt = new Map<string, number>();
  const legs = new Map<string, { readonly move: PlanMove; readonly ms: number }>();
  for (const { state, move, at } of progress)
    if (move !== undefined && state === "sent") sentAt.set(move.request, at);
    else if (move !== undefined && state === "step")
      legs.set(move.request, { move, ms: at - (sentAt.get(move.request) ?? at) });
  return [...legs.values()].filter(({ move }) => !moneyIn(move.takes).isZero());
}

type Worth = (money: Money, isAtPar?: boolean) => Value | undefined;

/** At par a coin is worth its currency. */
function worthBy({ rates }: Arrival, currency: Asset): Worth {
  const rateOf = (asset: string | undefined): string | undefined => (asset === currency ? "1" : rates[asset ?? ""]);
  return (money, isAtPar = false) => {
    const rate = (isAtPar ? rateOf(standsFor(money.asset)) : undefined) ?? rateOf(money.asset);
    return rate === undefined ? undefined : unitsOf(money) * unitsOf(rate);
  };
}

function costsOfLeg(move: PlanMove, { shown }: Arrival, worth: Worth) {
  const [takes, brings] = [moneyIn(move.takes), moneyIn(move.brings)];
  const [side, symbol = ""] = move.route.split(" ");
  const isOrder = side === "buy" || side === "sell";
  // A mint or a rail sells one for one, and keeps its fee of what arrives.
  const { base, quote } = isOrder ? assetsOf(symbol as PairSymbol) : { base: takes.asset, quote: brings.asset };
  const kept = Money.of(formatUnits(unitsOf(takes) - unitsOf(brings)), quote);
  const fee = !isOrder ? kept : move.fee === undefined ? Money.zero(quote) : moneyIn(move.fee);
  const ofFee = (asset: Asset): Money => (fee.asset === asset ? fee : Money.zero(asset));
  const isBuy = side === "buy";
  const [size, paid] = isBuy
    ? [brings.plus(ofFee(base)), takes.minus(ofFee(quote))]
    : [isOrder ? takes.minus(ofFee(base)) : takes, brings.plus(ofFee(quote))];
  const at = (price: string | undefined): Value | undefined =>
    price === undefined ? undefined : worth(Money.of(formatUnits((unitsOf(size) * unitsOf(price)) / ONE), quote));
  const [fair, asPaid, fees, went, came] = [size, paid, fee, takes, brings].map((money) => worth(money));
  if (fair === undefined || asPaid === undefined || fees === undefined || went === undefined || came === undefined)
    return undefined;
  // A price that was not shown cannot have moved.
  const asSent = at(move.shown) ?? asPaid;
  const asThen = at(shown[symbol]?.[isBuy ? 1 : 0]) ?? asSent;
  const sign = isBuy ? -1n : 1n;
  const parts = { spread: sign * (fair - asThen), waiting: sign * (asThen - asSent), impact: sign * (asSent - asPaid) };
  return {
    isOrder,
    went,
    sums: { ...parts, fees, againstPar: (worth(takes, true) ?? went) - (worth(brings, true) ?? came) },
  };
}

function moneyIn(text: string): Money {
  const [amount = "", holding = ""] = text.split(" ");
  return Money.of(amount, assetOf(holding as HoldingName));
}

/** To the nearest. */
function centsOf(value: Value): bigint {
  const sum = value + CENT / 2n;
  return sum / CENT - (sum < 0n && sum % CENT !== 0n ? 1n : 0n);
}

const CENT = (ONE * ONE) / 100n;
