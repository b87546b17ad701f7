// How prices are judged, as plain data in a trial and as the bot has it: maps, sets and the week of the currency markets. A rule
// that has no plain form here is refused, so that no run of many is judged by less than a single one.

import type { PriceRules } from "../../src/bot/core.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { invariant } from "../../src/domain/invariant.ts";
import { FxWeek } from "../../src/market/fx-week.ts";

export type PlainPriceRules = {
  readonly bands: Readonly<Record<string, { readonly low: number; readonly high: number }>>;
  readonly sourcesMin: Readonly<Record<string, number>>;
  readonly origins: Readonly<Record<string, string>>;
  readonly anchors: readonly string[];
  readonly measuredBy?: Readonly<Record<string, string>>;
  readonly frozenMsMaxOf?: Readonly<Record<string, number>>;
  readonly weekly?: readonly string[];
  readonly legsOf?: Readonly<Record<string, readonly string[]>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** Undefined: the markets never close. */
  readonly weekend?: { readonly holidays: readonly string[]; readonly collarBps?: number };
};

const NUMBERS = ["anchorBps", "frozenMsMax", "leapBps", "holdMs"] as const;

/** `holidays` are those that the week was made with. */
export function plainPriceRules(rules: PriceRules, holidays: readonly string[]): PlainPriceRules {
  const { bands, sourcesMinOf, origins, anchors, weekend, anchorBps, frozenMsMax, leapBps, holdMs, ...more } = rules;
  const { measuredBy, frozenMsMaxOf, weekly, legsOf, ...rest } = more;
  const strange = Object.keys(rest);
  invariant(strange.length === 0, `a trial must know every rule of prices, did not know ${strange.join(", ")}`);
  const numbers = Object.entries({ anchorBps, frozenMsMax, leapBps, holdMs }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    bands: Object.fromEntries(bands ?? []),
    sourcesMin: Object.fromEntries(sourcesMinOf ?? []),
    origins: Object.fromEntries(origins ?? []),
    anchors: [...(anchors ?? [])],
    ...(measuredBy === undefined || measuredBy.size === 0 ? {} : { measuredBy: Object.fromEntries(measuredBy) }),
    ...(frozenMsMaxOf === undefined || frozenMsMaxOf.size === 0
      ? {}
      : { frozenMsMaxOf: Object.fromEntries(frozenMsMaxOf) }),
    ...(weekly === undefined || weekly.size === 0 ? {} : { weekly: [...weekly] }),
    ...(legsOf === undefined || legsOf.size === 0 ? {} : { legsOf: Object.fromEntries(legsOf) }),
    numbers: Object.fromEntries(numbers) as PlainPriceRules["numbers"],
    ...(weekend === undefined
      ? {}
      : { weekend: { holidays, ...(weekend.collarBps === undefined ? {} : { collarBps: weekend.collarBps }) } }),
  };
}

/** A week remembers where it looked last, so every run has its own. */
export function priceRules(plain: PlainPriceRules): PriceRules {
  const { bands, sourcesMin, origins, anchors, numbers, weekend, measuredBy, frozenMsMaxOf, weekly, legsOf } = plain;
  const known = NUMBERS.filter((name) => numbers[name] !== undefined).map((name) => [name, numbers[name]]);
  return {
    bands: new Map(Object.entries(bands) as [PairSymbol, { low: number; high: number }][]),
    sourcesMinOf: new Map(Object.entries(sourcesMin) as [PairSymbol, number][]),
    origins: new Map(Object.entries(origins)),
    anchors: new Set(anchors),
    ...(measuredBy === undefined ? {} : { measuredBy: new Map(Object.entries(measuredBy) as [PairSymbol, string][]) }),
    ...(frozenMsMaxOf === undefined ? {} : { frozenMsMaxOf: new Map(Object.entries(frozenMsMaxOf)) }),
    ...(weekly === undefined ? {} : { weekly: new Set(weekly) }),
    ...(legsOf === undefined ? {} : { legsOf: new Map(Object.entries(legsOf) as [string, PairSymbol[]][]) }),
    ...(Object.fromEntries(known) as Partial<Record<(typeof NUMBERS)[number], number>>),
    ...(weekend === undefined ? {} : { weekend: { week: new FxWeek(weekend.holidays), collarBps: weekend.collarBps } }),
  };
}
