// A two-sided price. Market data are signals, so floats; exact money starts at the door (money/door.ts).

import type { PairSymbol } from "./asset.ts";
import type { Millis } from "./time.ts";

export type Quote = {
  readonly symbol: PairSymbol;
  readonly bid: number;
  readonly ask: number;
  /** In base units; undefined when the source does not say. */
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
  /** `venue`, or the name of a reference feed. */
  readonly source: string;
  /** The source's clock; undefined when it gives no time. */
  readonly at: Millis | undefined;
  readonly receivedAt: Millis;
  /** The pairs of its source that it was, or would be, worked out from; undefined where it is the source's own, or nobody knows which these were. */
  readonly legs?: readonly PairSymbol[] | undefined;
};
