// A figure is either known, or not available with a reason. A figure with too little data behind it is not shown.

export type Figure<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "n/a"; readonly reason: string };

/** Minimum number of trades for a ratio of trades. */
const TRADES_MIN = 10;

export function known<T>(value: T): Figure<T> {
  return { kind: "known", value };
}

export function notAvailable(reason: string): Figure<never> {
  return { kind: "n/a", reason };
}

/** Not available for NaN and infinities. */
export function finite(value: number, reason: string): Figure<number> {
  return Number.isFinite(value) ? known(value) : notAvailable(reason);
}

export function mapFigure<T, U>(figure: Figure<T>, change: (value: T) => Figure<U>): Figure<U> {
  return figure.kind === "known" ? change(figure.value) : figure;
}

/** The first figure that is not available decides the result. */
export function combined<T extends readonly unknown[], U>(
  figures: { readonly [K in keyof T]: Figure<T[K]> },
  of: (...values: T) => Figure<U>,
): Figure<U> {
  const lacking = figures.find(({ kind }) => kind === "n/a") as Figure<never> | undefined;
  return lacking ?? of(...(figures.map((figure) => (figure as { value: unknown }).value) as unknown as T));
}

/** Computes once for each key: several figures and charts use the same values. */
export function oncePer<K extends object, V>(of: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>();
  return (key) => {
    const value = values.get(key) ?? of(key);
    values.set(key, value);
    return value;
  };
}

export function enough(count: number, what: string, least = TRADES_MIN): Figure<never> | undefined {
  if (count >= least) return undefined;
  return notAvailable(least === 1 ? `there are no ${what}` : `needs at least ${least} ${what}, was ${count}`);
}
