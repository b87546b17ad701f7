// What changed between two states, as values at their paths. Rows are replaced and never edited, so equal objects are
// skipped without a look inside.

import { toPlain } from "./core/state.ts";

/** A plain value at its path; without a value, what was there is gone. */
export type Change = readonly [path: readonly (string | number)[], value?: unknown];

type Tree = Record<string | number, unknown>;

export function changesBetween(before: unknown, after: unknown, path: Change[0] = []): readonly Change[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length <= after.length)
    return after.flatMap((value, i) => (value === before[i] ? [] : changesBetween(before[i], value, [...path, i])));
  if (!isTree(before) || !isTree(after)) return [[path, toPlain(after)]];
  const gone = Object.keys(before).filter((key) => !(key in after));
  return [
    ...gone.map((key): Change => [[...path, key]]),
    ...Object.entries(after).flatMap(([key, value]) => changesBetween(before[key], value, [...path, key])),
  ];
}

/** Edits a plain state; throws where the path does not exist. */
export function applyChange(state: object, change: Change): void {
  const path = [...change[0]];
  const last = path.pop() as string | number;
  const holder = path.reduce((tree, key) => tree[key] as Tree, state as Tree);
  if (change.length === 1) Reflect.deleteProperty(holder, last);
  else holder[last] = change[1];
}

/** Amounts are values, not trees. */
function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
