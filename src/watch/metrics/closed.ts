// Metrics whose labels have closed sets of values. Counters start at zero, because an alert on a rate needs the zero
// before the first event. No text of the venue or a strategy can become a label.

import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export const OTHER = "other";

/** The values of each label. */
export type Closed<L extends string> = Readonly<Record<L, readonly string[]>>;

/** Name and help text; the name contains the unit. */
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

  /** `table`: help by name, with labels in braces. The returned function replaces all earlier values. */
  gauges<N extends string>(table: Readonly<Record<N, string>>): (values: Readonly<Record<N, Samples>>) => void {
    const gauges = Object.entries<string>(table).map(([key, help]) => {
      const [name = "", labels = ""] = key.split(/[{}]/);
      const labelNames = labels.split(",").filter((label) => label !== "");
      return { key: key as N, labelNames, gauge: new Gauge({ name, help, labelNames, registers: this.#registers }) };
    });
    return (values) => {
      for (const { key, labelNames, gauge } of gauges) {
        gauge.reset();
        // The library starts gauges without labels at zero.
        if (labelNames.length === 0) gauge.remove();
        show(gauge, labelNames, {}, values[key]);
      }
    };
  }

  histogram<L extends string>([name, help]: Named, closed: Closed<L>, buckets: readonly number[]): Histogram<L> {
    const labelNames = namesOf(closed);
    const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: this.#registers });
    for (const labels of combinations(closed)) histogram.zero(labels);
    return histogram;
  }
}

/** A record has a sample for each value of the next label; an unknown value has no sample. */
export type Samples = number | boolean | string | undefined | { readonly [label: string]: Samples };

function show(gauge: Gauge, [label = "", ...further]: readonly string[], labels: Labels, samples: Samples): void {
  if (typeof samples === "object")
    for (const [value, one] of Object.entries(samples)) show(gauge, further, { ...labels, [label]: value }, one);
  else if (samples !== undefined && !Number.isNaN(Number(samples))) gauge.set(labels, Number(samples));
}

type Labels = Readonly<Record<string, string>>;

/** The value if the set contains it, otherwise `OTHER`. */
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
