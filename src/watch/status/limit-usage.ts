// How full the limits are that fill up: what was used, of how much. Limits on one order have no such thing. It reads what the
// rules read and decides nothing; what cannot be told is unknown, as it is to the rules.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import { timeText } from "../../domain/time-text.ts";
import { type Limits, unlessOff } from "../../risk/limits.ts";
import type { RiskContext } from "../../risk/rule.ts";
import type { ShownLimit } from "../status.ts";

type Measure = { readonly used: number | undefined; readonly limit: number; readonly detail?: string };

const MINUTE_MS = 60_000;

export function limitsUsed(limits: Limits, context: RiskContext): ShownLimit[] {
  const { books, pricing, now } = context;
  const { currency } = pricing;
  const equity = pricing.equity();
  const widest = largestExposure(context);
  const { oldest } = books.doubts;
  const since = resumedText(books.day.since);
  return [
    row("daily-loss", ["RC05", "loss of the day", currency], limits.dailyLossBpsMax, (bps) => ({
      ...lossOf(books.day.opening, equity, bps, books.day.realised),
      ...since,
    })),
    row("drawdown", ["RC06", "loss from the peak", currency], limits.drawdownBpsMax, (bps) =>
      lossOf(books.peak, equity, bps),
    ),
    row("asset-exposure", ["RC03", "largest exposure", currency], limits.assetExposureMax, (max) =>
      money(max, widest?.value, widest?.asset),
    ),
    row("gross-exposure", ["RC04", "gross exposure", currency], limits.grossExposureMax, (max) =>
      money(max, pricing.grossExposure()),
    ),
    row("turnover-hour", ["RC11", "turnover of the hour", currency], limits.turnoverPerHourMax, (max) =>
      money(max, books.turnoverOfHour(now)),
    ),
    row("turnover-day", ["RC11", "turnover of the day", currency], limits.turnoverPerDayMax, (max) => ({
      ...money(max, books.day.turnover),
      ...since,
    })),
    row("fees-day", ["RC18", "fees of the day", currency], limits.feesPerDayMax, (max) => ({
      ...money(max, books.day.fees),
      ...since,
    })),
    row("orders-minute", ["RC10", "orders in a minute", ""], limits.ordersPerMinuteMax, (limit) => ({
      used: ordersOfMinute(context, limit),
      limit,
    })),
    row("orders-day", ["RC10", "orders of the day", ""], limits.ordersPerDayMax, (limit) => ({
      used: books.day.orders,
      limit,
      ...since,
    })),
    row("rejects", ["RC12", "rejections in a row", ""], limits.rejectsMax, (limit) => ({
      used: books.rejects.count,
      limit,
    })),
    row("losses", ["RC13", "losing fills in a row", ""], limits.lossesMax, (limit) => ({
      used: books.losses.count,
      limit,
    })),
    row("doubts", ["RC16", "orders in doubt", ""], limits.doubtsMax, (limit) => ({ used: books.doubts.count, limit })),
    row("doubt-age", ["RC16", "oldest order in doubt", "s"], limits.doubtAgeMsMax, (ms) => ({
      used: oldest === undefined ? 0 : Math.max(0, now - oldest.since) / 1_000,
      limit: ms / 1_000,
    })),
  ];
}

function row<T>(
  key: ShownLimit["key"],
  [rule, name, unit]: readonly [string, string, string],
  limit: T | `off: ${string}`,
  measure: (limit: T) => Measure,
): ShownLimit {
  const set = unlessOff(limit);
  if (set === undefined) return { key, rule, name, unit, used: undefined, limit: undefined, usedBps: undefined };
  const { used, limit: most, detail } = measure(set);
  const usedBps = used === undefined ? undefined : Math.round((used / most) * 1e4);
  return { key, rule, name: detail === undefined ? name : `${name} ${detail}`, unit, used, limit: most, usedBps };
}

function money(limit: { toNumber(): number }, used: Money | undefined, detail?: string): Measure {
  return { used: used?.toNumber(), limit: limit.toNumber(), ...(detail === undefined ? {} : { detail }) };
}

/** Limits start anew where a person resumed a halt: then they are not of the whole day. */
function resumedText(since: Millis | undefined): { detail?: string } {
  return since === undefined ? {} : { detail: `since the resume of ${timeText(since).slice(0, 5)} UTC` };
}

/** As the rules have it: a gain is no loss, and of the day the worse of what is marked and what was realised. */
function lossOf(base: Money | undefined, equity: Money | undefined, bps: number, realised?: Money): Measure {
  if (base === undefined) return { used: undefined, limit: Number.NaN };
  const limit = base.share(bps, "down").toNumber();
  if (equity === undefined) return { used: undefined, limit };
  const nothing = Money.zero(base.asset);
  const loss = base.minus(equity).max(realised?.negated() ?? nothing);
  return { used: loss.max(nothing).toNumber(), limit };
}

/** Of all of them, or not known: the one without a rate may be the largest. */
function largestExposure({ accounts, pricing }: RiskContext): { asset: Asset; value: Money } | undefined {
  let largest: { asset: Asset; value: Money } | undefined;
  for (const asset of accounts.assets) {
    if (asset === pricing.currency) continue;
    const value = pricing.exposure(asset)?.size();
    if (value === undefined) return undefined;
    if (largest === undefined || !value.atMost(largest.value)) largest = { asset, value };
  }
  return largest;
}

function ordersOfMinute({ books, now }: RiskContext, most: number): number {
  let count = 0;
  while (count < most) {
    const at = books.orderTimes.nthLast(count + 1);
    if (at === undefined || now - at >= MINUTE_MS) break;
    count++;
  }
  return count;
}
