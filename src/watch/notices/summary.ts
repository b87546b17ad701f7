// The daily summary: the current status, and the changes since the last summary, whichever process sent that. All sums
// cover the same period, so they are comparable, and no time between two summaries is left out.

import { z } from "zod";
import { amountText } from "../../domain/amount-text.ts";
import type { Asset } from "../../domain/asset.ts";
import { jsonOf } from "../../domain/json-of.ts";
import { Money } from "../../domain/money/money.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { amount, doubtsOf, moment, type Status, totalsSchema } from "../status.ts";
import { doingText, profitText, valueText } from "../text/status-text.ts";
import type { KeptText, Notice } from "./notice.ts";

const mark = z.strictObject({ at: moment, equity: amount.optional(), totals: totalsSchema });

/** The end of one summary and the start of the next. */
export type SummaryMark = z.output<typeof mark>;

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** `minute`: minutes after midnight, UTC; undefined for no summary. */
export function createSummary(
  minute: number | undefined,
  memory: KeptText | undefined,
): (status: Status) => Notice | undefined {
  if (minute === undefined) return () => undefined;
  const isDue = summaryClock(minute);
  let since: SummaryMark | undefined;
  let isFirst = false;
  return (status) => {
    const isNow = isDue(status);
    const now = markOf(status);
    if (now === undefined) return isNow ? summaryOf(status, undefined, undefined) : undefined;
    since ??= kept(memory, now);
    isFirst ||= since === undefined;
    // The first summary starts with the first status in which equity is known; no order is sent before that.
    if (since === undefined || (isFirst && since.equity === undefined)) since = now;
    if (!isNow) return undefined;
    const notice = summaryOf(status, since, now);
    since = now;
    isFirst = false;
    memory?.save(JSON.stringify(now));
    return notice;
  };
}

/** Once a UTC day, at the first status after its minute; a start after that minute sends none for the same day. */
function summaryClock(minute: number): (status: Pick<Status, "at" | "startedAt">) => boolean {
  let toldDay: number | undefined;
  return ({ at, startedAt = at }) => {
    const day = Math.floor((at - minute * MINUTE_MS) / DAY_MS);
    toldDay ??= Math.floor((startedAt - minute * MINUTE_MS) / DAY_MS);
    if (day <= toldDay) return false;
    toldDay = day;
    return true;
  };
}

function markOf({ at, equity, totals }: Status): SummaryMark | undefined {
  return totals && { at, equity: equity.now, totals };
}

/** A mark that does not fit the current journal (because that was replaced or restarted) is ignored. */
function kept(memory: KeptText | undefined, now: SummaryMark): SummaryMark | undefined {
  const text = memory?.load();
  if (text === undefined) return undefined;
  const read = mark.safeParse(jsonOf(text));
  return read.success && isBefore(read.data, now) ? read.data : undefined;
}

function isBefore({ at, totals }: SummaryMark, now: SummaryMark): boolean {
  const grows = ["approved", "refused", "fills", "unvalued"] as const;
  return (
    at <= now.at && totals.currency === now.totals.currency && grows.every((name) => totals[name] <= now.totals[name])
  );
}

function summaryOf(status: Status, from: SummaryMark | undefined, to: SummaryMark | undefined): Notice {
  const { at, standing, equity, open } = status;
  const money = (amount: string | Money | undefined): string =>
    amount === undefined ? "unknown" : `${amountText(String(amount))} ${equity.currency}`;
  const over = <T>(difference: (from: SummaryMark, to: SummaryMark) => T): T | undefined =>
    from && to && difference(from, to);
  const sum = (name: "turnover" | "realised" | "fees"): string =>
    money(over((one, other) => moneyBetween(one.totals, other.totals, name)));
  const movementFees = (name: "mintFees" | "railFees"): string =>
    money(over((one, other) => movementFeesBetween(one.totals, other.totals, name)));
  const times = (name: "fills" | "refused"): string =>
    String(over((one, other) => other.totals[name] - one.totals[name]) ?? "unknown");
  const fields = {
    state: standing.state,
    phase: doingText(status),
    equity: money(equity.now),
    today: money(equity.today),
    value: valueText(equity),
    profit: status.totals === undefined ? "unknown" : profitText(status.totals),
    since: from === undefined ? "unknown" : sinceText(from.at),
    change: money(over(changeBetween)),
    realised: sum("realised"),
    fees: sum("fees"),
    mintFees: movementFees("mintFees"),
    railFees: movementFees("railFees"),
    turnover: sum("turnover"),
    fills: times("fills"),
    refused: times("refused"),
    doubts: String(doubtsOf(status).length),
    underWay: String(open.filter(({ kind }) => kind !== "order").length),
  };
  return { kind: "summary", urgency: "info", key: `summary:${millis(at)}`, at, fields };
}

type MarkedTotals = SummaryMark["totals"];
type Summed = "turnover" | "realised" | "fees" | "mintFees" | "railFees" | "brought";

function moneyBetween(from: MarkedTotals, to: MarkedTotals, name: Summed): Money {
  return amountOf(to, to[name]).minus(amountOf(from, from[name]));
}

/** Unknown if one of the fees had no value. */
function movementFeesBetween(from: MarkedTotals, to: MarkedTotals, name: "mintFees" | "railFees"): Money | undefined {
  return from.unvaluedFees === to.unvaluedFees ? moneyBetween(from, to, name) : undefined;
}

function amountOf({ currency }: MarkedTotals, text: string): Money {
  return Money.of(text, currency as Asset);
}

/** The change of equity, excluding deposits and withdrawals; unknown if one of these had no value. */
function changeBetween(from: SummaryMark, to: SummaryMark): Money | undefined {
  if (from.equity === undefined || to.equity === undefined || from.totals.unvalued !== to.totals.unvalued)
    return undefined;
  const currency = to.totals.currency as Asset;
  const moved = Money.of(to.equity, currency).minus(Money.of(from.equity, currency));
  return moved.minus(moneyBetween(from.totals, to.totals, "brought"));
}

function sinceText(at: Millis): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
