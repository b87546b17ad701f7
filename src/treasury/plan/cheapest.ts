// The cheapest way to bring every holding into its band from the money available now. For each holding outside its band
// every single route is priced, and every two together on a grid of slices; a route takes from another holding only what
// that one's band can spare. No step spends the proceeds of another: nothing is stranded half-way.

import type { Asset } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { mintCost } from "../mint.ts";
import {
  assetOf,
  type Band,
  expected,
  type HoldingChange,
  type HoldingName,
  type HoldingState,
  holdingsAfter,
  stateOf,
} from "./holding.ts";
import {
  type MovingCosts,
  moneyOfValue,
  type RatesOf,
  type Route,
  roundedUp,
  type Slice,
  times,
  unitsOf,
  type Value,
  valueIn,
} from "./route.ts";

export type PlanInput = {
  readonly currency: Asset;
  /** Has every asset of a band or a route. */
  readonly rates: RatesOf;
  readonly holdings: readonly HoldingState[];
  readonly bands: readonly Band[];
  readonly routes: readonly Route[];
  readonly costs: MovingCosts;
};

export type Plan = {
  /** In execution order, quickest first. */
  readonly steps: readonly PlanStep[];
  readonly cost: Money;
  /** With the highest fee of each mint: what an approval accepts. */
  readonly costMax: Money;
  readonly holdings: readonly HoldingOutlook[];
  readonly tables: readonly RouteTable[];
};

/** What was compared for one holding outside its band. */
export type RouteTable = {
  readonly holding: HoldingName;
  readonly missing: Money;
  /** Best first; the single routes, and of two together the best. */
  readonly ways: readonly Way[];
};

export type Way = {
  readonly steps: readonly PlanStep[];
  readonly cost: Money;
  /** The value in transit until then. */
  readonly tiedUp: Money;
  readonly arrivesMs: number;
  /** The amount of the holding that it leaves beyond the band. */
  readonly missing: Money;
};

export type PlanStep = {
  readonly route: Route;
  readonly via: Slice["via"];
  readonly quantity: Quantity;
  readonly takes: Money;
  readonly brings: Money;
  /** Against fair value: spread and fees. Negative if the price is better than fair. */
  readonly lost: Money;
  readonly time: Money;
  readonly risk: Money;
  readonly cost: Money;
  readonly costMax: Money;
  /** The value moved. */
  readonly value: Money;
  readonly arrivesMs: number;
};

/** `reason`: why it is still outside its band. */
export type HoldingOutlook = HoldingChange & { readonly reason: string | undefined };

export function cheapest(input: PlanInput): Plan {
  const books = new Books(input);
  const priced = input.routes.map((route) => new PricedRoute(route, input));
  const steps: PlanStep[] = [];
  const tables: RouteTable[] = [];
  const used = new Set<string>();
  for (const holding of books.outside()) {
    let missed: bigint | undefined;
    for (;;) {
      const need = books.need(holding, missed);
      if (need === undefined) break;
      const leads = ({ from, to }: Route): boolean => (need.isBelow ? to : from) === holding;
      const open = priced.filter(({ route }) => leads(route) && !used.has(route.group));
      const ways = waysOf(need, open, books);
      if (missed === undefined) {
        missed = need.amount;
        const missing = moneyOf(need.amount, holding);
        tables.push({ holding, missing, ways: ways.map((way) => shown(way, holding, input)) });
      }
      const [best] = ways;
      if (best === undefined) break;
      for (const use of best.uses) {
        books.take(use);
        used.add(use.of.route.group);
        steps.push(...use.of.steps(use.lots, input));
      }
    }
  }
  steps.sort((one, other) => one.arrivesMs - other.arrivesMs);
  return {
    steps,
    cost: sumOf(steps, "cost", input),
    costMax: sumOf(steps, "costMax", input),
    holdings: outlooksOf(steps, input),
    tables,
  };
}

/** The grid: two routes share an amount in tenths, and where a slice of either is full or at its least. */
const PARTS = 10n;

/** Of what was missing, the part that is not worth a route of its own. */
const DUST_PARTS = 10_000n;

