// The figures as lines of text, grouped, the same on terminal and page. A figure that is not available keeps its line
// and shows the reason.

import { amountText, changeText } from "../../src/domain/amount-text.ts";
import { VENUE } from "../../src/domain/coin.ts";
import type { Money } from "../../src/domain/money/money.ts";
import type { Figure } from "../metric/figure.ts";
import type { Figures } from "../metric/figures.ts";
import type { ProfitParts } from "../metric/profit.ts";
import { type Clustered, NORMAL, studentT } from "../metric/statistics.ts";
import { SLOT_CLASSES, UNFILLED_ENDS } from "../record/run-record.ts";
import { basisPoints, counted, duration, minute, money, number, percent, signed } from "./format.ts";
import { SHARPE_MAX } from "./run-text.ts";

export type Line = {
  readonly label: string;
  readonly text: string;
  /** The reason why it is not available, or a remark. */
  readonly note?: string | undefined;
  /** Good or bad news by sign; undefined where the sign has no meaning. */
  readonly tone?: "gain" | "loss" | undefined;
};

export type Group = { readonly title: string; readonly lines: readonly Line[] };

export const NOT_AVAILABLE = "n/a";

export function summarise(figures: Figures, currency: string): readonly Group[] {
  return [
    { title: "Account at the end", lines: account(figures, currency) },
    { title: "Profit", lines: profit(figures, currency) },
    { title: "Risk", lines: [...risk(figures), ...stress(figures, currency)] },
    { title: "Trades", lines: trades(figures, currency) },
    { title: "Execution", lines: execution(figures, currency) },
    { title: "Budget and settlement", lines: budget(figures, currency) },
  ];
}

/** The account as the bot shows it: market value as limits count it, then at mid and at par. */
function account({ statement }: Figures, currency: string): Line[] {
  const row = (label: string, name: "equity" | "atMid" | "atPar", note?: string): Line =>
    line(label, statement, ({ [name]: amount }) => ({
      text: amount === undefined ? NOT_AVAILABLE : `${amountText(String(amount))} ${currency}`,
      note,
    }));
  return [
    row("equity", "equity", "market value: a coin at the lower of par and the best known bid"),
    row("value at mid", "atMid"),
    row("value at par", "atPar"),
  ];
}

/** What the net profit is made of, to the last digit. */
function parts({ profitParts, statement }: Figures, currency: string): Line[] {
  const shown = (amount: Money | undefined, note?: string) =>
    amount === undefined
      ? { text: NOT_AVAILABLE, note }
      : { text: `${changeText(String(amount))} ${currency}`, note, sign: amount.toNumber() };
  const row = (label: string, name: keyof ProfitParts, note?: string): Line =>
    line(label, profitParts, ({ [name]: amount }) => shown(amount, note));
  const stated = (label: string, name: "realised" | "unrealised" | "fx", note?: string): Line =>
    line(label, statement, ({ [name]: amount }) => shown(amount, note));
  const { fees = undefined, rest = undefined } = profitParts.kind === "known" ? profitParts.value : {};
  return [
    stated("realised", "realised"),
    stated("unrealised", "unrealised", "open positions of trades"),
    stated("FX revaluation", "fx", "currency rates, coins at par"),
    row("mark discount", "markDiscount", "of the opening coins: par less mark at the start, less that at the end"),
    ...(fees?.isZero() === false ? [row("fees of mints and rails", "fees")] : []),
    ...(rest?.isZero() === false ? [row("before the books opened", "rest", "what rates did until then")] : []),
  ];
}

function profit(figures: Figures, currency: string): Line[] {
  const gain = (label: string, figure: Figure<Money>): Line =>
    line(label, figure, (value) => ({ text: signed(money(value, currency)), sign: value.toNumber() }));
  return [
    gain("net profit", figures.netProfit),
    ...parts(figures, currency),
    gain("profit over holding", figures.profitOverHolding),
    line("return", figures.totalReturn, (value) => ({ text: signed(percent(value, 3)), sign: value })),
    line("growth a year (CAGR)", figures.cagr, (value) => ({ text: signed(percent(value)), sign: value })),
    line("fees", figures.fees, ({ total, trade, mint, rail }) => ({
      text: money(total, currency),
      note: [
        `trades ${money(trade, currency)}`,
        `mints ${mint === undefined ? NOT_AVAILABLE : money(mint, currency)}`,
        `rails ${rail === undefined ? NOT_AVAILABLE : money(rail, currency)}`,
      ].join(", "),
    })),
  ];
}

