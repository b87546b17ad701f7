// The fair value of a pair, or the reason why there is none. A missing value is never replaced by par or by the last
// one: par is a source like any other, and is enabled explicitly.

export type Fair =
  | {
      readonly kind: "fair";
      /** Quote units for one base unit; a float, because it is a signal. */
      readonly value: number;
      /** The age of the oldest price used. */
      readonly ageMs: number;
      /** The number of sources that agree. */
      readonly sources: number;
      /** The distance between the lowest and the highest source, in 1/10000 of the value. */
      readonly disagreementBps: number;
      /** The widest bid-ask spread of the sources, in 1/10000 of the value; for a cross the sum of its legs. */
      readonly spreadBps?: number;
      /** The collar of orders while the source's market is closed. */
      readonly collarBps?: number | undefined;
    }
  | {
      readonly kind: "none";
      readonly reason: NoFair;
      /** The limit of the pair behind the reason: sources (`missing`), bp around par (`off-peg`). */
      readonly limit?: number | undefined;
    };

/**
 * `off-peg`: par is enabled, but the venue's quote is outside the peg band. `implausible`: outside the pair's plausible
 * band. `closed`: the currency markets are closed.
 */
export type NoFair = "missing" | "stale" | "crossed" | "disagreeing" | "off-peg" | "implausible" | "closed";
