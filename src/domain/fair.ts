// What a pair is worth by what we know, or the named reason why nobody can say. A missing value is never replaced by par
// or by the last one: par is a source like any other, switched on by name.

export type Fair =
  | {
      readonly kind: "fair";
      /** Quote units for one base unit: a signal, so a float. */
      readonly value: number;
      /** The age of the oldest price that it rests on. */
      readonly ageMs: number;
      /** How many sources agree. */
      readonly sources: number;
      /** Between the lowest and the highest of them, in 1/10000 of the value. */
      readonly disagreementBps: number;
      /** Between bid and ask of the widest of them; over a cross the sum of its legs, in 1/10000 of the value. */
      readonly spreadBps?: number;
      /** Orders must be this near while the market that it comes from is closed. */
      readonly collarBps?: number | undefined;
    }
  | {
      readonly kind: "none";
      readonly reason: NoFair;
      /** What the pair itself must keep, where that is it: sources (`missing`), bp around par (`off-peg`), ms (`frozen`). */
      readonly limit?: number | undefined;
    };

/**
 * `off-peg`: par is switched on, but the venue's own quote is outside the peg band. `implausible`: not what the pair can
 * cost. `jumping`: a leap that no second source has confirmed. `closed`: the currency markets are.
 */
export type NoFair =
  | "missing"
  | "stale"
  | "crossed"
  | "frozen"
  | "disagreeing"
  | "off-peg"
  | "implausible"
  | "jumping"
  | "closed";
