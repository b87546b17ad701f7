// A run for other programs: as plain data (settings, books, every figure, equity, returns and trades; amounts are
// decimal text, unknown values are null), and every fill as CSV. The writer turns it into text, once.

import { assetsOf } from "../../src/domain/asset.ts";
import { csvCell } from "../../src/domain/csv-cell.ts";
import { fillPrice } from "../../src/domain/order.ts";
import type { Figures } from "../metric/figures.ts";
import { periodReturns } from "../metric/returns.ts";
import { pairFigures } from "../metric/trades.ts";
import { openedAt, worthSeries } from "../metric/worth.ts";
import { type Fills, MARKOUT_SECONDS, type RunRecord } from "../record/run-record.ts";
import { figureCautions, unsentOf } from "./run-text.ts";

export function renderJson(record: RunRecord, figures: Figures): object {
  const { settings, ended, books, samples, refusals, refusedPairs, firstRefusals, caps, timer, said } = record;
  const { outside, hidden, reliability, holes, settlements } = record;
  const equity = { time: [...samples.time], equity: [...samples.equity], holding: [...samples.benchmark] };
  const trades = tradeRows(record).map((row) => nullForMissing(row));
  const opened = { openedAt: openedAt(record), ...books };
  const cautions = [...(settings.cautions ?? []), ...figureCautions(figures)];
  const begin = nullForMissing({ settings: { ...settings, cautions }, ended, books: opened, figures }) as object;
  const end = nullForMissing({
    refusals,
    refusedPairs,
    firstRefusals,
    caps,
    unsent: unsentOf(record),
    timer,
    outside,
    said,
    hidden,
    reliability,
    holes,
    settlements,
  }) as object;
  const pairs = nullForMissing(pairFigures(record));
  return { ...begin, pairs, equity, returns: returnsOf(record), ...end, trades };
}

/** The returns from which Sharpe and related ratios are computed. */
function returnsOf(record: RunRecord): object {
  const { periodMs, perYear, equity, holding } = periodReturns(worthSeries(record));
  return { periodMs, perYear, equity: [...equity], holding: [...holding] };
}

/** JSON would leave an undefined field out, and a reader could not distinguish it from a misspelt one. */
export function nullForMissing(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (Array.isArray(value)) return value.map(nullForMissing);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nullForMissing(part)]));
}

/** A column of a table: its name, its value in a row, and its meaning. */
export type Column<R> = readonly [string, (row: R) => string | number | undefined, string];

/** Prices and `value` are in the quote asset. */
export const FILL_COLUMNS: readonly Column<TradeRow>[] = [
  ["time_utc", ({ time }) => new Date(time).toISOString(), "when the fill was booked"],
  ["time_ms", ({ time }) => time, "when the fill was booked"],
  ["decided_ms", ({ decidedAt }) => decidedAt, "when the order was decided"],
  ["id", ({ id }) => id, "client order id"],
  ["symbol", ({ symbol }) => symbol, "pair"],
  ["side", ({ side }) => side, "buy or sell"],
  ["quantity", ({ quantity }) => quantity, "exact, in the base asset"],
  ["value", ({ value }) => value, "exact, in the quote asset, before a fee that is charged separately"],
  ["price", ({ price }) => price, "value / quantity, to 12 digits"],
  ["limit", ({ limit }) => limit, "limit price"],
  ["quoted", ({ touch }) => touch, "the venue's price on the side taken, at the decision"],
  ["fair", ({ fair }) => fair, "fair value at the decision"],
  ["fee", ({ fee }) => fee, "exact, in fee_asset"],
  ["fee_asset", ({ feeAsset }) => feeAsset, "asset of the fee"],
  ["rate", ({ rate }) => rate, "one unit of the quote asset in the currency, at the decision"],
  ["realised", ({ realised }) => realised, "at average cost after fees, where the fill closed something"],
  ["realised_asset", ({ realisedAsset }) => realisedAsset, "asset of the result"],
  ["reason", ({ reason }) => reason, "the strategy's"],
  ...MARKOUT_SECONDS.map(
    (seconds, place): Column<TradeRow> => [
      `mid_after_${seconds}_s`,
      ({ mids }) => mids[place],
      `the venue's mid ${seconds} s after the fill`,
    ],
  ),
];

export function renderCsv(record: RunRecord): string {
  const rows = tradeRows(record).map((row) => FILL_COLUMNS.map(([, of]) => cell(of(row))).join(","));
  return `${[FILL_COLUMNS.map(([name]) => name).join(","), ...rows].join("\n")}\n`;
}

/** Unknown values are empty. */
export function cell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  return csvCell(value);
}

type TradeRow = ReturnType<typeof tradeRows>[number];

export function tradeRows({ fills }: RunRecord, from = 0) {
  return Array.from({ length: fills.length - from }, (_, index) => {
    const row = from + index;
    const isBuy = fills.side[row] === 0;
    const [base, quote] = isBuy ? [fills.bought[row], fills.sold[row]] : [fills.sold[row], fills.bought[row]];
    return {
      time: fills.time[row] as number,
      decidedAt: fills.decidedAt[row] as number,
      id: fills.id[row] as string,
      symbol: fills.symbol[row] as string,
      side: isBuy ? "buy" : "sell",
      quantity: base as string,
      value: quote as string,
      // For display: 12 digits, without the rounding noise of the division.
      price: fillPrice(Number(quote), Number(base)),
      limit: fills.limit[row] as number,
      touch: fills.touch[row] as number,
      fair: fills.fair[row] as number,
      fee: fills.fee[row] as string,
      feeAsset: fills.feeAsset[row] as string,
      rate: fills.rate[row],
      // In the quote asset; multiplied by `rate` it is in the currency.
      realised: fills.realised[row],
      realisedAsset:
        fills.realised[row] === undefined ? undefined : assetsOf(fills.symbol[row] as Fills["symbol"][number]).quote,
      reason: fills.reason[row] as string,
      mids: MARKOUT_SECONDS.map((_, horizon) => fills.mids[horizon]?.[row] ?? NaN),
    };
  });
}
