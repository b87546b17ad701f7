// The usage of the limits that fill up. Limits on a single order have no usage. It reads the same data as the rules and
// decides nothing; a value that cannot be computed is unknown, as for the rules.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { timeText } from "../../domain/time-text.ts";
import { type Limits, unlessOff } from "../../risk/limits.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { type Stress, stressOf } from "../../risk/stress.ts";
import type { ShownLimit } from "../status.ts";

type Figure = { toNumber(): number } | number | undefined;
type Row = readonly [key: ShownLimit["key"], rule: string, name: string, unit: string, limit: Figure, used: Figure];

const MINUTE_MS = 60_000;

/** The fullest first. */
export function limitsUsed(limits: Limits, context: RiskContext): ShownLimit[] {
  const { counters, pricing, now } = context;
  const { day, peak, doubts } = counters;
  const { currency } = pricing;
  const equity = pricing.equity();
  const largest = largestExposure(context);
  // Limits restart when a person resumes from a halt; they then do not cover the whole day.
  const since = day.since === undefined ? "" : ` since the resume of ${timeText(day.since).slice(0, 5)} UTC`;
  const set = (limit: Figure | `off: ${string}`): Figure => unlessOff(limit);
  const ofBase = (limit: number | `off: ${string}`, base: Money | undefined): Figure => {
    const bps = unlessOff(limit);
    return bps === undefined ? undefined : (base?.share(bps, "down") ?? Number.NaN);
  };
  const turnoverOfHour = counters.hour.total(now);
  const perMinute = unlessOff(limits.ordersPerMinuteMax);
  const doubtAgeMs = unlessOff(limits.doubtAgeMsMax);
  const oldestMs = doubts.oldest === undefined ? 0 : Math.max(0, now - doubts.oldest.since);
  const [lossOfDay, lossFromPeak] = [lossOf(day.opening, equity, day.realised), lossOf(peak, equity)];
  const { markouts } = counters;
  const adverse = markouts.missing > 0 ? undefined : markouts.adverseBps;
  const rows: readonly Row[] = [
    ["daily-loss", "RC05", `loss of the day${since}`, currency, ofBase(limits.dailyLossBpsMax, day.opening), lossOfDay],
    ["drawdown", "RC06", "loss from the peak", currency, ofBase(limits.drawdownBpsMax, peak), lossFromPeak],
    ["asset-exposure", "RC03", largest.name, currency, set(limits.assetExposureMax), largest.value],
    ["gross-exposure", "RC04", "gross exposure", currency, set(limits.grossExposureMax), pricing.grossExposure()],
    ...stressOf(limits, context).map(({ key, rule, name, cost, limitBps }): Row => {
      return [key, rule, name, currency, limitBps && ofBase(limitBps, equity), cost];
    }),
    ["turnover-hour", "RC11", "turnover of the hour", currency, set(limits.turnoverPerHourMax), turnoverOfHour],
    ["turnover-day", "RC11", `turnover of the day${since}`, currency, set(limits.turnoverPerDayMax), day.turnover],
    ["fees-day", "RC18", `fees of the day${since}`, currency, set(limits.feesPerDayMax), day.fees],
    ["orders-minute", "RC10", "orders in a minute", "", perMinute, ordersOfMinute(context, perMinute ?? 0)],
    ["orders-day", "RC10", `orders of the day${since}`, "", set(limits.ordersPerDayMax), day.orders],
    ["rejects", "RC12", "rejections in a row", "", set(limits.rejectsMax), counters.streaks.rejects.count],
    ["losses", "RC13", "losing fills in a row", "", set(limits.lossesMax), counters.streaks.losses.count],
    ["adverse-fills", "RC36", "price against our fills", "bp", set(limits.adverseBpsMax), adverse],
    ["doubts", "RC16", "orders in doubt", "", set(limits.doubtsMax), doubts.count],
    ["doubt-age", "RC16", "oldest order in doubt", "s", doubtAgeMs && doubtAgeMs / 1_000, oldestMs / 1_000],
  ];
  const shown = rows.map(([key, rule, name, unit, ...figures]) => {
    const [limit, all] = figures.map((figure) => (typeof figure === "object" ? figure.toNumber() : figure));
    const used = limit === undefined && !STRESS.has(key) ? undefined : all;
    // Before the books are opened the limit may be zero.
    const bps = limit === undefined || used === undefined ? Number.NaN : Math.round((used / limit) * 1e4);
    return { key, rule, name, unit, used, limit, usedBps: Number.isFinite(bps) ? bps : undefined };
  });
  return shown.toSorted((one, other) => (other.usedBps || -1) - (one.usedBps || -1));
}

/** The stress table, shown without a limit, too. */
export const STRESS: ReadonlySet<ShownLimit["key"]> = new Set<Stress["key"]>([
  "depeg-loss",
  "issuer-loss",
  "everything-lost",
]);

/** As in the rules: a gain is not a loss, and for the day the worse of marked and realised loss counts. */
function lossOf(base: Money | undefined, equity: Money | undefined, realised?: Money): Money | undefined {
  if (base === undefined || equity === undefined) return undefined;
  const nothing = Money.zero(base.asset);
  return base
    .minus(equity)
    .max(realised?.negated() ?? nothing)
    .max(nothing);
}

/** The largest of all exposures; unknown if one has no rate, because that one may be the largest. */
function largestExposure({ accounts, pricing }: RiskContext): { readonly name: string; readonly value?: Money } {
  let largest: { readonly asset: Asset; readonly value: Money } | undefined;
  for (const asset of accounts.assets) {
    if (asset === pricing.currency) continue;
    const value = pricing.exposure(asset)?.size();
    if (value === undefined) return { name: "largest exposure" };
    if (largest === undefined || !value.atMost(largest.value)) largest = { asset, value };
  }
  return largest === undefined
    ? { name: "largest exposure" }
    : { name: `largest exposure ${largest.asset}`, value: largest.value };
}

function ordersOfMinute({ counters, now }: RiskContext, most: number): number {
  let count = 0;
  while (count < most) {
    const at = counters.orderTimes.nthLast(count + 1);
    if (at === undefined || now - at >= MINUTE_MS) break;
    count++;
  }
  return count;
}

const ROOM_SHOWN = 3;

/** The fullest limits with what is used of each. */
export function roomText(limits: readonly ShownLimit[]): string {
  const known = limits.flatMap((one) => (one.usedBps === undefined ? [] : [{ ...one, usedBps: one.usedBps }]));
  const texts = known
    .slice(0, ROOM_SHOWN)
    .map(({ rule, name, usedBps }) => `${rule} ${name} ${Math.round(usedBps / 100)} %`);
  return `${texts.join(", ")}${known.length > ROOM_SHOWN ? `, ${known.length - ROOM_SHOWN} others less` : ""}`;
}
