// Every fill as CSV, amounts exact, one line each; times as UTC text and as milliseconds. A text that a spreadsheet would
// take for a formula is quoted with an apostrophe before it.

import { csvCell } from "../../src/domain/csv-cell.ts";
import { MARKOUT_SECONDS, type RunRecord } from "../record/run-record.ts";
import { tradeRows } from "./trade-rows.ts";

const COLUMNS = [
  "time_utc",
  "time_ms",
  "decided_ms",
  "id",
  "symbol",
  "side",
  "quantity",
  "value",
  "price",
  "limit",
  "quoted",
  "fair",
  "fee",
  "fee_asset",
  "rate",
  "realised",
  "realised_asset",
  "reason",
  ...MARKOUT_SECONDS.map((seconds) => `mid_after_${seconds}_s`),
];

export function renderCsv(record: RunRecord): string {
  const rows = tradeRows(record).map((row) =>
    [
      new Date(row.time).toISOString(),
      row.time,
      row.decidedAt,
      row.id,
      row.symbol,
      row.side,
      row.quantity,
      row.value,
      row.price,
      row.limit,
      row.touch,
      row.fair,
      row.fee,
      row.feeAsset,
      row.rate,
      row.realised,
      row.realisedAsset,
      row.reason,
      ...row.mids,
    ]
      .map(cell)
      .join(","),
  );
  return `${[COLUMNS.join(","), ...rows].join("\n")}\n`;
}

/** What is not known is empty. */
function cell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  return csvCell(value);
}