function risk(figures: Figures): Line[] {
  const ratio = (label: string, figure: Figure<number>): Line =>
    line(label, figure, (value) => ({ text: number(value, 2), sign: value }));
  const sharpe = (label: string, figure: Figure<number>, error: Figure<number>): Line => {
    if (figure.kind === "n/a") return ratio(label, figure);
    const off = error.kind === "known" ? NORMAL * error.value : NaN;
    const range = Number.isNaN(off)
      ? []
      : [`95 %: ${[-off, off].map((one) => number(figure.value + one, 2)).join(" to ")}`];
    const caution = figure.value > SHARPE_MAX ? ["too good to be taken at its word, see the head"] : [];
    return { ...ratio(label, figure), note: [...range, ...caution].join("; ") };
  };
  const [error, errorOver] = figures.sharpeErrors;
  return [
    line("deepest drawdown", figures.drawdown, ({ size, peakAt, troughAt }) => ({
      text: percent(-size, 3),
      note: `${minute(peakAt)} to ${minute(troughAt)}`,
      sign: -size,
    })),
    line("drawdown lasted", figures.drawdown, ({ durationMs, recoveredAt, longestMs }) => ({
      text: duration(durationMs),
      note: `${recoveredAt === undefined ? "not recovered" : `recovered ${minute(recoveredAt)}`}, longest ${duration(longestMs)}`,
    })),
    line("drawdown over holding", figures.drawdownOverHolding, ({ size, peakAt, troughAt }) => ({
      text: percent(-size, 3),
      note: `${minute(peakAt)} to ${minute(troughAt)}`,
      sign: -size,
    })),
    line("value at risk, 95 %", figures.tailLoss, ({ valueAtRisk, conditional, periodMs }) => ({
      text: percent(-valueAtRisk, 3),
      note: `of ${duration(periodMs)}; mean of the worse ones (CVaR) ${percent(-conditional, 3)}`,
      sign: -valueAtRisk,
    })),
    line("volatility a year", figures.volatility, (value) => ({ text: percent(value) })),
    sharpe("Sharpe", figures.sharpe, error),
    line("chance that Sharpe is above 0", figures.probabilisticSharpe, (value) => ({ text: percent(value, 1) })),
    sharpe("Sharpe over holding", figures.sharpeOverHolding, errorOver),
    ratio("Sortino", figures.sortino),
    ratio("Calmar", figures.calmar),
    ...(figures.exposure.kind === "n/a" ? [] : figures.exposure.value).map(({ issuer, mean, most }) => ({
      label: `coins of ${issuer === VENUE ? "the venue" : issuer}`,
      text: percent(mean, 1),
      note: `of equity in the mean, ${percent(most, 1)} at most`,
    })),
  ];
}

/** What is at stake at the end, in money and as a part of equity. */
function stress({ stress: table, statement }: Figures, currency: string): Line[] {
  if (table.kind === "n/a") return [line("stress", table, () => ({ text: "" }))];
  const equity = statement.kind === "known" ? statement.value.equity?.toNumber() : undefined;
  const labels = {
    "depeg-loss": "a de-peg would cost",
    "issuer-loss": "an end would cost",
    "everything-lost": "at stake",
  };
  return table.value.map(({ key, name, cost }) => ({
    label: labels[key],
    text: cost === undefined ? NOT_AVAILABLE : `${amountText(String(cost))} ${currency}`,
    note: `${name}${cost && equity ? `, ${percent(cost.toNumber() / equity, 1)} of equity` : ""}`,
  }));
}

