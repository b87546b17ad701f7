// Every figure of a run; shared inputs are computed once. As plain numbers the figures rank, store and compare many
// runs.

import type { Statement } from "../../src/books/accounts/statement.ts";
import type { Stress } from "../../src/risk/stress.ts";
import type { RunRecord } from "../record/run-record.ts";
import { arrivalCost, edgeCaptured, fillRate, impact, markout, profitPerRequest, slotsUsed } from "./execution.ts";
import { type Figure, known, mapFigure, notAvailable } from "./figure.ts";
import { fees, netProfit, profitOverHolding, profitParts } from "./profit.ts";
import {
  cagr,
  calmar,
  drawdown,
  drawdownOverHolding,
  type PeriodReturns,
  periodReturns,
  periods,
  probabilisticSharpe,
  sharpe,
  sharpeError,
  sharpeOverHolding,
  sortino,
  tailLoss,
  totalReturn,
  volatility,
} from "./returns.ts";
import { roundTrips } from "./round-trips.ts";
import { exposure, trades, turnover } from "./trades.ts";
import { worthGap, worthSeries } from "./worth.ts";

export type Figures = ReturnType<typeof computeFigures>;

const UNSTATED = notAvailable("no bot was here to state its account");

export function computeFigures(record: RunRecord) {
  const { riskFreeRate } = record.settings;
  const series = worthSeries(record);
  const returns = periodReturns(series);
  const gap = worthGap(record);
  const ofWorth = <T>(figure: () => Figure<T>): Figure<T> => gap ?? figure();
  return {
    statement: (record.statement === undefined ? UNSTATED : known(record.statement)) as Figure<Statement>,
    stress: (record.stress === undefined ? UNSTATED : known(record.stress)) as Figure<readonly Stress[]>,
    netProfit: netProfit(record),
    profitOverHolding: profitOverHolding(record),
    profitParts: profitParts(record),
    totalReturn: ofWorth(() => totalReturn(series)),
    cagr: ofWorth(() => cagr(series)),
    volatility: ofWorth(() => volatility(returns)),
    sharpe: ofWorth(() => sharpe(returns, riskFreeRate)),
    sharpeErrors: errorsOf(returns, riskFreeRate, record.fills.length),
    probabilisticSharpe: ofWorth(() => probabilisticSharpe(returns, riskFreeRate)),
    sharpeOverHolding: ofWorth(() => sharpeOverHolding(returns, record.fills.length)),
    sortino: ofWorth(() => sortino(returns, riskFreeRate)),
    calmar: ofWorth(() => calmar(series)),
    drawdown: ofWorth(() => drawdown(series)),
    drawdownOverHolding: ofWorth(() => drawdownOverHolding(series)),
    tailLoss: ofWorth(() => tailLoss(returns)),
    roundTrips: roundTrips(record),
    trades: trades(record),
    exposure: ofWorth(() => exposure(record)),
    turnover: turnover(record),
    fees: fees(record),
    fillRate: fillRate(record),
    periods: ofWorth(() => periods(series, record.fills)),
    profitPerRequest: profitPerRequest(record),
    slotsUsed: slotsUsed(record),
    edgeCaptured: edgeCaptured(record),
    arrivalCost: arrivalCost(record.fills),
    markout: markout(record.fills),
    impact: impact(record.fills),
  };
}

/** Of Sharpe, and of Sharpe over holding. */
function errorsOf(returns: PeriodReturns, riskFreeRate: number, fills: number) {
  const { equity, holding, perYear } = returns;
  const over = equity.map((value, row) => value - (holding[row] as number));
  const errorOf = (own: Float64Array, ratio: Figure<number>) =>
    mapFigure(ratio, (one) => sharpeError(own, one, perYear));
  return [errorOf(equity, sharpe(returns, riskFreeRate)), errorOf(over, sharpeOverHolding(returns, fills))] as const;
}

export type FigureName = keyof ReturnType<typeof plainFigures>;
export type PlainFigures = Readonly<Record<FigureName, number | null>>;

export function plainFigures(figures: Figures) {
  const { drawdown, trades, exposure, turnover, fees, fillRate, slotsUsed, edgeCaptured } = figures;
  return {
    netProfit: part(figures.netProfit, (money) => money.toNumber()),
    profitOverHolding: part(figures.profitOverHolding, (money) => money.toNumber()),
    totalReturn: plain(figures.totalReturn),
    cagr: plain(figures.cagr),
    volatility: plain(figures.volatility),
    sharpe: plain(figures.sharpe),
    probabilisticSharpe: plain(figures.probabilisticSharpe),
    sharpeOverHolding: plain(figures.sharpeOverHolding),
    sortino: plain(figures.sortino),
    calmar: plain(figures.calmar),
    drawdown: part(drawdown, ({ size }) => size),
    drawdownMs: part(drawdown, ({ durationMs }) => durationMs),
    drawdownMsLongest: part(drawdown, ({ longestMs }) => longestMs),
    drawdownOverHolding: part(figures.drawdownOverHolding, ({ size }) => size),
    valueAtRisk: part(figures.tailLoss, ({ valueAtRisk }) => valueAtRisk),
    conditionalValueAtRisk: part(figures.tailLoss, ({ conditional }) => conditional),
    profitFactor: part(figures.roundTrips, ({ profitFactor }) => profitFactor),
    roundTrips: part(figures.roundTrips, ({ count }) => count),
    roundTripWinRate: part(figures.roundTrips, ({ winRate }) => winRate),
    fillsPerDay: part(trades, ({ perDay }) => perDay),
    closingFills: part(trades, ({ closing }) => closing),
    exposure: part(exposure, ([first]) => first?.most),
    turnover: part(turnover, ({ total }) => total.toNumber()),
    turnoverPerDay: part(turnover, ({ perDay }) => perDay),
    fees: part(fees, ({ total }) => total.toNumber()),
    fillRate: part(fillRate, ({ rate }) => rate),
    profitPerRequest: plain(figures.profitPerRequest),
    requests: part(slotsUsed, ({ total }) => total),
    slotsUsed: part(slotsUsed, ({ utilisation }) => utilisation),
    edgeCaptured: part(edgeCaptured, ({ share }) => share),
    edgeCapturedBps: part(edgeCaptured, ({ capturedBps }) => capturedBps),
    arrivalCostBps: part(figures.arrivalCost, ({ mean }) => mean),
    markoutBps1: markoutAfter(figures, 1),
    markoutBps10: markoutAfter(figures, 10),
    markoutBps60: markoutAfter(figures, 60),
    markoutBps3600: markoutAfter(figures, 3_600),
    impactBps: part(figures.impact, ({ mean }) => mean),
  };
}

function plain(figure: Figure<number>): number | null {
  return part(figure, (value) => value);
}

/** Only finite numbers can be ranked. */
function part<T>(figure: Figure<T>, of: (value: T) => number | undefined): number | null {
  const value = figure.kind === "known" ? of(figure.value) : undefined;
  return value === undefined || !Number.isFinite(value) ? null : value;
}

function markoutAfter({ markout }: Figures, seconds: number): number | null {
  const bps = markout.find((one) => one.seconds === seconds)?.bps;
  return bps === undefined ? null : part(bps, ({ mean }) => mean);
}
