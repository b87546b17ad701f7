// A number out of a typed cell.

import { slowDecimal } from "../csv/decimal.ts";

/** What is no number is NaN, which the rules of rows then refuse. */
export function numberOf(cell: unknown): number {
  if (typeof cell === "number") return cell;
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell !== "string") return Number.NaN;
  const read = slowDecimal(cell, false);
  return read.kind === "value" ? read.value : Number.NaN;
}
