// Every figure of a run, each from its own file in metric/; what they share is worked out once.

import type { Money } from "../src/domain/money/money.ts";
import { type ClosedTrades, closedTrades } from "./metric/basis/closed-trades.ts";
import { type Figure, mapFigure } from "./metric/basis/figure.ts";
import { periodReturns } from "./metric/basis/period-returns.ts";
import { worthGap } from "./metric/basis/worth-gap.ts";
import { worthSeries } from "./metric/basis/worth-series.ts";
import { cagr } from "./metric/cagr.ts";
import { calmar } from "./metric/calmar.ts";
import { capacity } from "./metric/capacity.ts";
import { capitalHours } from "./metric/capital-hours.ts";
import { type Drawdown, drawdown } from "./metric/drawdown.ts";
import { type EdgeCaptured, edgeCaptured } from "./metric/edge-captured.ts";
import { expectancy } from "./metric/expectancy.ts";
import { type Exposure, exposure } from "./metric/exposure.ts";
import { type Fees, fees } from "./metric/fees.ts";
import { type FillRate, fillRate } from "./metric/fill-rate.ts";
import { type Markout, markout } from "./metric/markout.ts";
import { netProfit } from "./metric/net-profit.ts";
import { type Periods, periods } from "./metric/periods.ts";
import { premiumCaptured } from "./metric/premium-captured.ts";
import { probabilisticSharpe } from "./metric/probabilistic-sharpe.ts";
import { type ProfitBridge, profitBridge } from "./metric/profit-bridge.ts";
import { profitFactor } from "./metric/profit-factor.ts";
import { profitOverHolding } from "./metric/profit-over-holding.ts";
import { profitPerRequest } from "./metric/profit-per-request.ts";
import { sharpe } from "./metric/sharpe.ts";
import { sharpeOverHolding } from "./metric/sharpe-over-holding.ts";
import { type SlotsUsed, slotsUsed } from "./metric/slots-used.ts";
import { sortino } from "./metric/sortino.ts";
import { type Streaks, streaks } from "./metric/streaks.ts";
import { totalReturn } from "./metric/total-return.ts";
import { type Trades, trades } from "./metric/trades.ts";
import { type Turnover, turnover } from "./metric/turnover.ts";
import { volatility } from "./metric/volatility.ts";
import { winRate } from "./metric/win-rate.ts";
import type { RunRecord } from "./record/run-record.ts";

export type Figures = {
  readonly netProfit: Figure<Money>;
  readonly profitOverHolding: Figure<Money>;
  readonly totalReturn: Figure<number>;
  readonly cagr: Figure<number>;
  readonly volatility: Figure<number>;
  readonly sharpe: Figure<number>;
  readonly probabilisticSharpe: Figure<number>;
  readonly sharpeOverHolding: Figure<number>;
  readonly sortino: Figure<number>;
  readonly calmar: Figure<number>;
  readonly drawdown: Figure<Drawdown>;
  readonly profitFactor: Figure<number>;
  readonly expectancy: Figure<number>;
  readonly winRate: Figure<number>;
  readonly streaks: Figure<Streaks>;
  readonly trades: Figure<Trades>;
  readonly exposure: Figure<Exposure>;
  readonly turnover: Figure<Turnover>;
  readonly fees: Figure<Fees>;
  readonly fillRate: Figure<FillRate>;
  readonly periods: Figure<Periods>;
  readonly profitBridge: Figure<ProfitBridge>;
  readonly profitPerRequest: Figure<number>;
  readonly slotsUsed: Figure<SlotsUsed>;
  readonly edgeCaptured: Figure<EdgeCaptured>;
  readonly markout: readonly Markout[];
  readonly capitalHours: Figure<number>;
  readonly premiumCaptured: Figure<Money>;
  readonly capacity: Figure<number>;
};

export function computeFigures(record: RunRecord): Figures {
  const { currency, riskFreeRate } = record.settings;
  const series = worthSeries(record);
  const returns = periodReturns(series);
  const closed = closedTrades(record.fills, currency);
  const gap = worthGap(record);
  const ofWorth = <T>(figure: () => Figure<T>): Figure<T> => gap ?? figure();
  const ofClosed = <T>(of: (trades: ClosedTrades) => Figure<T>): Figure<T> => mapFigure(closed, of);
  return {
    netProfit: netProfit(record),
    profitOverHolding: profitOverHolding(record),
    totalReturn: ofWorth(() => totalReturn(series)),
    cagr: ofWorth(() => cagr(series)),
    volatility: ofWorth(() => volatility(returns)),
    sharpe: ofWorth(() => sharpe(returns, riskFreeRate)),
    probabilisticSharpe: ofWorth(() => probabilisticSharpe(returns, riskFreeRate)),
    sharpeOverHolding: ofWorth(() => sharpeOverHolding(returns, record.fills.length)),
    sortino: ofWorth(() => sortino(returns, riskFreeRate)),
    calmar: ofWorth(() => calmar(series)),
    drawdown: ofWorth(() => drawdown(series)),
    profitFactor: ofClosed(profitFactor),
    expectancy: ofClosed(expectancy),
    winRate: ofClosed(winRate),
    streaks: ofClosed(streaks),
    trades: trades(record),
    exposure: ofWorth(() => exposure(record)),
    turnover: turnover(record),
    fees: fees(record),
    fillRate: fillRate(record),
    periods: ofWorth(() => periods(series, record.fills)),
    profitBridge: profitBridge(record),
    profitPerRequest: profitPerRequest(record),
    slotsUsed: slotsUsed(record),
    edgeCaptured: edgeCaptured(record),
    markout: markout(record.fills),
    capitalHours: capitalHours(record),
    premiumCaptured: premiumCaptured(record),
    capacity: capacity(record),
  };
}
