// Judges fill chances by decisions alone, without knowing a price that was not paid: how many of the orders of each decile
// filled, and what they gained against what was expected of them.

const DECILES = 10;
/** A decile of fewer orders says nothing. */
const JUDGED_MIN = 400;

/** Of an order when it was decided: `gain` in the currency of the limits. */
export type Foretold = { readonly chance: number; readonly gain: number };
type Decile = {
  readonly orders: number;
  readonly expected: number;
  readonly variance: number;
  readonly filled: number;
};
type Sums = Readonly<Record<"squares" | "hits" | "expected" | "gained" | "gainedSquares", number>>;
export type SavedReliability = Sums & { readonly deciles: readonly Decile[] };

export type ReliabilityFigures = {
  readonly orders: number;
  /** Fills, and those expected. */
  readonly filled: number;
  readonly expected: number;
  /** Of filled on expected; undefined where chances do not differ. */
  readonly slope?: number | undefined;
  /** The largest distance of a decile with enough orders, in standard errors; undefined without one. */
  readonly worst?: number | undefined;
  /** For an order, in the currency of the limits, with the standard error of what it gained. */
  readonly gainExpected: number;
  readonly gained: number;
  readonly gainedError: number;
  readonly deciles: readonly Decile[];
};

const NONE: SavedReliability = {
  ...{ squares: 0, hits: 0, expected: 0, gained: 0, gainedSquares: 0 },
  deciles: Array.from({ length: DECILES }, () => ({ orders: 0, expected: 0, variance: 0, filled: 0 })),
};

export class Reliability {
  #sums: SavedReliability;

  constructor(saved: SavedReliability = NONE) {
    this.#sums = saved;
  }

  save(): SavedReliability {
    return this.#sums;
  }

  /** `gained`: undefined where the order did not fill. */
  judged({ chance, gain }: Foretold, gained: number | undefined): void {
    const { deciles, squares, hits, expected, gained: before, gainedSquares } = this.#sums;
    const filled = gained === undefined ? 0 : 1;
    const place = Math.min(DECILES - 1, Math.floor(chance * DECILES));
    this.#sums = {
      deciles: deciles.map((one, index) =>
        index !== place
          ? one
          : {
              orders: one.orders + 1,
              expected: one.expected + chance,
              variance: one.variance + chance * (1 - chance),
              filled: one.filled + filled,
            },
      ),
      squares: squares + chance ** 2,
      hits: hits + chance * filled,
      expected: expected + gain,
      gained: before + (gained ?? 0),
      gainedSquares: gainedSquares + (gained ?? 0) ** 2,
    };
  }

  /** Undefined before the first order. */
  figures(): ReliabilityFigures | undefined {
    const { deciles, squares, hits, expected: gains, gained, gainedSquares } = this.#sums;
    const sum = (of: keyof Decile): number => deciles.reduce((total, one) => total + one[of], 0);
    const [orders, filled, expected] = [sum("orders"), sum("filled"), sum("expected")];
    if (orders === 0) return undefined;
    const spread = squares - expected ** 2 / orders;
    const distances = deciles.flatMap((one) => (one.orders < JUDGED_MIN ? [] : [Math.abs(distanceOf(one))]));
    return {
      ...{ orders, filled, expected, deciles },
      slope: spread > 1e-9 * orders ? (hits - (expected * filled) / orders) / spread : undefined,
      worst: distances.length === 0 ? undefined : Math.max(...distances),
      gainExpected: gains / orders,
      gained: gained / orders,
      gainedError: Math.sqrt(Math.max(0, gainedSquares / orders - (gained / orders) ** 2) / orders),
    };
  }
}

/** In standard errors. */
export function distanceOf({ filled, expected, variance }: Decile): number {
  return (filled - expected) / Math.sqrt(variance);
}

/** The chance that an order of each side fills at the limit that was asked last. */
export function askedText({ bid, ask }: Readonly<Record<"bid" | "ask", Asked | undefined>>): string {
  const of = (verb: string, one: Asked | undefined): readonly string[] =>
    one === undefined ? [] : [`${verb} at ${one.limit.toFixed(5)} or better with ${(100 * one.chance).toFixed(0)} %`];
  return [...of("buys", ask), ...of("sells", bid)].join(", ");
}

export type Asked = { readonly limit: number; readonly chance: number };

type Side = { readonly asked: number | undefined; chance(limit: number, size: number): number };

export function askedOf({ asked, chance }: Side): Asked | undefined {
  return asked === undefined ? undefined : { limit: asked, chance: chance(asked, 0) };
}

export function reliabilityText(one: Omit<ReliabilityFigures, "deciles">, currency: string): string {
  const { orders, filled, expected, slope, worst, gained, gainedError, gainExpected } = one;
  const share = (count: number): string => `${((100 * count) / orders).toFixed(1)} %`;
  const more = [
    ...(slope === undefined ? [] : [`slope ${slope.toFixed(2)}`]),
    ...(worst === undefined ? [] : [`worst decile ${worst.toFixed(1)} standard errors off`]),
  ].join(", ");
  return `${orders} blind orders: ${share(filled)} filled where ${share(expected)} were expected${more && ` (${more})`}; an order gained ${gained.toFixed(3)} (+-${gainedError.toFixed(3)}) ${currency} of ${gainExpected.toFixed(3)} expected`;
}
