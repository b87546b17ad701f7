// What a reader of a file format is given and what it says about itself. One format per file in this folder.

import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Scale, TimeUnit } from "../csv/layout.ts";
import type { Intake } from "../intake.ts";
import type { DataKind } from "../kind.ts";
import type { ProblemLog, RowProblem } from "../problem.ts";
import type { Zone } from "../zone.ts";
import type { FormatName } from "./names.ts";

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
  /** The length of bars where the file's name says it. */
  intervalIn?(name: string): number | undefined;
  /** The pair, or whatever the source calls it (EURUSDT), where the file's name says it. */
  pairIn?(path: string): string | undefined;
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
