// The pair that the name of a table says, as ours do.

import { basename } from "node:path";
import { type PairSymbol, parseSymbol } from "../../../src/domain/asset.ts";

/** `GBP-CHF.csv`, `VCHF-USDC_2026.parquet`; in `2026-01.csv` and `JAN-2026.csv` a number is a date, and no asset. */
export function pairInName(path: string): PairSymbol | undefined {
  const match = /^(?![0-9]+-)([A-Z0-9]{2,12})-(?![0-9]+(?![A-Z0-9]))([A-Z0-9]{2,12})(?![A-Za-z0-9])/.exec(
    basename(path),
  );
  const parsed = parseSymbol(`${match?.[1]}/${match?.[2]}`);
  return parsed.ok ? parsed.value : undefined;
}
