// A figure is known, or it is not available and says why. Nothing is shown in place of a figure that rests on too little.

export type Figure<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "n/a"; readonly reason: string };

/** Below this a ratio of trades says nothing. */
const TRADES_MIN = 10;

export function known<T>(value: T): Figure<T> {
  return { kind: "known", value };
}

export function notAvailable(reason: string): Figure<never> {
  return { kind: "n/a", reason };
}

/** A float that is no number is not available. */
export function finite(value: number, reason: string): Figure<number> {
  return Number.isFinite(value) ? known(value) : notAvailable(reason);
}

export function mapFigure<T, U>(figure: Figure<T>, change: (value: T) => Figure<U>): Figure<U> {
  return figure.kind === "known" ? change(figure.value) : figure;
}

/** The first that is not available stands for all. */
export function combined<T extends readonly unknown[], U>(
  figures: { readonly [K in keyof T]: Figure<T[K]> },
  of: (...values: T) => Figure<U>,
): Figure<U> {
  const lacking = figures.find(({ kind }) => kind === "n/a") as Figure<never> | undefined;
  return lacking ?? of(...(figures.map((figure) => (figure as { value: unknown }).value) as unknown as T));
}

/** Worked out once for each key: several figures and charts ask for the same. */
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
