// The books of the rules, made of their parts. `apply` is the only way in.

import type { Asset } from "../domain/asset.ts";
import { invariant, unreachable } from "../domain/invariant.ts";
import { Money, type Price } from "../domain/money/money.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import { millis } from "../domain/time.ts";
import { type BooksData, booksData } from "./book/data.ts";
import { createDayBook } from "./book/day-book.ts";
import { createHourWindow } from "./book/hour-window.ts";
import { createOpenOrders } from "./book/open-orders.ts";
import { createOrderTimes } from "./book/order-times.ts";
import { createRecentIntents } from "./book/recent-intents.ts";
import { createStreaks } from "./book/streaks.ts";
import type { BookEntry, Books, FeeOfFill, OrderEntry } from "./books.ts";
import { FRESH, type Standing, transition } from "./standing.ts";

/** An order that found no counterpart was understood by the venue: no sign that something is broken. */
const NOT_FILLABLE = "not-fillable";

/** `saved` is what `save` gave, also after a way through JSON; what does not fit throws. */
export function createBooks(currency: Asset, saved?: unknown): Books {
  const data = saved === undefined ? undefined : booksData.parse(saved);
  invariant(data === undefined || data.currency === currency, `books are in ${data?.currency}, limits in ${currency}`);
  const day = createDayBook(currency, data);
  const orderTimes = createOrderTimes(data?.orderTimes ?? []);
  const hour = createHourWindow(currency, data?.hour ?? []);
  const recent = createRecentIntents(data?.recent ?? [], data?.forgottenAt ?? null);
  const open = createOpenOrders(currency, data ?? { open: [], doubts: [] });
  const streaks = createStreaks(data);
  let standing: Standing = data?.standing ?? FRESH;
  let unpricedFills = data?.unpricedFills ?? 0;
  let filledOrders = data?.filledOrders ?? 0;
  let heartbeatAt = data?.heartbeatAt == null ? undefined : millis(data.heartbeatAt);
  let lastFee = loadedFee(data?.lastFee ?? null);

  const valued = (money: Money, rate: Price | undefined, rounding: "up" | "down"): Money | undefined =>
    money.asset === currency ? money : rate && money.valued(rate, currency, rounding);

  function fill(entry: OrderEntry, filled: Fill): void {
    const { clientOrderId, realised, at } = entry;
    const rate = open.rateOf(clientOrderId);
    const traded = filled.side === "buy" ? filled.sold : filled.bought;
    const fee = feeInQuote(filled, traded, entry.intent);
    const values = {
      turnover: valued(traded, rate, "up"),
      fee: fee && valued(fee, rate, "up"),
      realised: realised && valued(realised, rate, "down"),
    };
    lastFee = { clientOrderId, fee, traded };
    if (values.turnover === undefined || values.fee === undefined || (realised && values.realised === undefined))
      unpricedFills++;
    if (values.turnover !== undefined) {
      day.addTurnover(values.turnover);
      hour.add(values.turnover, at);
    }
    if (values.fee !== undefined) day.addFee(values.fee);
    if (values.realised !== undefined) day.addRealised(values.realised);
    streaks.filled(filled.symbol, realised?.isNegative(), at);
    filledOrders++;
  }

  function report(entry: OrderEntry): void {
    const { clientOrderId, intent, at } = entry;
    switch (entry.report.kind) {
      case "sending":
        return;
      case "doubt":
      case "escalated":
        open.doubt(clientOrderId, intent, at);
        return;
      case "filled":
        if (entry.first) fill(entry, entry.report.fill);
        open.close(clientOrderId);
        return;
      case "rejected":
        if (entry.report.code !== NOT_FILLABLE) streaks.rejected(intent?.symbol, at);
        open.close(clientOrderId);
        return;
      case "not-sent":
      case "dead":
        open.close(clientOrderId);
        return;
      default:
        unreachable(entry.report);
    }
  }

  function move(change: Parameters<typeof transition>[1], at: Standing["since"]): void {
    const before = standing;
    standing = transition(before, change, at);
    if (change.kind !== "resume" || standing === before) return;
    // A person's own stop broke no limit, so its end forgives none: to halt and resume must not buy another day's loss.
    if (before.state === "KILLED") return;
    // Whoever resumes a halt accepts what happened: else the same figures would halt the bot again at once.
    day.restart();
    hour.clear();
    streaks.clear();
    unpricedFills = 0;
    lastFee = undefined;
  }

  function apply(entry: BookEntry): void {
    switch (entry.kind) {
      case "approved":
        day.countOrder();
        orderTimes.add(entry.at);
        recent.add(entry.intent, entry.at);
        open.open(entry.intent, entry.rate);
        return;
      case "report":
        report(entry);
        return;
      case "mark":
        day.mark(entry.equity, entry.at);
        return;
      case "adopted":
        day.shift(entry.value);
        return;
      case "state":
        move(entry.command, entry.at);
        return;
      case "control":
        if (entry.control.kind === "heartbeat") heartbeatAt = entry.at;
        move(entry.control, entry.at);
        return;
      default:
        unreachable(entry);
    }
  }

  return {
    get state() {
      return standing.state;
    },
    get standing() {
      return standing;
    },
    day: day.figures,
    get peak() {
      return day.peak;
    },
    orderTimes,
    turnoverOfHour: hour.total,
    get openValue() {
      return open.value;
    },
    get unpricedFills() {
      return unpricedFills;
    },
    get rejects() {
      return streaks.rejects;
    },
    rejectsOf: streaks.rejectsOf,
    get losses() {
      return streaks.losses;
    },
    recent,
    doubts: open.doubts,
    get filledOrders() {
      return filledOrders;
    },
    get heartbeatAt() {
      return heartbeatAt;
    },
    get lastFee() {
      return lastFee;
    },
    needsMark: day.needsMark,
    apply,
    save: (): BooksData => ({
      version: 1,
      currency,
      standing,
      ...day.save(),
      orderTimes: orderTimes.list(),
      hour: hour.list(),
      unpricedFills,
      ...streaks.save(),
      recent: recent.list(),
      forgottenAt: recent.forgottenAt ?? null,
      ...open.save(),
      filledOrders,
      heartbeatAt: heartbeatAt ?? null,
      lastFee: savedFee(lastFee),
    }),
  };
}

/** A fee may be taken in either asset of the pair; undefined in any other. */
function feeInQuote(
  { fee, side, bought, sold }: Fill,
  traded: Money,
  intent: OrderIntent | undefined,
): Money | undefined {
  if (fee.asset === traded.asset) return fee;
  const base = side === "buy" ? bought : sold;
  if (fee.asset === base.asset && intent !== undefined) return fee.valued(intent.limit, traded.asset, "up");
  return fee.isZero() ? Money.zero(traded.asset) : undefined;
}

function loadedFee(data: BooksData["lastFee"]): FeeOfFill | undefined {
  if (data === null) return undefined;
  const money = (text: string): Money => Money.of(text, data.quote as Asset);
  return {
    clientOrderId: data.clientOrderId as ClientOrderId,
    fee: data.fee === null ? undefined : money(data.fee),
    traded: money(data.traded),
  };
}

function savedFee(fee: FeeOfFill | undefined): BooksData["lastFee"] {
  if (fee === undefined) return null;
  return {
    clientOrderId: fee.clientOrderId,
    quote: fee.traded.asset,
    fee: fee.fee?.toString() ?? null,
    traded: fee.traded.toString(),
  };
}
