// Small planning problems drawn from a seed: a few pots and doors, few lots, awkward numbers. Bands that cannot be reached,
// minimums above what is needed, doors that exclude each other, prices better than fair and money in flight all occur.

import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { Random } from "../../../src/domain/random.ts";
import { assetOf, type Band, type Holding, type PotName } from "../../../src/treasury/plan/holding.ts";
import type { PlanInput } from "../../../src/treasury/plan/plan.ts";
import type { Door } from "../../../src/treasury/plan/route.ts";

const POTS = ["VCHF", "CHF", "VGBP", "USDC", "CHF@BANK", "VCHF@ETH"] as const;
const HOUR = 3_600_000;

export function randomCase(random: Random): PlanInput {
  const pots = shuffled(random, POTS).slice(0, random.integer(2, 4)) as unknown as PotName[];
  const rates = new Map(
    ["VCHF", "CHF", "VGBP", "USDC"].map((asset) => [asset, Price.of(decimal(random, 0.5, 1.6, 6))] as const),
  );
  const count = random.integer(1, 5);
  const doors = Array.from({ length: count }, (_, i) => ({
    ...randomDoor(random, pots, rates, count),
    name: `door ${i + 1}`,
  }));
  return {
    currency: "CHF" as Asset,
    rates: (asset) => rates.get(asset),
    holdings: pots.filter(() => random.next() < 0.9).map((pot) => randomHolding(random, pot)),
    bands: pots.filter(() => random.next() < 0.8).map((pot) => randomBand(random, pot)),
    doors,
    costs: {
      stepCost: Money.of(random.next() < 0.5 ? "0" : decimal(random, 0, 3, 2), "CHF" as Asset),
      capitalBpsPerYear: random.integer(0, 2_000),
      riskBpsPerDay: random.integer(0, 50),
    },
  };
}

function randomHolding(random: Random, pot: PotName): Holding {
  const asset = assetOf(pot);
  const some = (most: number): Money => Money.of(decimal(random, 0, most, random.integer(0, 4)), asset);
  const inFlight = random.next() < 0.3 ? [{ amount: some(40), what: `mint ${random.integer(1, 9)}` }] : [];
  return {
    pot,
    available: some(120),
    bound: random.next() < 0.3 ? some(20) : Money.zero(asset),
    inFlight,
  };
}

function randomBand(random: Random, pot: PotName): Band {
  const asset = assetOf(pot);
  const low = random.integer(0, 100);
  const high = low + random.integer(0, 30);
  const shape = random.next();
  return {
    pot,
    low: shape < 0.8 ? Money.of(String(low), asset) : undefined,
    high: shape > 0.3 ? Money.of(`${high}.${random.integer(0, 9)}`, asset) : undefined,
  };
}

function randomDoor(
  random: Random,
  pots: readonly PotName[],
  rates: ReadonlyMap<string, Price>,
  count: number,
): Omit<Door, "name"> {
  const from = pots[random.integer(0, pots.length - 1)] as PotName;
  const others = pots.filter((pot) => pot !== from);
  const to = others[random.integer(0, others.length - 1)] as PotName;
  const takes = Money.of(decimal(random, 0.5, 15, random.integer(0, 6)), assetOf(from));
  const fair = (takes.toNumber() * rateOf(rates, from)) / rateOf(rates, to);
  const isSlow = random.next() < 0.5;
  const min = random.integer(1, 4);
  return {
    way: { kind: "order", symbol: "VCHF/CHF" as PairSymbol, side: "buy", limit: Price.of("1") },
    from,
    to,
    lot: Quantity.of(decimal(random, 0.1, 10, 2)),
    min,
    max: random.integer(min - 1, min + (count > 3 ? 3 : 6)),
    takes,
    // From 3 % worse to half a percent better than fair.
    brings: Money.of((fair * (0.97 + random.next() * 0.035)).toFixed(6), assetOf(to)),
    keeps: Money.of(random.next() < 0.3 ? decimal(random, 0, 2, 2) : "0", assetOf(to)),
    short: Money.of(random.next() < 0.2 ? decimal(random, 0, 1, 2) : "0", assetOf(to)),
    arrivesMs: isSlow ? random.integer(1, 72) * HOUR : 0,
    isExposed: random.next() < 0.5,
    exclusive:
      random.next() < 0.4 ? { group: `pair ${random.integer(1, 2)}`, side: `side ${random.integer(1, 2)}` } : undefined,
  };
}

function rateOf(rates: ReadonlyMap<string, Price>, pot: PotName): number {
  return (rates.get(assetOf(pot)) as Price).toNumber();
}

function decimal(random: Random, low: number, high: number, decimals: number): string {
  const text = (low + random.next() * (high - low)).toFixed(decimals);
  return Number(text) === 0 && low > 0 ? String(low) : text;
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
