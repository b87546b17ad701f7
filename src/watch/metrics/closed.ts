// Metrics whose labels have closed sets of values. Counters are there from the start with zero: an alert on a rate needs
// the zero before the first one. Nothing that the venue or a strategy says can become a label.

import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export const OTHER = "other";

/** The values of each label. */
export type Closed<L extends string> = Readonly<Record<L, readonly string[]>>;

/** Name and help, the units in the name. */
export type Named = readonly [name: string, help: string];

export class Shelf {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter<L extends string>([name, help]: Named, closed: Closed<L>): Counter<L> {
    const counter = new Counter({ name, help, labelNames: namesOf(closed), registers: this.#registers });
    for (const labels of combinations(closed)) counter.inc(labels, 0);
    return counter;
  }

  /** Only what is known is shown: a gauge has no sample before its first value. */
  gauge<L extends string = never>([name, help]: Named, labelNames: readonly L[] = []): Gauge<L> {
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: this.#registers });
    // The library begins gauges without labels at zero.
    if (labelNames.length === 0) gauge.remove();
    return gauge;
  }

  histogram<L extends string>([name, help]: Named, closed: Closed<L>, buckets: readonly number[]): Histogram<L> {
    const labelNames = namesOf(closed);
    const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: this.#registers });
    for (const labels of combinations(closed)) histogram.zero(labels);
    return histogram;
  }
}

/** What is not known is left out. */
export function show(gauge: Gauge<never>, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** The value, where the set has it. */
export function oneOf(values: readonly string[], value: string): string {
  return values.includes(value) ? value : OTHER;
}

function namesOf<L extends string>(closed: Closed<L>): L[] {
  return Object.keys(closed) as L[];
}

function combinations<L extends string>(closed: Closed<L>): Record<L, string>[] {
  let found: Record<string, string>[] = [{}];
  for (const name of namesOf(closed))
    found = found.flatMap((labels) => closed[name].map((value) => ({ ...labels, [name]: value })));
  return found as Record<L, string>[];
}
