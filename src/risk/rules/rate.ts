// Rates over time, and when sending pauses: rejections, unknown outcomes, repetitions, a missing heartbeat.

import type { PairSymbol } from "../../domain/asset.ts";
import { Money, type Price, Quantity } from "../../domain/money/money.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";
import { utcDay } from "../counters/day.ts";
import type { Doubts } from "../counters/open-orders.ts";
import { type Counted, type RecentIntents, roomFrom, type Streak } from "../counters/recent.ts";
import { type Assessment, type Breach, PASS, type RiskContext, type Rule, type Ruling } from "../rule.ts";
import { capTo, capValue, fewerThan, halted, isIn, isKnown, refusalOf, refuse, refuseUnknown } from "../ruling.ts";
import { RESUME } from "../trading-state.ts";

// A pause after a streak, counted from its last event; every further event restarts it.

/** The length of the streak, with the name of its limit. */
export type StreakLimit = { readonly name: string; readonly max: number; readonly freezeMs: number };

export function reviewFreeze(
  code: string,
  what: string,
  { count, lastAt }: Streak,
  { name, max, freezeMs }: StreakLimit,
  now: Millis,
): Ruling {
  if (count < max) return PASS;
  if (!isKnown(lastAt) || !isKnown(now)) return refuseUnknown(code, "time since the last one", `${freezeMs} ms`);
  const leftMs = lastAt + freezeMs - now;
  return leftMs <= 0 ? PASS : refuse(code, what, `${count} (frozen for ${leftMs} ms more)`, fewerThan(max, name));
}

// RC10: orders in any minute, and of one UTC day. A used-up day halts the bot, because that many orders are a fault.

const MINUTE_MS = 60_000;

export function orderRate(perMinuteMax: number): Rule {
  return {
    code: "RC10",
    review(_, { now, counters }) {
      if (!isKnown(now)) return refuseUnknown("RC10", "time", `${perMinuteMax} orders a minute`);
      const oldest = counters.orderTimes.nthLast(perMinuteMax);
      if (oldest === undefined || now - oldest >= MINUTE_MS) return PASS;
      return refuse("RC10", "orders of the last minute would be", perMinuteMax + 1, perMinuteMax);
    },
  };
}

export function dailyOrders(max: number): Rule {
  return {
    code: "RC10",
    review(_, { counters }) {
      const { orders } = counters.day;
      return orders < max ? PASS : refuse("RC10", "orders of the day would be", orders + 1, max);
    },
    monitor({ counters }) {
      const { orders } = counters.day;
      // All orders up to the limit may leave: the last is not held back by the stop that it causes.
      const isWaiting = orders === max && !counters.openValue.isZero();
      return orders < max || isWaiting
        ? undefined
        : halted("RC10", { what: "orders of the day are", value: orders, limit: max });
    },
  };
}

// RC11: value traded in any hour and in one UTC day, open orders counted as filled. An order that could exceed the
// limit is capped to the remaining room; unforeseen fills beyond it halt the bot.

export function turnoverPerHour(max: Money): Rule {
  const traded = {
    sum: ({ counters, now }: RiskContext) => counters.hour.total(now),
    newestFirst: ({ counters, now }: RiskContext) => counters.hour.newestFirst(now),
  };
  return turnover(max, "value traded in an hour", traded);
}

export function turnoverPerDay(max: Money): Rule {
  const sum = ({ counters }: RiskContext): Money => counters.day.turnover;
  const traded = {
    sum,
    newestFirst: (context: RiskContext) => [{ amount: sum(context), leavesAt: (utcDay(context.now) + 1) * DAY_MS }],
  };
  return turnover(max, "value traded on the day", traded);
}

type Traded = {
  readonly sum: (context: RiskContext) => Money;
  /** The parts of the sum, and when each leaves it. */
  readonly newestFirst: (context: RiskContext) => readonly Counted<Money>[];
};

