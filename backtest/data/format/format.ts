// The names of the formats, separate from their readers, so that a command line can list them without loading any.

import { basename } from "node:path";
import { type PairSymbol, parseSymbol } from "../../../src/domain/asset.ts";
import type { Intake } from "../intake.ts";
import type { ProblemLog, RowProblem } from "../problem.ts";
import type { DataKind } from "../source.ts";
import type { Zone } from "../zone.ts";

/** Units of numeric times since 1970. */
export const TIME_UNITS = { s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

/** From the file's unit to ours; two numbers, because 1.8 million is 1.8 x 1000000 and not exactly 1.8 / 0.000001. */
export type Scale = { readonly times: number; readonly per: number };

export const FORMAT_NAMES = [
  "csv",
  "parquet",
  "arrow",
  "ecb",
  "kraken-ohlcvt",
  "kraken-trades",
  "binance-klines",
  "dukascopy-json",
  "dukascopy-csv",
  "ccxt",
  "histdata",
  "truefx",
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

// The interface between a format's reader and the import.

/** Properties that a file does not contain and a person declares. */
export type Declaration = {
  readonly symbol: PairSymbol;
  /** For times without a zone. */
  readonly zone?: Zone;
  /** For numeric times. */
  readonly timeUnit?: TimeUnit;
  readonly delimiter?: string;
  readonly decimalComma?: boolean;
  /** Divisor of the prices in the file. */
  readonly pricePer?: number;
  /** Multiplier of the sizes in the file. */
  readonly sizeTimes?: number;
  /** For sources with a single price: the assumed distance of bid and ask from it. */
  readonly halfSpreadBps?: number;
  /** The length of bars; the smallest step by default. */
  readonly intervalMs?: number;
  /** The largest allowed ratio, either way, of a price to the one in the row above. */
  readonly jumpMax?: number;
  readonly tolerate?: readonly RowProblem[];
  /** The file to take from an archive. */
  readonly entry?: string;
};

export const JUMP_MAX = 2;

export type Input = {
  readonly path: string;
  readonly declared: Declaration;
  readonly log: ProblemLog;
  /** The unpacked bytes; can be read once. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Called once, as soon as the reader knows the kind of rows. */
  intake(kind: DataKind): Intake;
};

export interface Format {
  readonly name: FormatName;
  /** Description for people. */
  readonly title: string;
  /** How problems are located: text has lines, other formats have rows. */
  readonly unit: "line" | "row";
  /** `own`: the format fixes the zone. `declared`: times without a zone need one. */
  readonly zone: "own" | "declared";
  /** For formats with a single price: whether bid and ask around it must be declared. */
  readonly halfSpread: "needed" | "allowed" | "none";
  /** Other properties that the format leaves open; anything else must not be declared. */
  readonly takes: readonly (keyof Declaration)[];
  read(input: Input): Promise<void>;
}

export function priceScale({ pricePer = 1 }: Declaration): Scale {
  return { times: 1, per: pricePer };
}

/** `times` is the format's default unit of sizes. */
export function sizeScale({ sizeTimes }: Declaration, times = 1): Scale {
  return { times: sizeTimes ?? times, per: 1 };
}

/** Turns a single price into bid and ask. */
export function aroundPrice({
  halfSpreadBps = 0,
}: Declaration): (price: number) => readonly [bid: number, ask: number] {
  const half = halfSpreadBps / 1e4;
  return (price) => [price * (1 - half), price * (1 + half)];
}

// Only properties that the format leaves open can be declared. Any other would be in the manifest without having been
// applied.

type Name = keyof Declaration;

/** For every format: the pair, the unit of prices, and the rules for good rows. */
const ALWAYS: readonly Name[] = ["symbol", "pricePer", "jumpMax", "tolerate"];
const FLAGS: Partial<Record<Name, string>> = { symbol: "--pair", intervalMs: "--interval" };

/** The flags of declarations that none of these files uses; a column file has no format and contains everything. */
export function notTaken(
  declared: Partial<Declaration>,
  files: readonly { readonly path: string; readonly format: Format | undefined }[],
): string[] {
  const taken = new Set<string>([
    "symbol",
    ...files.flatMap(({ path, format }) => (format ? takenBy(format, path) : [])),
  ]);
  return flagsOf(Object.fromEntries(Object.entries(declared).filter(([name]) => !taken.has(name))));
}

/** The flags of these declarations. */
export function flagsOf(declared: Partial<Declaration>): string[] {
  return Object.keys(declared).map(
    (name) => FLAGS[name as Name] ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}

function takenBy({ takes, zone, halfSpread }: Format, path: string): readonly Name[] {
  return [
    ...ALWAYS,
    ...takes.filter((name) => name !== "entry" || /\.zip$/i.test(path)),
    ...(zone === "declared" ? ["zone" as const] : []),
    ...(halfSpread === "none" ? [] : ["halfSpreadBps" as const]),
  ];
}

// The pair in a file's name, as in names that pegbot writes.

const MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC";
const NO_ASSET = `(?!(?:[0-9]+|${MONTHS})(?![A-Z0-9]))`;
const IN_NAME = new RegExp(`^${NO_ASSET}([A-Z0-9]{2,12})-${NO_ASSET}([A-Z0-9]{2,12})(?![A-Za-z0-9])`);

/**
 * `GBP-CHF.csv`, `VCHF-USDC_2026.parquet`; in `2026-01.csv`, `JAN-DATA.csv` and `DATA-JAN.csv` a number or month is a
 * date and not an asset.
 */
export function pairInName(path: string): PairSymbol | undefined {
  const match = IN_NAME.exec(basename(path));
  const parsed = parseSymbol(`${match?.[1]}/${match?.[2]}`);
  return parsed.ok ? parsed.value : undefined;
}

/** The unit of Dukascopy's volumes. */
export const MILLION = 1_000_000;