type Ranked = { readonly uses: readonly Use[]; readonly left: bigint; readonly missing: bigint; readonly cost: Value };

function waysOf(need: Need, routes: readonly PricedRoute[], books: Books): readonly Ranked[] {
  const rank = (uses: readonly Use[]): Ranked => {
    const left = uses.reduce((sum, { gained }) => sum - gained, need.amount);
    const missing = left * DUST_PARTS > need.amount ? left : 0n;
    return { uses, left: left > 0n ? left : 0n, missing, cost: uses.reduce((sum, { cost }) => sum + cost, 0n) };
  };
  const singles = routes.flatMap((route) => route.use(need, need.amount, books) ?? []);
  const grid = Array.from({ length: Number(PARTS) }, (_, i) => (need.amount * BigInt(i + 1)) / PARTS);
  let best: Ranked | undefined;
  for (const [i, { of: one }] of singles.entries()) {
    const ends = one.ends(need.isBelow);
    const shared = [...grid, ...ends].flatMap((amount) => one.use(need, amount, books) ?? []);
    for (const { of: other } of singles.slice(i + 1)) {
      if (one.route.group === other.route.group) continue;
      const rests = other.ends(need.isBelow).flatMap((end) => one.use(need, need.amount - end, books) ?? []);
      for (const first of [...shared, ...rests]) {
        const second = other.use(need, need.amount - first.gained, books, first);
        if (
          second === undefined ||
          (best !== undefined && first.cost + second.cost >= best.cost && best.missing === 0n)
        )
          continue;
        const way = rank([first, second]);
        if (best === undefined || isBetter(way, best)) best = way;
      }
    }
  }
  const ways = [...singles.map((use) => rank([use])), ...(best === undefined ? [] : [best])];
  return ways.sort((one, other) => (isBetter(one, other) ? -1 : 1));
}

function isBetter(one: Ranked, other: Ranked): boolean {
  if (one.missing !== other.missing) return one.missing < other.missing;
  if (one.cost !== other.cost) return one.cost < other.cost;
  return one.uses.length < other.uses.length;
}

function shown({ uses, left }: Ranked, holding: HoldingName, input: PlanInput): Way {
  const steps = uses.flatMap(({ of, lots }) => of.steps(lots, input));
  const slow = steps.filter(({ via }) => via.kind !== "order");
  return {
    steps,
    cost: sumOf(steps, "cost", input),
    tiedUp: sumOf(slow, "value", input),
    arrivesMs: Math.max(0, ...steps.map(({ arrivesMs }) => arrivesMs)),
    missing: moneyOf(left, holding),
  };
}

function sumOf(steps: readonly PlanStep[], field: "cost" | "costMax" | "value", { currency }: PlanInput): Money {
  return Money.sum(
    steps.map((step) => step[field]),
    currency,
  );
}

function moneyOf(units: bigint, holding: HoldingName): Money {
  return Money.of(formatUnits(units), assetOf(holding));
}

/** What must come to a holding below its band, or leave one above it. */
type Need = {
  readonly isBelow: boolean;
  /** In units of its asset. */
  readonly amount: bigint;
};

type Account = {
  available: bigint;
  total: bigint;
  readonly low: bigint | undefined;
  readonly high: bigint | undefined;
};

/** Holdings in units of 10^-18 while a plan is made. */
class Books {
  readonly #accounts = new Map<HoldingName, Account>();
  readonly #input: PlanInput;

