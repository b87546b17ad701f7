// What stands in which field of a row, for the scanner.

import type { Columns } from "../kind.ts";
import type { Zone } from "../zone.ts";

/** Of times that are numbers, since 1970. */
export const TIME_UNITS = { s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

/** From the file's unit to ours; two numbers, because 1.8 million is 1.8 x 1000000 and not exactly 1.8 / 0.000001. */
export type Scale = { readonly times: number; readonly per: number };

export type Field =
  | { readonly kind: "skip" }
  /** The same text in every row. */
  | { readonly kind: "literal"; readonly text: string }
  /** `unit` is for numbers; text may stand there instead. */
  | { readonly kind: "time"; readonly unit: TimeUnit }
  /** Of a time in two fields, which are there together and with no `time`; by the names in their header. */
  | { readonly kind: "date"; readonly name: string }
  | { readonly kind: "time of day"; readonly name: string }
  | {
      readonly kind: "value";
      readonly name: string;
      /** Its place in file order. */
      readonly column: number;
      /** An empty field is unknown (NaN). */
      readonly isOptional: boolean;
      readonly scale: Scale;
    };

export type Layout = {
  readonly delimiter: string;
  readonly decimalComma: boolean;
  readonly fields: readonly Field[];
  /** Of text times without a zone of their own; undefined: such times are refused. */
  readonly zone: Zone | undefined;
  /** What is said of such times then, where declaring a zone is no way out. */
  readonly noZone?: string;
  /** Completes a row that is written, where fields alone do not make one; false where it is none. */
  readonly complete?: (columns: Columns, row: number) => boolean;
};