function turnover(max: Money, what: string, traded: Traded): Rule {
  return {
    code: "RC11",
    review(order, context) {
      const { committed } = order;
      if (!isIn(committed, max.asset) || context.counters.unpricedFills > 0) return refuseUnknown("RC11", what, max);
      const sum = traded.sum(context);
      if (max.covers(sum, committed)) return PASS;
      const left = max.minus(sum).minus(context.counters.openValue);
      if (left.isPositive())
        return capValue(order, left, context.pricing, () =>
          refusalOf("RC11", `${what} could be`, sum.plus(committed), max),
        );
      const fits = (counted: Money): boolean => max.covers(counted, committed);
      const from = roomFrom(traded.newestFirst(context), Money.zero(max.asset), fits);
      const room = from === undefined ? "" : ` (there is room for it from ${from} on)`;
      return capTo(Quantity.zero, order, () => refusalOf("RC11", `${what}${room} could be`, sum.plus(committed), max));
    },
    monitor(context): Breach | undefined {
      if (context.counters.unpricedFills > 0)
        return halted("RC11", {
          subject: `${what}: unknown`,
          what: `${what} is`,
          value: "unknown: a fill has no rate",
          limit: max,
        });
      const sum = traded.sum(context);
      if (sum.atMost(max)) return undefined;
      return halted("RC11", { subject: what, what: `${what} is`, value: sum, limit: max });
    },
  };
}

// RC12: rejections in a row, of one symbol and of all. A streak freezes for a while, one twice as long halts the bot
// for a person to look at. Unfilled orders are not rejections.

export function rejectBreaker(max: number, freezeMs: number): Rule {
  const limit = { name: "rejectsMax", max, freezeMs };
  return {
    code: "RC12",
    review: (_, { counters, now }) =>
      reviewFreeze("RC12", "rejections in a row are", counters.streaks.rejects, limit, now),
    monitor: ({ counters }) => tooMany("all", "rejections in a row are", counters.streaks.rejects, limit),
  };
}

export function symbolRejectBreaker(symbols: readonly PairSymbol[], max: number, freezeMs: number): Rule {
  const limit = { name: "rejectsPerSymbolMax", max, freezeMs };
  return {
    code: "RC12",
    review({ symbol }, { counters, now }) {
      const streak = counters.streaks.rejectsOf(symbol);
      if (streak.count < max) return PASS;
      return reviewFreeze("RC12", `rejections of ${symbol} in a row are`, streak, limit, now);
    },
    monitor({ counters }: RiskContext) {
      for (const symbol of symbols) {
        const breach = tooMany(
          symbol,
          `rejections of ${symbol} in a row are`,
          counters.streaks.rejectsOf(symbol),
          limit,
        );
        if (breach !== undefined) return breach;
      }
      return undefined;
    },
  };
}

function tooMany(subject: string, what: string, { count }: Streak, { name, max }: StreakLimit): Breach | undefined {
  if (count < 2 * max) return undefined;
  return halted("RC12", { subject, what, value: count, limit: fewerThan(2 * max, `twice ${name}`) });
}

// RC16: unknown outcomes. A number of them in one asset freezes it, a number in total freezes everything, and one that
// stays unknown too long halts the bot.

/** Each is undefined if turned off. */
type DoubtLimits = {
  readonly perAssetMax: number | undefined;
  readonly max: number | undefined;
  readonly ageMsMax: number | undefined;
};

/** One rule for all three, because there is rarely an unknown outcome to check. */
export function openDoubts({ perAssetMax, max, ageMsMax }: DoubtLimits): Rule | undefined {
  if (perAssetMax === undefined && max === undefined && ageMsMax === undefined) return undefined;
  const rule: Rule = {
    code: "RC16",
    review(order, { counters: { doubts }, now }) {
      if (doubts.count > 0 && perAssetMax !== undefined) {
        const frozen = reviewAssets(order, doubts, perAssetMax);
        if (frozen !== PASS) return frozen;
      }
      if (max !== undefined && doubts.count >= max)
        return refuse("RC16", "orders of unknown outcome are", doubts.count, fewerThan(max, "doubtsMax"));
      return ageMsMax === undefined || doubts.oldest === undefined ? PASS : reviewAge(doubts.oldest, ageMsMax, now);
    },
  };
  return ageMsMax === undefined ? rule : { ...rule, ...ageMonitor(ageMsMax) };
}