  constructor(input: PlanInput) {
    this.#input = input;
    const ends = input.routes.flatMap(({ from, to }) => [from, to]);
    for (const holding of new Set([...input.bands.map((band) => band.holding), ...ends])) {
      const band = input.bands.find((one) => one.holding === holding);
      const state = stateOf(holding, input.holdings);
      this.#accounts.set(holding, {
        available: unitsOf(state.available),
        total: unitsOf(expected(state)),
        low: band?.low && unitsOf(band.low),
        high: band?.high && unitsOf(band.high),
      });
    }
  }

  /** The most valuable miss first. */
  outside(): readonly HoldingName[] {
    const { bands, rates } = this.#input;
    const missed = bands.flatMap(({ holding }) => {
      const need = this.need(holding);
      return need === undefined ? [] : [{ holding, value: worth(moneyOf(need.amount, holding), rates) }];
    });
    return missed.sort((one, other) => (one.value > other.value ? -1 : 1)).map(({ holding }) => holding);
  }

  /** `missed`: before any route was used. */
  need(holding: HoldingName, missed = 0n): Need | undefined {
    const { total, low, high } = this.#of(holding);
    const isBelow = low !== undefined && total < low;
    const amount = isBelow ? low - total : high === undefined ? 0n : total - high;
    if (amount <= 0n || amount * DUST_PARTS <= missed) return undefined;
    return { isBelow, amount };
  }

  /** The most that a route may take, and bring if there is a bound, next to another use. */
  bounds({ from, to }: Route, next: Use | undefined): { give: bigint; room: bigint | undefined } {
    const [source, sink] = [this.#of(from), this.#of(to)];
    const taken = next?.of.route.from === from ? next.takes : 0n;
    const brought = next?.of.route.to === to ? next.brings : 0n;
    const spare = source.low === undefined ? source.available : source.total - source.low;
    const give = (spare < source.available ? spare : source.available) - taken;
    return { give, room: sink.high === undefined ? undefined : sink.high - sink.total - brought };
  }

  take({ of: { route }, takes, brings }: Use): void {
    const [source, sink] = [this.#of(route.from), this.#of(route.to)];
    source.available -= takes;
    source.total -= takes;
    sink.total += brings;
  }

  #of(holding: HoldingName): Account {
    const account = this.#accounts.get(holding);
    invariant(account !== undefined, `${holding} is in no band and no route`);
    return account;
  }
}

type Use = {
  readonly of: PricedRoute;
  /** Of each slice. */
  readonly lots: readonly bigint[];
  readonly takes: bigint;
  readonly brings: bigint;
  /** What it does for the need. */
  readonly gained: bigint;
  readonly cost: Value;
};

type PricedSlice = {
  readonly slice: Slice;
  readonly min: bigint;
  readonly max: bigint;
  readonly takes: bigint;
  readonly brings: bigint;
  /** Missing once from what it brings. */
  readonly loses: bigint;
  /** Of a lot: what is lost, time and risk. */
  readonly cost: Value;
  readonly lost: Value;
  readonly time: Value;
  readonly risk: Value;
  readonly once: Value;
};

const BPS = 10_000n;
const DAY_MS = 86_400_000n;
const YEAR_DAYS = 365n;

class PricedRoute {
  readonly route: Route;
  readonly #slices: readonly PricedSlice[];

