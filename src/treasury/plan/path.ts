// What a route moves and what that costs: one route, or two in a row.

import type { Asset } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { mintCost } from "../mint.ts";
import type { HoldingName } from "./holding.ts";
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

export type PricingTerms = {
  readonly currency: Asset;
  /** Has every asset of a band or a route. */
  readonly rates: RatesOf;
  readonly costs: MovingCosts;
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

/** Undefined where there is no bound. */
export type Bounds = { readonly give: bigint | undefined; readonly room: bigint | undefined };

/** Of one route. */
type Part = {
  readonly of: PricedRoute;
  /** Of each slice. */
  readonly lots: readonly bigint[];
  readonly takes: bigint;
  readonly brings: bigint;
  readonly cost: Value;
};

export type Use = Pick<Part, "takes" | "brings" | "cost"> & {
  readonly of: Path;
  readonly parts: readonly Part[];
  /** What it does for the need. */
  readonly gained: bigint;
};

/** One route, or two in a row: the second takes what the first brings. */
export class Path {
  readonly from: HoldingName;
  readonly to: HoldingName;
  readonly groups: readonly string[];
  readonly #first: PricedRoute;
  readonly #second: PricedRoute | undefined;

  constructor([first, second]: readonly [PricedRoute, PricedRoute?]) {
    this.#first = first;
    this.#second = second;
    this.from = first.route.from;
    this.to = (second ?? first).route.to;
    this.groups = [first.route.group, ...(second === undefined ? [] : [second.route.group])];
  }

  /** As much of the amount as it can move; undefined if nothing. */
  use(isBelow: boolean, amount: bigint, bounds: Bounds): Use | undefined {
    const parts = this.#parts(isBelow, amount, bounds);
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const { takes } = first;
    const { brings } = last;
    const cost = parts.reduce((sum, part) => sum + part.cost, 0n);
    return { of: this, parts, takes, brings, gained: isBelow ? brings : takes, cost };
  }

  #parts(isBelow: boolean, amount: bigint, bounds: Bounds): readonly Part[] {
    const [one, two] = [this.#first, this.#second];
    if (two === undefined) return one.use(isBelow, amount, bounds) ?? [];
    const give = { give: bounds.give, room: undefined };
    let [first] = isBelow ? [] : (one.use(false, amount, give) ?? []);
    let [second] = isBelow
      ? (two.use(true, amount, { ...bounds, give: undefined }) ?? [])
      : ((first && two.use(false, first.brings, { ...bounds, give: first.brings })) ?? []);
    // What the one leaves over, the other does not move.
    if (second !== undefined && first?.brings !== second.takes) [first] = one.use(true, second.takes, give) ?? [];
    if (first !== undefined && second !== undefined && first.brings < second.takes)
      [second] = two.use(false, first.brings, { ...bounds, give: first.brings }) ?? [];
    return first === undefined || second === undefined ? [] : [first, second];
  }

  /** Where the slices begin to be usable and end, in what is needed. */
  ends(isBelow: boolean): readonly bigint[] {
    const [one, two] = [this.#first, this.#second];
    if (two === undefined) return one.ends(isBelow);
    const free = { give: undefined, room: undefined };
    const [own, other] = isBelow ? [two, one] : [one, two];
    const across = other.ends(isBelow).flatMap((end) => own.use(!isBelow, end, free) ?? []);
    return [...own.ends(isBelow), ...across.map(({ takes, brings }) => (isBelow ? brings : takes))];
  }
}

type PricedSlice = {
  readonly slice: Slice;
  readonly min: bigint;
  readonly max: bigint;
  readonly takes: bigint;
  readonly brings: bigint;
  /** Missing once from what it brings. */
  readonly loses: bigint;
  /** The least fee, and what each lot has of it. */
  readonly least: bigint;
  readonly ofLot: bigint;
  /** Of a unit of what it brings. */
  readonly worth: bigint;
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

export class PricedRoute {
  readonly route: Route;
  readonly #slices: readonly PricedSlice[];

  constructor(route: Route, { rates, costs }: PricingTerms, costBpsMax = Number.POSITIVE_INFINITY) {
    this.route = route;
    const over = route.slices.findIndex(({ takes, brings }) => {
      const taken = worth(takes, rates);
      return Number(taken - worth(brings, rates)) * 1e4 > Number(taken) * costBpsMax;
    });
    this.#slices = (over < 0 ? route.slices : route.slices.slice(0, over)).map((slice) => {
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
        least: slice.least === undefined ? 0n : unitsOf(slice.least.amount),
        ofLot: slice.least === undefined ? 0n : unitsOf(slice.least.ofLot),
        worth: worth(slice.brings, rates) / unitsOf(slice.brings),
        ...{ lost, time, risk, cost: lost + time + risk },
        once: onceOf(slice, rates) + unitsOf(costs.stepCost) * ONE,
      };
    });
  }

  /** As much of the amount as it can move, in its own order of slices; undefined if nothing. */
  use(isBelow: boolean, amount: bigint, { give, room }: Bounds): readonly [Part] | undefined {
    const lots: bigint[] = [];
    let [left, takes, brings, cost] = [amount, 0n, 0n, 0n];
    for (const lot of this.#slices) {
      if (left <= 0n) break;
      const wanted = isBelow ? lotsBringing(left, lot) : roundedUp(left, lot.takes);
      let count = wanted > lot.min ? wanted : lot.min;
      if (count > lot.max) count = lot.max;
      if (give !== undefined && count * lot.takes > give - takes) count = (give - takes) / lot.takes;
      if (room !== undefined && brings + count * lot.brings - lot.loses > room)
        count = (room - brings + lot.loses) / lot.brings;
      if (count < lot.min || count <= 0n) break;
      const taken = count * lot.takes;
      const more = toLeast(count, lot);
      const brought = count * lot.brings - lot.loses - more;
      lots.push(count);
      left -= isBelow ? brought : taken;
      takes += taken;
      brings += brought;
      cost += count * lot.cost + lot.once + more * lot.worth;
    }
    return lots.length === 0 ? undefined : [{ of: this, lots, takes, brings, cost }];
  }

  /** Where its slices begin to be usable and end. */
  ends(isBelow: boolean): readonly bigint[] {
    let sum = 0n;
    return this.#slices.flatMap((slice) => {
      const { min, max, takes, brings, loses } = slice;
      const of = (lots: bigint): bigint => (isBelow ? lots * brings - loses - toLeast(lots, slice) : lots * takes);
      const ends = [sum + of(min), sum + of(max)];
      sum += of(max);
      return ends;
    });
  }

  /** Until the last of these arrives. */
  lastMs(lots: readonly bigint[]): number {
    return Math.max(0, ...lots.map((_, i) => this.#slices[i]?.slice.arrivesMs ?? 0));
  }

  steps(lots: readonly bigint[], { currency, rates }: PricingTerms): readonly PlanStep[] {
    return lots.map((count, i) => {
      const priced = this.#slices[i] as PricedSlice;
      const { slice, lost, time, risk, cost: ofLot, once } = priced;
      const { via, lot, arrivesMs } = slice;
      const quantity = Quantity.of(formatUnits(unitsOf(lot) * count));
      const takes = times(slice.takes, Number(count));
      const more = toLeast(count, priced);
      const moreCost = more * priced.worth;
      const cost = ofLot * count + once + moreCost;
      const feeMore = slice.feeMore === undefined ? 0n : worth(slice.feeMore, rates) * count;
      const most = via.kind === "mint" ? mintCost(quantity, takes.asset, via.feeBpsMax).spentMax.max(takes) : takes;
      return {
        ...{ route: this.route, via, quantity, takes, arrivesMs },
        brings: times(slice.brings, Number(count))
          .minus(slice.keeps)
          .minus(slice.short)
          .minus(Money.of(formatUnits(more), slice.brings.asset)),
        lost: moneyOfValue(lost * count + onceOf(slice, rates) + moreCost, currency),
        time: moneyOfValue(time * count, currency),
        risk: moneyOfValue(risk * count, currency),
        cost: moneyOfValue(cost, currency),
        costMax: moneyOfValue(cost + feeMore + worth(most.minus(takes), rates), currency),
        value: moneyOfValue(worth(takes, rates), currency),
      };
    });
  }
}

function onceOf({ keeps, apart }: Slice, rates: RatesOf): Value {
  return worth(keeps, rates) + (apart === undefined ? 0n : worth(apart, rates));
}

/** What the fees of so many lots lack of the least fee. */
function toLeast(lots: bigint, { least, ofLot }: Pick<PricedSlice, "least" | "ofLot">): bigint {
  return least > 0n && least > lots * ofLot ? least - lots * ofLot : 0n;
}

function lotsBringing(amount: bigint, { brings, loses, least, ofLot }: PricedSlice): bigint {
  const lots = roundedUp(amount + loses, brings);
  return least === 0n || lots * ofLot >= least ? lots : roundedUp(amount + loses + least, brings + ofLot);
}

export function worth(money: Money, rates: RatesOf): Value {
  const value = valueIn(money, rates);
  invariant(value !== undefined, `${money.asset} has no rate`);
  return value;
}
