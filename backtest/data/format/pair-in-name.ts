// The pair that the name of a table says, as ours do.

import { basename } from "node:path";
import { type PairSymbol, parseSymbol } from "../../../src/domain/asset.ts";

const MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC";
const NO_ASSET = `(?!(?:[0-9]+|${MONTHS})(?![A-Z0-9]))`;
const IN_NAME = new RegExp(`^${NO_ASSET}([A-Z0-9]{2,12})-${NO_ASSET}([A-Z0-9]{2,12})(?![A-Za-z0-9])`);

/** `GBP-CHF.csv`, `VCHF-USDC_2026.parquet`; in `2026-01.csv`, `JAN-DATA.csv` and `DATA-JAN.csv` a number or month is a date, and no asset. */
export function pairInName(path: string): PairSymbol | undefined {
  const match = IN_NAME.exec(basename(path));
  const parsed = parseSymbol(`${match?.[1]}/${match?.[2]}`);
  return parsed.ok ? parsed.value : undefined;
}

/** Two currencies without anything between them, as most sources write them. */
const JOINED = /^([A-Z]{3})([A-Z]{3})(?![A-Za-z])/;
const KNOWN = new Set([...Intl.supportedValuesOf("currency"), "VCHF", "VGBP", "USDC", "USDT", "BTC", "ETH"]);

/** What is to be said of a file that is named for one pair and declared to be of another; names that are no known assets say nothing. */
export function otherPairText(path: string, declared: PairSymbol): string | undefined {
  const [, base, quote] = JOINED.exec(basename(path)) ?? [];
  const named = pairInName(path) ?? `${base}/${quote}`;
  if (named === declared || !named.split("/").every((asset) => KNOWN.has(asset))) return undefined;
  return `${path} is of ${named} by its name, and is read as ${declared}, as declared`;
}