  constructor(route: Route, { rates, costs }: PlanInput) {
    this.route = route;
    this.#slices = route.slices.map((slice) => {
      const taken = worth(slice.takes, rates);
      const inTransit = taken * BigInt(slice.arrivesMs);
      const bpsPer = (bps: number, ms: bigint): Value => roundedUp(inTransit * BigInt(bps), BPS * ms);
      const lost = taken - worth(slice.brings, rates);
      const time = bpsPer(costs.capitalBpsPerYear, YEAR_DAYS * DAY_MS);
      const risk = route.isExposed ? bpsPer(costs.riskBpsPerDay, DAY_MS) : 0n;
      return {
        slice,
        min: BigInt(slice.min),
        max: BigInt(slice.max),
        takes: unitsOf(slice.takes),
        brings: unitsOf(slice.brings),
        loses: unitsOf(slice.keeps) + unitsOf(slice.short),
        ...{ lost, time, risk, cost: lost + time + risk },
        once: worth(slice.keeps, rates) + unitsOf(costs.stepCost) * ONE,
      };
    });
  }

  /** As much of the amount as it can move, in its own order of slices; undefined if nothing. */
  use(need: Need, amount: bigint, books: Books, next?: Use): Use | undefined {
    let { give, room } = books.bounds(this.route, next);
    const lots: bigint[] = [];
    let [left, takes, brings, cost] = [amount, 0n, 0n, 0n];
    for (const lot of this.#slices) {
      if (left <= 0n) break;
      const wanted = need.isBelow ? roundedUp(left + lot.loses, lot.brings) : roundedUp(left, lot.takes);
      let count = wanted > lot.min ? wanted : lot.min;
      if (count > lot.max) count = lot.max;
      if (count * lot.takes > give) count = give / lot.takes;
      if (room !== undefined && count * lot.brings - lot.loses > room) count = (room + lot.loses) / lot.brings;
      if (count < lot.min || count <= 0n) break;
      const taken = count * lot.takes;
      const brought = count * lot.brings - lot.loses;
      lots.push(count);
      give -= taken;
      room = room === undefined ? undefined : room - brought;
      left -= need.isBelow ? brought : taken;
      takes += taken;
      brings += brought;
      cost += count * lot.cost + lot.once;
    }
    if (lots.length === 0) return undefined;
    return { of: this, lots, takes, brings, gained: amount - left, cost };
  }

  /** Where its slices begin to be usable and end. */
  ends(isBelow: boolean): readonly bigint[] {
    let sum = 0n;
    return this.#slices.flatMap(({ min, max, takes, brings, loses }) => {
      const of = (lots: bigint): bigint => (isBelow ? lots * brings - loses : lots * takes);
      const ends = [sum + of(min), sum + of(max)];
      sum += of(max);
      return ends;
    });
  }

  steps(lots: readonly bigint[], { currency, rates }: PlanInput): readonly PlanStep[] {
    return lots.map((count, i) => {
      const { slice, lost, time, risk, cost: ofLot, once } = this.#slices[i] as PricedSlice;
      const { via, lot, arrivesMs } = slice;
      const quantity = Quantity.of(formatUnits(unitsOf(lot) * count));
      const takes = times(slice.takes, Number(count));
      const cost = ofLot * count + once;
      const feeMore = slice.feeMore === undefined ? 0n : worth(slice.feeMore, rates) * count;
      const most = via.kind === "mint" ? mintCost(quantity, takes.asset, via.feeBpsMax).spentMax.max(takes) : takes;
      return {
        ...{ route: this.route, via, quantity, takes, arrivesMs },
        brings: times(slice.brings, Number(count)).minus(slice.keeps).minus(slice.short),
        lost: moneyOfValue(lost * count + worth(slice.keeps, rates), currency),
        time: moneyOfValue(time * count, currency),
        risk: moneyOfValue(risk * count, currency),
        cost: moneyOfValue(cost, currency),
        costMax: moneyOfValue(cost + feeMore + worth(most.minus(takes), rates), currency),
        value: moneyOfValue(worth(takes, rates), currency),
      };
    });
  }
}

function worth(money: Money, rates: RatesOf): Value {
  const value = valueIn(money, rates);
  invariant(value !== undefined, `${money.asset} has no rate`);
  return value;
}

function outlooksOf(steps: readonly PlanStep[], input: PlanInput): readonly HoldingOutlook[] {
  const moves = steps.flatMap(({ route, takes, brings }) => [
    { holding: route.from, amount: takes.negated() },
    { holding: route.to, amount: brings },
  ]);
  return holdingsAfter(moves, input).map((change) => ({ ...change, reason: whyMissing(change, input.routes) }));
}

/** An amount below the smallest step of every route is dust and can only stay. */
function whyMissing({ holding, after, band, missingAfter }: HoldingChange, routes: readonly Route[]) {
  if (missingAfter.isZero()) return undefined;
  const isBelow = band?.low !== undefined && after.lessThan(band.low);
  const smallest = routes
    .filter(({ from, to }) => (isBelow ? to : from) === holding)
    .flatMap(({ slices: [first] }) => (first === undefined || first.max < first.min ? [] : [first]))
    .map(({ brings, takes, keeps, short, min }) =>
      isBelow ? times(brings, min).minus(keeps).minus(short) : times(takes, min),
    );
  const [one, ...others] = smallest;
  if (one === undefined) return isBelow ? "no route leads here" : "no route leads away";
  const dust = others.reduce((small, other) => small.min(other), one);
  if (missingAfter.lessThan(dust)) return `dust: the smallest step of any route is ${dust} ${dust.asset}`;
  return "the routes are too narrow, or the other holdings have too little or too much";
}