function reviewAssets({ sold, bought }: Assessment, doubts: Doubts, max: number): Ruling {
  for (const asset of [sold, bought]) {
    const count = doubts.countOf(asset);
    if (count < max) continue;
    return refuse("RC16", `orders of unknown outcome in ${asset} are`, count, fewerThan(max, "doubtsPerAssetMax"));
  }
  return PASS;
}

type Oldest = NonNullable<Doubts["oldest"]>;

function reviewAge({ clientOrderId, since }: Oldest, ageMsMax: number, now: number): Ruling {
  const limit = `${ageMsMax} ms`;
  if (!isKnown(now)) return refuseUnknown("RC16", "time", limit);
  const ageMs = now - since;
  return ageMs <= ageMsMax ? PASS : refuse("RC16", `outcome of ${clientOrderId} is unknown for`, `${ageMs} ms`, limit);
}

function ageMonitor(ageMsMax: number): Pick<Rule, "monitor"> {
  return {
    monitor({ counters: { doubts }, now }) {
      const { oldest } = doubts;
      if (oldest === undefined || now - oldest.since <= ageMsMax) return undefined;
      const { clientOrderId, since } = oldest;
      const wayOut = `pegbot resolve ${clientOrderId} --filled|--not-filled --reason "...", then pegbot resume --reason "..."`;
      const what = `outcome of ${clientOrderId} is unknown for`;
      const [value, limit] = [`${now - since} ms`, `${ageMsMax} ms`];
      return halted("RC16", { subject: clientOrderId, what, value, limit, wayOut });
    },
  };
}

// RC14: the same order again (symbol, side, size and limit) shortly after its approval.

export function duplicateIntent(windowMs: number): Rule {
  const limit = `${windowMs} ms`;
  return {
    code: "RC14",
    review(order, { counters: { recent }, now }) {
      if (!isKnown(now)) return refuseUnknown("RC14", "time", limit);
      const since = now - windowMs;
      const count = recent.countAfter(since);
      for (let back = 0; back < count; back++) {
        if (!recent.isOf(back, order.symbol, order.side)) continue;
        const earlier = recent.intent(back);
        if (
          earlier.limit.equals(order.limit) &&
          (earlier.quantity.equals(order.quantity) || earlier.quantity.equals(order.asked))
        )
          return refuse(
            "RC14",
            `the same order was approved before as ${earlier.clientOrderId}:`,
            `${now - recent.at(back)} ms ago`,
            limit,
          );
      }
      return PASS;
    },
  };
}

// RC15: trading a pair back shortly after the opposite order, unless the two limits leave a profit after the fee
// budgets of both.

export function selfOffset(windowMs: number, feeBps: number): Rule {
  const limit = `${windowMs} ms`;
  return {
    code: "RC15",
    review(order, { counters: { recent }, now }) {
      if (!isKnown(now)) return refuseUnknown("RC15", "time", limit);
      const since = now - windowMs;
      const worst = offsets(order, recent, since, feeBps);
      if (worst !== undefined) {
        const what = `${order.side} of ${order.symbol} within ${limit} of an order the other way at ${worst}, filled or not, must leave a profit after the fee budgets of both (2 x ${feeBps} bp): limit`;
        return refuse("RC15", what, order.limit, passingOf(order, worst, feeBps));
      }
      return PASS;
    },
  };
}

type Order = Pick<Assessment, "symbol" | "side" | "limit">;

/** The limit of a recent order that this one would trade back without profit. */
export function offsets(order: Order, recent: RecentIntents, since: number, feeBps: number): Price | undefined {
  const worst = worstOpposite(order, recent, since);
  return worst === undefined || leavesProfit(order, worst, feeBps) ? undefined : worst;
}

