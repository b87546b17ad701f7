// The pair that the name of a table says, as ours do.

import { basename } from "node:path";
import { type PairSymbol, parseSymbol } from "../../../src/domain/asset.ts";

const MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC";
const IN_NAME = new RegExp(
  `^(?![0-9]+-)([A-Z0-9]{2,12})-(?!(?:[0-9]+|${MONTHS})(?![A-Z0-9]))([A-Z0-9]{2,12})(?![A-Za-z0-9])`,
);

/** `GBP-CHF.csv`, `VCHF-USDC_2026.parquet`; in `2026-01.csv`, `JAN-2026.csv` and `DATA-JAN.csv` a number or month is a date, and no asset. */
export function pairInName(path: string): PairSymbol | undefined {
  const match = IN_NAME.exec(basename(path));
  const parsed = parseSymbol(`${match?.[1]}/${match?.[2]}`);
  return parsed.ok ? parsed.value : undefined;
}
