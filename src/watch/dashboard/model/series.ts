// Numbers over time in bounded memory: the last minutes by the second, the last hours and days at a coarser resolution.
// Each tier keeps the first row of each of its spans and drops its oldest row.

export type TierSpec = { readonly everyMs: number; readonly rows: number };

/** `columns[c][r]` belongs to `time[r]`, in seconds; null means unknown. */
export type TierData = {
  readonly everyMs: number;
  readonly time: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
};

export type TierPoint = { readonly tier: number; readonly time: number; readonly values: readonly (number | null)[] };

export interface Series {
  /** Returns the points that it added, for followers. */
  add(at: number, values: Float64Array): TierPoint[];
  tiers(): readonly TierData[];
}

const DIGITS = 9;

export function createSeries(width: number, specs: readonly TierSpec[]): Series {
  const tiers = specs.map((spec) => new Tier(width, spec));
  return {
    add(at, values) {
      const points: TierPoint[] = [];
      tiers.forEach((tier, index) => {
        if (tier.take(at, values)) points.push({ tier: index, time: seconds(at), values: Array.from(values, shown) });
      });
      return points;
    },
    tiers: () => tiers.map((tier) => tier.data()),
  };
}

/** A ring buffer of rows: time first, then the columns. */
class Tier {
  readonly #width: number;
  readonly #spec: TierSpec;
  readonly #cells: Float64Array;
  #count = 0;
  #span = Number.NEGATIVE_INFINITY;

  constructor(width: number, spec: TierSpec) {
    this.#width = width;
    this.#spec = spec;
    this.#cells = new Float64Array((width + 1) * spec.rows);
  }

  take(at: number, values: Float64Array): boolean {
    const span = Math.floor(at / this.#spec.everyMs);
    // A clock that was set back must not make the line run backwards.
    if (span <= this.#span) return false;
    this.#span = span;
    const start = (this.#count % this.#spec.rows) * (this.#width + 1);
    this.#cells[start] = at;
    this.#cells.set(values, start + 1);
    this.#count++;
    return true;
  }

  data(): TierData {
    const { rows, everyMs } = this.#spec;
    const length = Math.min(this.#count, rows);
    const startOf = (row: number): number => ((this.#count - length + row) % rows) * (this.#width + 1);
    const column = <T>(offset: number, read: (cell: number) => T): T[] =>
      Array.from({ length }, (_, row) => read(this.#cells[startOf(row) + offset] as number));
    return {
      everyMs,
      time: column(0, seconds),
      columns: Array.from({ length: this.#width }, (_, index) => column(index + 1, shown)),
    };
  }
}

function seconds(ms: number): number {
  return Math.round(ms) / 1_000;
}

function shown(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
}
