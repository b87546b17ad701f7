// Small planning problems drawn from a seed: one holding outside its band, a few routes with few lots. Bands that cannot be
// reached, minimums above what is needed, fees once, routes that exclude each other and money in flight all occur. A lot moves one unit of the holding, so that what is compared is the choice of routes and not the rounding.

import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { Random } from "../../../src/domain/random.ts";
import type { PlanInput } from "../../../src/treasury/plan/cheapest.ts";
import { assetOf, type Band, type HoldingName, type HoldingState } from "../../../src/treasury/plan/holding.ts";
import type { Route, Slice } from "../../../src/treasury/plan/route.ts";

export const TARGET = "VCHF" as HoldingName;
const OTHERS = ["CHF", "USDC", "CHF@BANK"] as unknown as readonly HoldingName[];
const HOUR = 3_600_000;

export function randomCase(random: Random): PlanInput {
  const rates = new Map(
    ["VCHF", "CHF", "USDC"].map((asset) => [asset, Price.of(decimal(random, 0.5, 1.6, 6))] as const),
  );
  const isBelow = random.next() < 0.6;
  const count = random.integer(1, 4);
  const held = random.integer(0, 20);
  return {
    currency: "CHF" as Asset,
    rates: (asset) => rates.get(asset),
    holdings: [holding(random, TARGET, String(isBelow ? held : held + 30)), ...OTHERS.map((one) => other(random, one))],
    bands: [bandOf(random, held, isBelow), ...OTHERS.flatMap((one) => spared(random, one))],
    routes: Array.from({ length: count }, (_, i) =>
      randomRoute(random, `route ${i + 1}`, { isBelow, isRow: i === 0 }, rates),
    ),
    costs: {
      stepCost: Money.of(random.next() < 0.5 ? "0" : decimal(random, 0, 0.3, 2), "CHF" as Asset),
      capitalBpsPerYear: random.integer(0, 2_000),
      riskBpsPerDay: random.integer(0, 50),
    },
  };
}

function bandOf(random: Random, held: number, isBelow: boolean): Band {
  const edge = (amount: number): Money => Money.of(String(amount), assetOf(TARGET));
  const miss = random.integer(1, 10);
  const width = random.integer(0, 12);
  const far = random.next() < 0.5;
  if (isBelow) return { holding: TARGET, low: edge(held + miss), high: far ? edge(held + miss + width) : undefined };
  const high = held + 30 - miss;
  return { holding: TARGET, low: far ? edge(Math.max(0, high - width)) : undefined, high: edge(high) };
}

function holding(random: Random, name: HoldingName, available: string): HoldingState {
  const some = (most: number): Money => Money.of(decimal(random, 0, most, 2), assetOf(name));
  // Of the target itself nothing: its miss is what the case is about.
  const inFlight = name !== TARGET && random.next() < 0.3 ? [{ amount: some(20), what: "a mint" }] : [];
  const bound = name !== TARGET && random.next() < 0.3 ? some(10) : Money.zero(assetOf(name));
  return { holding: name, available: Money.of(available, assetOf(name)), bound, inFlight };
}

function other(random: Random, name: HoldingName): HoldingState {
  return holding(random, name, decimal(random, 5, 60, 3));
}

/** Bands of the others hold as it is: they bound what is given and taken. */
function spared(random: Random, name: HoldingName): readonly Band[] {
  if (random.next() < 0.6) return [];
  return [{ holding: name, low: Money.of(String(random.integer(0, 5)), assetOf(name)), high: undefined }];
}

type Shape = { readonly isBelow: boolean; readonly isRow: boolean };

function randomRoute(random: Random, name: string, shape: Shape, rates: ReadonlyMap<string, Price>): Route {
  const place = OTHERS[random.integer(0, OTHERS.length - 1)] as HoldingName;
  const [from, to] = shape.isBelow ? [place, TARGET] : [TARGET, place];
  const par = rateOf(rates, TARGET) / rateOf(rates, place);
  // Up to 1 % worse than fair; each further slice a little worse, as in a row of orders.
  const lost = 0.01 * random.next();
  const one = Money.of("1", assetOf(TARGET));
  const other = (n: number): Money => {
    const share = lost + n * 0.0005;
    return Money.of((shape.isBelow ? par * (1 + share) : par * (1 - share)).toFixed(6), assetOf(place));
  };
  const isSlow = !shape.isRow && random.next() < 0.5;
  const arrivesMs = isSlow ? random.integer(1, 72) * HOUR : 0;
  const min = shape.isRow ? 1 : random.integer(1, 4);
  const once = (share: number): Money =>
    Money.of(shape.isBelow && isSlow && random.next() < share ? "1" : "0", assetOf(to));
  const [keeps, short] = [once(0.3), once(0.2)];
  const slices = Array.from(
    { length: shape.isRow ? 2 : 1 },
    (_, n): Slice => ({
      via: { kind: "order", symbol: "VCHF/CHF" as PairSymbol, side: "buy", limit: Price.of("1") },
      lot: Quantity.of("1"),
      min,
      max: min + random.integer(2, 8),
      takes: shape.isBelow ? other(n) : one,
      brings: shape.isBelow ? one : other(n),
      keeps,
      short,
      arrivesMs: arrivesMs + n * 30_000,
    }),
  );
  const group = random.next() < 0.3 ? `group ${random.integer(1, 2)}` : name;
  return { name, from, to, slices, isExposed: random.next() < 0.5, group };
}

function rateOf(rates: ReadonlyMap<string, Price>, holding: HoldingName): number {
  return (rates.get(assetOf(holding)) as Price).toNumber();
}

function decimal(random: Random, low: number, high: number, decimals: number): string {
  const text = (low + random.next() * (high - low)).toFixed(decimals);
  return Number(text) === 0 && low > 0 ? String(low) : text;
}