function trades(figures: Figures, currency: string): Line[] {
  return [
    line("fills", figures.trades, ({ fills, buys, sells, perDay }) => ({
      text: number(fills, 0),
      note: `${number(buys, 0)} buys, ${number(sells, 0)} sells${perDay === undefined ? "" : `, ${number(perDay, 1)} a day`}`,
    })),
    line("round trips", figures.roundTrips, ({ count, heldMsMedian, heldMsLongest }) => ({
      text: number(count, 0),
      note: `held for ${duration(heldMsMedian)} in the median, ${duration(heldMsLongest)} at most`,
    })),
    line("win rate of round trips", figures.roundTrips, ({ winRate, profit }) => ({
      text: percent(winRate, 1),
      note: `${signed(money(profit, currency))} in all, currency rates apart`,
    })),
    line("still open", figures.roundTrips, ({ open }) => ({
      text: counted(open.length, "coin"),
      note: open
        .map(({ asset, quantity, ageMs }) => `${signed(number(quantity, 0))} ${asset} for ${duration(ageMs)}`)
        .join(", "),
    })),
    line("profit factor of round trips", figures.roundTrips, ({ profitFactor = NaN }) => ({
      text: Number.isNaN(profitFactor) ? NOT_AVAILABLE : number(profitFactor, 2),
      sign: profitFactor - 1,
    })),
    line("turnover", figures.turnover, ({ total, perDay }) => ({
      text: money(total, currency),
      note: perDay === undefined ? undefined : `${number(perDay, 2)} times equity a day`,
    })),
  ];
}

function execution(figures: Figures, currency: string): Line[] {
  return [
    line("fill rate", figures.fillRate, ({ rate, orders, ends }) => ({
      text: percent(rate, 1),
      note: [
        `${number(orders, 0)} orders`,
        ...UNFILLED_ENDS.filter((end) => ends[end] > 0).map((end) => `${end} ${number(ends[end], 0)}`),
      ].join(", "),
    })),
    line("edge captured", figures.edgeCaptured, ({ capturedBps, captured }) => ({
      text: basisPoints(capturedBps),
      note: money(captured, currency),
      sign: capturedBps,
    })),
    line("captured of quoted", figures.edgeCaptured, ({ share, quoted }) => ({
      text: share === undefined ? NOT_AVAILABLE : percent(share, 1),
      note: `quoted ${money(quoted, currency)}`,
    })),
    line("cost against arrival", figures.arrivalCost, ({ mean, fills, ...error }) => ({
      text: signed(basisPoints(mean)),
      note: `${errorText(error)}, ${counted(fills, "fill")}, against the price on show at the decision`,
      sign: -mean,
    })),
    ...figures.markout.map(({ seconds, bps }) =>
      line(`markout after ${horizonText(seconds)}`, bps, ({ mean, fills, ...error }) => ({
        text: signed(basisPoints(mean)),
        note: `${errorText(error)}, ${counted(fills, "fill")}`,
        sign: mean,
      })),
    ),
    line("impact of 10,000", figures.impact, ({ mean, fills, ...error }) => ({
      text: basisPoints(mean),
      note: `${errorText(error)}, ${counted(fills, "fill")}, a second after the fill`,
    })),
  ];
}

/** `60 s`, `10 min`, `24 h`. */
function horizonText(seconds: number): string {
  if (seconds <= 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

/** Fewer clusters than this make a normal interval too narrow. */
const FEW = 10;

function errorText({ standardError, clusters }: Pick<Clustered, "standardError" | "clusters">): string {
  if (standardError === undefined) return "one cluster, no error";
  const interval =
    clusters < FEW ? `, 95 %: \u00b1 ${number(standardError * studentT(clusters - 1), 2)} by Student's t` : "";
  return `\u00b1 ${number(standardError, 2)} (${number(clusters, 0)} clusters${interval})`;
}

function budget(figures: Figures, currency: string): Line[] {
  return [
    line("profit per request", figures.profitPerRequest, (value) => ({
      text: signed(money(value, currency)),
      sign: value,
    })),
    line("requests", figures.slotsUsed, ({ total, utilisation, byClass }) => ({
      text: number(total, 0),
      note: [
        ...(utilisation === undefined ? [] : [`${percent(utilisation, 1)} of the budget`]),
        ...SLOT_CLASSES.filter((name) => byClass[name] > 0).map((name) => `${name} ${number(byClass[name], 0)}`),
      ].join(", "),
    })),
  ];
}

type Said = { readonly text: string; readonly note?: string | undefined; readonly sign?: number };

export function line<T>(label: string, figure: Figure<T>, say: (value: T) => Said): Line {
  if (figure.kind === "n/a") return { label, text: NOT_AVAILABLE, note: figure.reason, tone: undefined };
  const { text, note, sign = 0 } = say(figure.value);
  return { label, text, note, tone: sign > 0 ? "gain" : sign < 0 ? "loss" : undefined };
}
