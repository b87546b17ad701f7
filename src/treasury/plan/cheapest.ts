// The cheapest way to bring every holding into its band from the money available now. For each holding outside its band
// every single route is priced, and every two together on a grid of slices; a route takes from another holding only what
// that one's band can spare. No step spends the proceeds of another: nothing is stranded half-way.

import { invariant } from "../../domain/invariant.ts";
import { formatUnits } from "../../domain/money/grammar.ts";
import { Money } from "../../domain/money/money.ts";
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
import { type Bounds, Path, type PlanStep, PricedRoute, type PricingTerms, type Use, worth } from "./path.ts";
import { type Route, times, unitsOf, type Value, type Via } from "./route.ts";

export type PlanInput = PricingTerms & {
  readonly holdings: readonly HoldingState[];
  readonly bands: readonly Band[];
  readonly routes: readonly Route[];
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

/** `reason`: why it is still outside its band. */
export type HoldingOutlook = HoldingChange & { readonly reason: string | undefined };

export function cheapest(input: PlanInput): Plan {
  const books = new Books(input);
  const pathsFor = (costBpsMax: number | undefined) =>
    input.routes.map((route) => new Path([new PricedRoute(route, input, costBpsMax)]));
  const steps: PlanStep[] = [];
  const tables: RouteTable[] = [];
  const used = new Set<string>();
  for (const holding of books.outside()) {
    const priced = pathsFor(input.bands.find((band) => band.holding === holding)?.costBpsMax);
    let missed: bigint | undefined;
    for (;;) {
      const need = books.need(holding, missed);
      if (need === undefined) break;
      const leads = ({ from, to }: Path): boolean => (need.isBelow ? to : from) === holding;
      const open = priced.filter((path) => leads(path) && !path.groups.some((group) => used.has(group)));
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
        for (const group of use.of.groups) used.add(group);
        steps.push(...stepsOf(use, input));
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

/** What leaves `from`, or with `isBuy` arrives at `to`. */
export type Conversion = {
  readonly from: HoldingName;
  readonly to: HoldingName;
  readonly amount: Money;
  readonly isBuy: boolean;
  /** A slice that may lose more of its value is not used. */
  readonly costBpsMax: number;
};

/** Every way from one holding to another, over one route or two in a row, best first; none moves more than the amount. */
export function waysBetween(wish: Conversion, terms: Omit<PlanInput, "bands">): readonly Way[] {
  const { from, to, amount, isBuy, costBpsMax } = wish;
  const there = expected(stateOf(isBuy ? to : from, terms.holdings));
  const edge = isBuy ? { low: undefined, high: there.plus(amount) } : { low: there.minus(amount), high: undefined };
  const input = { ...terms, bands: [{ holding: isBuy ? to : from, ...edge }] };
  const priced = input.routes.map((route) => new PricedRoute(route, input, costBpsMax));
  // The first is an order, whose end is known before the next: what is on its way is not spent. An exact purchase is one route.
  const isOf = ({ slices }: Route, ...kinds: Via["kind"][]) => slices.every(({ via }) => kinds.includes(via.kind));
  const onwards = ({ route }: PricedRoute): readonly PricedRoute[] =>
    priced.filter(({ route: next }) => {
      const leads = next.from === route.to && next.to === to && next.group !== route.group;
      return leads && !isBuy && isOf(route, "order") && isOf(next, "order", "off-ramp");
    });
  const paths = priced
    .filter(({ route }) => route.from === from)
    .flatMap((first) =>
      first.route.to === to ? [new Path([first])] : onwards(first).map((next) => new Path([first, next])),
    );
  const need = { isBelow: isBuy, amount: unitsOf(amount) };
  const ways = waysOf(need, paths, new Books(input));
  const more = ways.slice(0, TRIED).flatMap((way) => further(way, need, paths, new Books(input)) ?? []);
  return ranked([...ways, ...more]).map((way) => shown(way, isBuy ? to : from, input));
}

/** The best of all ways are tried on, for what they leave. */
const TRIED = 4;

/** With the best of the other paths for what it leaves. */
function further({ uses, left }: Ranked, need: Need, paths: readonly Path[], books: Books): Ranked | undefined {
  if (left === 0n) return undefined;
  const used = uses.flatMap(({ of }) => of.groups);
  for (const use of uses) books.take(use);
  const others = paths.filter(({ groups }) => !groups.some((group) => used.includes(group)));
  const [best] = waysOf({ ...need, amount: left }, others, books);
  return best && rank([...uses, ...best.uses], need);
}

/** The grid: two routes share an amount in tenths, and where a slice of either is full or at its least. */
const PARTS = 10n;

/** Of what was missing, the part that is not worth a route of its own. */
const DUST_PARTS = 10_000n;

type Ranked = { readonly uses: readonly Use[]; readonly left: bigint; readonly missing: bigint; readonly cost: Value };

function waysOf(need: Need, paths: readonly Path[], books: Books): readonly Ranked[] {
  const singles = paths.flatMap((path) => path.use(need.isBelow, need.amount, books.bounds(path)) ?? []);
  const grid = Array.from({ length: Number(PARTS) }, (_, i) => (need.amount * BigInt(i + 1)) / PARTS);
  let best: Ranked | undefined;
  for (const [i, { of: one }] of singles.entries()) {
    const ends = one.ends(need.isBelow);
    const shared = [...grid, ...ends].flatMap((amount) => one.use(need.isBelow, amount, books.bounds(one)) ?? []);
    for (const { of: other } of singles.slice(i + 1)) {
      if (one.groups.some((group) => other.groups.includes(group))) continue;
      const rests = other
        .ends(need.isBelow)
        .flatMap((end) => one.use(need.isBelow, need.amount - end, books.bounds(one)) ?? []);
      for (const first of [...shared, ...rests]) {
        const second = other.use(need.isBelow, need.amount - first.gained, books.bounds(other, first));
        if (
          second === undefined ||
          (best !== undefined && first.cost + second.cost >= best.cost && best.missing === 0n)
        )
          continue;
        const way = rank([first, second], need);
        if (best === undefined || isBetter(way, best)) best = way;
      }
    }
  }
  return ranked([...singles.map((use) => rank([use], need)), ...(best === undefined ? [] : [best])]);
}

function rank(uses: readonly Use[], need: Need): Ranked {
  const left = uses.reduce((sum, { gained }) => sum - gained, need.amount);
  const missing = left * DUST_PARTS > need.amount ? left : 0n;
  return { uses, left: left > 0n ? left : 0n, missing, cost: uses.reduce((sum, { cost }) => sum + cost, 0n) };
}

function ranked(ways: Ranked[]): readonly Ranked[] {
  return ways.sort((one, other) => (isBetter(one, other) ? -1 : 1));
}

function isBetter(one: Ranked, other: Ranked): boolean {
  if (one.missing !== other.missing) return one.missing < other.missing;
  if (one.cost !== other.cost) return one.cost < other.cost;
  return one.uses.length < other.uses.length;
}

function stepsOf({ parts }: Use, input: PlanInput): readonly PlanStep[] {
  return parts.flatMap(({ of, lots }) => of.steps(lots, input));
}

function shown({ uses, left }: Ranked, holding: HoldingName, input: PlanInput): Way {
  const steps = uses.flatMap((use) => stepsOf(use, input));
  const slow = steps.filter(({ via }) => via.kind !== "order");
  return {
    steps,
    cost: sumOf(steps, "cost", input),
    tiedUp: sumOf(slow, "value", input),
    arrivesMs: Math.max(0, ...uses.map(({ parts }) => parts.reduce((sum, part) => sum + part.of.lastMs(part.lots), 0))),
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
  bounds({ from, to }: Path, next?: Use): Bounds {
    const [source, sink] = [this.#of(from), this.#of(to)];
    const taken = next?.of.from === from ? next.takes : 0n;
    const brought = next?.of.to === to ? next.brings : 0n;
    const spare = source.low === undefined ? source.available : source.total - source.low;
    const give = (spare < source.available ? spare : source.available) - taken;
    return { give, room: sink.high === undefined ? undefined : sink.high - sink.total - brought };
  }

  take({ of: { from, to }, takes, brings }: Use): void {
    const [source, sink] = [this.#of(from), this.#of(to)];
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
  return "the routes are too narrow or too dear, or the other holdings have too little or too much";
}
