// The pair that the name of a table says, as ours do.

import { basename } from "node:path";
import { type PairSymbol, parseSymbol } from "../../../src/domain/asset.ts";

/** `GBP-CHF.csv`, `VCHF-USDC_2026.parquet`. */
export function pairInName(path: string): PairSymbol | undefined {
  const match = /^([A-Z0-9]{2,12})-([A-Z0-9]{2,12})(?![A-Za-z0-9])/.exec(basename(path));
  const parsed = parseSymbol(`${match?.[1]}/${match?.[2]}`);
  return parsed.ok ? parsed.value : undefined;
}
