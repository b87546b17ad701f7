// The names of the formats, apart from their readers, so that a command line can list them without loading any.

import { basename } from "node:path";
import { type PairSymbol, parseSymbol } from "../../../src/domain/asset.ts";
import type { Intake } from "../intake.ts";
import type { ProblemLog, RowProblem } from "../problem.ts";
import type { DataKind } from "../source.ts";
import type { Zone } from "../zone.ts";

/** Of times that are numbers, since 1970. */
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

// What a reader of a file format is given and what it says about itself. One format per file in this folder.

/** What a file does not say about itself and a person declares. */
export type Declaration = {
  readonly symbol: PairSymbol;
  /** Of times without a zone of their own. */
  readonly zone?: Zone;
  /** Of times that are numbers. */
  readonly timeUnit?: TimeUnit;
  readonly delimiter?: string;
  readonly decimalComma?: boolean;
  /** Prices in the file are divided by it. */
  readonly pricePer?: number;
  /** Sizes in the file are multiplied by it. */
  readonly sizeTimes?: number;
  /** Where a source has one price: how far bid and ask are assumed from it. */
  readonly halfSpreadBps?: number;
  /** The length of bars; otherwise the smallest step. */
  readonly intervalMs?: number;
  /** How many times larger or smaller a price may be than in the row above. */
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
  /** Unpacked; once. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Called once, as soon as the reader knows what kind of rows there are. */
  intake(kind: DataKind): Intake;
};

export interface Format {
  readonly name: FormatName;
  /** What it reads, for people. */
  readonly title: string;
  /** Where problems are: text has lines, the rest rows. */
  readonly unit: "line" | "row";
  /** `own`: the format fixes it. `declared`: times without a zone of their own need one. */
  readonly zone: "own" | "declared";
  /** For formats with a single price: whether bid and ask around it must be declared. */
  readonly halfSpread: "needed" | "allowed" | "none";
  /** What else it leaves open; the rest must not be declared (taken.ts). */
  readonly takes: readonly (keyof Declaration)[];
  read(input: Input): Promise<void>;
}

export function priceScale({ pricePer = 1 }: Declaration): Scale {
  return { times: 1, per: pricePer };
}

/** `times` is the format's own unit of sizes. */
export function sizeScale({ sizeTimes }: Declaration, times = 1): Scale {
  return { times: sizeTimes ?? times, per: 1 };
}

/** A single price as bid and ask. */
export function aroundPrice({
  halfSpreadBps = 0,
}: Declaration): (price: number) => readonly [bid: number, ask: number] {
  const half = halfSpreadBps / 1e4;
  return (price) => [price * (1 - half), price * (1 + half)];
}

// What can be declared of a file: only what its format leaves open. Anything else would stand in the manifest without having
// been applied.

type Name = keyof Declaration;

/** Of every format: which pair it is, what its prices are in, and which rows are good. */
const ALWAYS: readonly Name[] = ["symbol", "pricePer", "jumpMax", "tolerate"];
const FLAGS: Partial<Record<Name, string>> = { symbol: "--pair", intervalMs: "--interval" };

/** The flags of what was declared and is used by none of these; a column file has no format, and says everything itself. */
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

/** The flags that it was declared by. */
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

// The pair that the name of a table says, as ours do.

const MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC";
const NO_ASSET = `(?!(?:[0-9]+|${MONTHS})(?![A-Z0-9]))`;
const IN_NAME = new RegExp(`^${NO_ASSET}([A-Z0-9]{2,12})-${NO_ASSET}([A-Z0-9]{2,12})(?![A-Za-z0-9])`);

/** `GBP-CHF.csv`, `VCHF-USDC_2026.parquet`; in `2026-01.csv`, `JAN-DATA.csv` and `DATA-JAN.csv` a number or month is a date, and no asset. */
export function pairInName(path: string): PairSymbol | undefined {
  const match = IN_NAME.exec(basename(path));
  const parsed = parseSymbol(`${match?.[1]}/${match?.[2]}`);
  return parsed.ok ? parsed.value : undefined;
}

/** The unit of Dukascopy's volumes. */
export const MILLION = 1_000_000;
