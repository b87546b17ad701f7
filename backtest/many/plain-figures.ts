// Every figure of a run as a plain number, or null where it is not available: what many runs are ranked, stored and compared
// by. Money is in the currency of the limits.

import type { Figures } from "../figures.ts";
import type { Figure } from "../metric/basis/figure.ts";

export type FigureName = keyof ReturnType<typeof namedFigures>;
export type PlainFigures = Readonly<Record<FigureName, number | null>>;

export function plainFigures(figures: Figures): PlainFigures {
  return namedFigures(figures);
}

function namedFigures(figures: Figures) {
  const { drawdown, streaks, trades, exposure, turnover, fees, fillRate, slotsUsed, edgeCaptured } = figures;
  const bridge = figures.profitBridge;
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
    profitFactor: plain(figures.profitFactor),
    expectancy: plain(figures.expectancy),
    winRate: plain(figures.winRate),
    wonInARow: part(streaks, ({ won }) => won),
    lostInARow: part(streaks, ({ lost }) => lost),
    fillsPerDay: part(trades, ({ perDay }) => perDay),
    closingFills: part(trades, ({ closing }) => closing),
    exposure: part(exposure, ({ mean }) => mean),
    exposureTime: part(exposure, ({ timeShare }) => timeShare),
    turnover: part(turnover, ({ total }) => total.toNumber()),
    turnoverPerDay: part(turnover, ({ perDay }) => perDay),
    fees: part(fees, ({ total }) => total.toNumber()),
    fillRate: part(fillRate, ({ rate }) => rate),
    profitPerRequest: plain(figures.profitPerRequest),
    requests: part(slotsUsed, ({ total }) => total),
    slotsUsed: part(slotsUsed, ({ utilisation }) => utilisation),
    edgeCaptured: part(edgeCaptured, ({ share }) => share),
    edgeCapturedBps: part(edgeCaptured, ({ capturedBps }) => capturedBps),
    quotedEdge: part(bridge, ({ quotedEdge }) => quotedEdge),
    slippage: part(bridge, ({ slippage }) => slippage),
    markoutBps1: markoutAfter(figures, 1),
    markoutBps10: markoutAfter(figures, 10),
    markoutBps60: markoutAfter(figures, 60),
    capitalHours: plain(figures.capitalHours),
    premiumCaptured: part(figures.premiumCaptured, (money) => money.toNumber()),
    capacity: plain(figures.capacity),
  };
}

function plain(figure: Figure<number>): number | null {
  return part(figure, (value) => value);
}

/** What is no number has no place in a ranking. */
function part<T>(figure: Figure<T>, of: (value: T) => number | undefined): number | null {
  const value = figure.kind === "known" ? of(figure.value) : undefined;
  return value === undefined || !Number.isFinite(value) ? null : value;
}

function markoutAfter({ markout }: Figures, seconds: number): number | null {
  const bps = markout.find((one) => one.seconds === seconds)?.bps;
  return bps === undefined ? null : part(bps, ({ mean }) => mean);
}
