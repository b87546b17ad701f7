// Every plan there is, tried one by one, in arithmetic of its own: whole numbers made from the text of amounts, and the
// definition of a plan's cost written down a second time. It knows the planner's data and none of its code.

import type { PlanInput } from "../../../src/treasury/plan/cheapest.ts";
import type { Route, Slice } from "../../../src/treasury/plan/route.ts";

/** Of one holding outside its band. */
export type Tried = { readonly missed: bigint; readonly cost: bigint };
/** Lots of each slice of each route. */
export type Lots = readonly (readonly number[])[];

type Account = {
  readonly name: string;
  available: bigint;
  total: bigint;
  low: bigint | undefined;
  high: bigint | undefined;
};
type Use = {
  readonly route: Route;
  readonly from: Account;
  readonly to: Account;
  takes: bigint;
  brings: bigint;
  cost: bigint;
};

/** The least that is missed, and of that the least cost, of all combinations of whole lots. */
export function bestOf(input: PlanInput): Tried {
  const accounts = accountsOf(input);
  const choices = input.routes.map((route) => lotsOf(route).map((lots) => useOf(input, accounts, route, lots)));
  let best: Tried | undefined;
  const tryFrom = (index: number, uses: readonly Use[]): void => {
    const options = choices[index];
    if (options === undefined) {
      const tried = outcome(accounts, uses);
      if (tried !== undefined && (best === undefined || isBetter(tried, best))) best = tried;
      return;
    }
    tryFrom(index + 1, uses);
    for (const use of options)
      if (!uses.some(({ route }) => route.group === use.route.group)) tryFrom(index + 1, [...uses, use]);
  };
  tryFrom(0, []);
  if (best === undefined) throw new Error("to do nothing is always a plan");
  return best;
}

/** Undefined when it takes more than there is or a band can spare, fills a band up, or uses two routes of a group. */
export function tryPlan(input: PlanInput, lots: Lots): Tried | undefined {
  const accounts = accountsOf(input);
  const used = lots.flatMap((own, i) =>
    own.length === 0 ? [] : [useOf(input, accounts, input.routes[i] as Route, own)],
  );
  if (new Set(used.map(({ route }) => route.group)).size < used.length) return undefined;
  return outcome(accounts, used);
}

function isBetter(one: Tried, other: Tried): boolean {
  return one.missed < other.missed || (one.missed === other.missed && one.cost < other.cost);
}

/** A slice is used after the one before it. */
function lotsOf({ slices: [first, second] }: Route): readonly (readonly number[])[] {
  const counts = (slice: Slice | undefined): readonly number[] =>
    slice === undefined ? [] : Array.from({ length: slice.max - slice.min + 1 }, (_, i) => slice.min + i);
  return counts(first).flatMap((one) => [[one], ...counts(second).map((two) => [one, two])]);
}

function useOf(input: PlanInput, accounts: readonly Account[], route: Route, lots: readonly number[]): Use {
  const find = (holding: string): Account => accounts.find(({ name }) => name === holding) as Account;
  const use = { route, from: find(route.from), to: find(route.to), takes: 0n, brings: 0n, cost: 0n };
  for (const [i, lot] of lots.entries()) {
    const slice = route.slices[i] as Slice;
    const count = BigInt(lot);
    use.takes += units(slice.takes) * count;
    use.brings += units(slice.brings) * count - units(slice.keeps) - units(slice.short);
    use.cost += lotCost(input, route, slice) * count;
    use.cost += units(slice.keeps) * rate(input, route.to) + units(input.costs.stepCost) * E18;
  }
  return use;
}

function accountsOf({ holdings, bands, routes }: PlanInput): Account[] {
  const names = new Set([...bands.map(({ holding }) => holding), ...routes.flatMap(({ from, to }) => [from, to])]);
  return Array.from(names, (name) => {
    const state = holdings.find(({ holding }) => holding === name);
    const band = bands.find(({ holding }) => holding === name);
    const all =
      state === undefined ? [] : [state.available, state.bound, ...state.inFlight.map(({ amount }) => amount)];
    return {
      name,
      available: state === undefined ? 0n : units(state.available),
      total: all.reduce((sum, one) => sum + units(one), 0n),
      low: band?.low && units(band.low),
      high: band?.high && units(band.high),
    };
  });
}

/** No holding is taken beyond what is available, and none leaves its band at the other edge. */
function outcome(accounts: readonly Account[], uses: readonly Use[]): Tried | undefined {
  let missed = 0n;
  for (const account of accounts) {
    const { available, total: before, low, high } = account;
    let [left, total] = [available, before];
    for (const { from, to, takes, brings } of uses) {
      if (from === account) left -= takes;
      if (from === account) total -= takes;
      if (to === account) total += brings;
    }
    if (left < 0n && left < available) return undefined;
    if (low !== undefined && total < low) {
      if (before >= low) return undefined;
      missed += low - total;
    }
    if (high !== undefined && total > high) {
      if (before <= high) return undefined;
      missed += total - high;
    }
  }
  return { missed, cost: uses.reduce((sum, { cost }) => sum + cost, 0n) };
}

const E18 = 10n ** 18n;
const DAY = 24n * 3_600_000n;

/** Lost at fair value, time and risk. */
function lotCost(input: PlanInput, { from, to, isExposed }: Route, { takes, brings, arrivesMs }: Slice): bigint {
  const moved = units(takes) * rate(input, from);
  const ms = BigInt(arrivesMs);
  const { capitalBpsPerYear, riskBpsPerDay } = input.costs;
  const time = up(moved * BigInt(capitalBpsPerYear) * ms, 10_000n * 365n * DAY);
  const risk = isExposed ? up(moved * BigInt(riskBpsPerDay) * ms, 10_000n * DAY) : 0n;
  return moved - units(brings) * rate(input, to) + time + risk;
}

function up(numerator: bigint, denominator: bigint): bigint {
  return numerator % denominator === 0n ? numerator / denominator : numerator / denominator + 1n;
}

export function rate({ rates }: PlanInput, holding: string): bigint {
  const price = rates(holding.split("@")[0] as Parameters<PlanInput["rates"]>[0]);
  if (price === undefined) throw new Error(`no rate of ${holding}`);
  return units(price);
}

/** Of 10^-18. */
export function units(amount: { toString(): string }): bigint {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount.toString()) as RegExpExecArray;
  const size = BigInt(`${whole}${fraction.padEnd(18, "0")}`);
  return sign === "-" ? -size : size;
}