/** The least favourable limit of the opposite orders: the highest buy, or the lowest sale. */
function worstOpposite({ symbol, side }: Order, recent: RecentIntents, since: number): Price | undefined {
  let worst: Price | undefined;
  const opposite = side === "buy" ? "sell" : "buy";
  const count = recent.countAfter(since);
  for (let back = 0; back < count; back++) {
    if (!recent.isOf(back, symbol, opposite)) continue;
    const { limit } = recent.intent(back);
    if (worst === undefined || (side === "sell" ? limit.moreThan(worst) : limit.lessThan(worst))) worst = limit;
  }
  return worst;
}

/** The price from which it would pass, rounded to the safe side. */
function passingOf({ side }: Order, opposite: Price, feeBps: number): string {
  if (side === "sell") return `more than ${opposite.shifted(2 * feeBps, "up")}`;
  return `less than ${opposite.shifted(-2 * feeBps, "down")}`;
}

function leavesProfit({ side, limit }: Order, opposite: Price, feeBps: number): boolean {
  const [buy, sell] = side === "buy" ? [limit, opposite] : [opposite, limit];
  return sell.moreThan(buy.shifted(2 * feeBps, "up"));
}

// RC25: an operator or an external watchdog must confirm regularly that sending is wanted. Silence beyond the limit
// reduces, twice as long halts. Off unless configured.

export function heartbeat(silenceMsMax: number): Rule {
  const limit = `${silenceMsMax} ms`;
  return {
    code: "RC25",
    review(_, context) {
      const silentMs = silence(context);
      if (silentMs === undefined) return refuseUnknown("RC25", "time since the last heartbeat", limit);
      return silentMs <= silenceMsMax
        ? PASS
        : refuse("RC25", "time since the last heartbeat is", `${silentMs} ms`, limit);
    },
    monitor(context): Breach | undefined {
      const silentMs = silence(context);
      if (silentMs === undefined || silentMs <= silenceMsMax) return undefined;
      const state = silentMs <= 2 * silenceMsMax ? "REDUCED" : "HALTED";
      const reason = `RC25: time since the last heartbeat is ${silentMs} ms, limit is ${limit}`;
      return { state, cause: "heartbeat", subject: "RC25", reason, wayOut: `pegbot heartbeat, then ${RESUME}` };
    },
  };
}

/** Why nothing may leave while the heartbeat is missing; undefined if it is recent. */
export function missingHeartbeat(silenceMsMax: number, context: RiskContext): string | undefined {
  const silentMs = silence(context);
  if (silentMs !== undefined && silentMs <= silenceMsMax) return undefined;
  const last = silentMs === undefined ? "there was none yet" : `the last was ${silentMs} ms ago`;
  return `RC25: no heartbeat of an operator within ${silenceMsMax} ms (${last}): pegbot heartbeat`;
}

/** Before the first heartbeat nothing leaves, and nothing has failed either. */
function silence({ counters, now }: RiskContext): number | undefined {
  if (counters.heartbeatAt === undefined) return undefined;
  const silentMs = now - counters.heartbeatAt;
  return isKnown(silentMs) && silentMs >= 0 ? silentMs : undefined;
}

// RC28: the lifetime of a decision: its own, and never above the limit. Checked again when a slot opens.

export function decisionAge(ageMsMax: number): Rule {
  const limit = `${ageMsMax} ms`;
  return {
    code: "RC28",
    atSend: true,
    review({ decidedAt, expiresAt }, { now }) {
      const ageMs = now - decidedAt;
      if (!isKnown(ageMs) || !isKnown(expiresAt) || ageMs < 0)
        return refuseUnknown("RC28", "age of the decision", limit);
      if (ageMs > ageMsMax) return refuse("RC28", "age of the decision is", `${ageMs} ms`, limit);
      return now <= expiresAt
        ? PASS
        : refuse("RC28", "age of the decision is", `${ageMs} ms`, `${expiresAt - decidedAt} ms`);
    },
  };
}
