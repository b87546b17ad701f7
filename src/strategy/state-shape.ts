// The shape of a strategy's initial state: its fields and their kinds, as `state(params)` makes them. It is recorded
// with every state, so that a state of another version is recognised by its initial shape: lists and records grow, and
// a field may later hold another kind of value.

import { nameOf } from "./encode-state.ts";
import { isSignal } from "./signal/signal.ts";

/** A kind by its name, a list as runs of equal parts, an object by its fields. Plain JSON data. */
export type StateShape = string | readonly Run[] | { readonly [field: string]: StateShape };
type Run = readonly [count: number, of: StateShape];

/** The number of changes that a message names. */
const CHANGES_MAX = 5;
/** A missing field reads as undefined. */
const ABSENT = "undefined";

export function shapeOf(value: unknown): StateShape {
  if (typeof value !== "object" || value === null || isSignal(value)) return nameOf(value);
  if (Array.isArray(value)) return runsOf(value);
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, shapeOf(part)]));
}

function runsOf(list: readonly unknown[]): readonly Run[] {
  const runs: [number, StateShape][] = [];
  let last = "";
  for (const item of list) {
    const shape = shapeOf(item);
    const text = JSON.stringify(shape);
    const run = runs.at(-1);
    if (run !== undefined && text === last) run[0]++;
    else runs.push([1, shape]);
    last = text;
  }
  return runs;
}

/** The differences, for messages; empty for equal shapes. */
export function shapeChanges(before: StateShape, now: StateShape): readonly string[] {
  const changes = changesAt("state", before, now);
  if (changes.length <= CHANGES_MAX) return changes;
  return [...changes.slice(0, CHANGES_MAX), `${changes.length - CHANGES_MAX} more`];
}

function changesAt(path: string, before: StateShape, now: StateShape): readonly string[] {
  if (isFields(before) && isFields(now)) {
    const fields = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...fields].flatMap((field) => changesAt(`${path}.${field}`, partOf(before, field), partOf(now, field)));
  }
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  if (before === ABSENT) return [`${path} is new`];
  if (now === ABSENT) return [`${path} is gone`];
  return [`${path} was ${textOf(before)}, is ${textOf(now)}`];
}

function isFields(shape: StateShape): shape is { readonly [field: string]: StateShape } {
  return typeof shape === "object" && !Array.isArray(shape);
}

function partOf(shape: { readonly [field: string]: StateShape }, field: string): StateShape {
  return Object.hasOwn(shape, field) ? (shape[field] as StateShape) : ABSENT;
}

function textOf(shape: StateShape): string {
  if (typeof shape === "string") return shape;
  if (!Array.isArray(shape)) return "an object";
  const runs = (shape as readonly Run[]).map(([count, of]) => `${count} ${textOf(of)}`);
  return runs.length === 0
    ? "an empty list"
    : `a list of ${runs.length > CHANGES_MAX ? "other parts" : runs.join(", ")}`;
}
