// A two-sided price. Market data are signals and therefore floats; exact money begins in money/door.ts.

import type { PairSymbol } from "./asset.ts";
import type { Millis } from "./time.ts";

export type Quote = {
  readonly symbol: PairSymbol;
  readonly bid: number;
  readonly ask: number;
  /** In base units; undefined if the source does not state it. */
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
  /** `venue`, or the name of a reference feed. */
  readonly source: string;
  /** The source's clock; undefined if it gives no time. */
  readonly at: Millis | undefined;
  readonly receivedAt: Millis;
};
