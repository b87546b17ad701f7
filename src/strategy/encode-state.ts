// Encodes a strategy's state as plain JSON: numbers, texts, booleans, null, lists and objects; other values are tagged
// with `$`. It runs at every safe point, so the path is derived from the walk only when the walk fails.

import { isSignal, type Signal } from "./signal/signal.ts";

const DEPTH_MAX = 32;
/**
 * The state is written at every safe point: windows of a hundred thousand numbers fit, an unbounded history does not.
 */
export const SIZE_MAX = 4_194_304;
const VALUE_SIZE = 8;
const UNDEFINED = Object.freeze({ $: "undefined" });

/** Marks our classes whose objects strategies see, with a description in the words of the strategy contract. */
export const SHOWN = Symbol("what a strategy is shown");

export class Unsavable extends Error {}

/** `walk` receives the size. */
export function encodeState(state: unknown, walk: Walk = { size: 0 }): unknown {
  return encoded(state, undefined, walk);
}

/** The container of the walk, and the key or index in it. */
type Place = { readonly of: object; step: string | number; readonly depth: number; readonly above: Place | undefined };
/** The size so far. */
export type Walk = { size: number };

function encoded(value: unknown, above: Place | undefined, walk: Walk): unknown {
  count(walk, typeof value === "string" ? value.length : VALUE_SIZE, above);
  if (typeof value === "number") return isJson(value) ? value : { $: "number", is: numberText(value) };
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value === undefined) return UNDEFINED;
  if (typeof value !== "object") throw wrong(above, `must be plain data or a signal, was ${nameOf(value)}`);
  for (let place = above; place !== undefined; place = place.above)
    if (place.of === value) throw wrong(above, "must not contain itself");
  const depth = above === undefined ? 1 : above.depth + 1;
  if (depth > DEPTH_MAX) throw wrong(above, `must be at most ${DEPTH_MAX} levels deep`);
  if (isSignal(value)) {
    const is = value.save();
    count(walk, is.length * VALUE_SIZE, above);
    return { $: value.kind, args: value.args.slice(), is };
  }
  const place: Place = { of: value, step: 0, depth, above };
  return Array.isArray(value) ? encodedList(value, place, walk) : encodedObject(value, place, walk);
}

function count(walk: Walk, size: number, place: Place | undefined): void {
  walk.size += size;
  if (walk.size > SIZE_MAX)
    throw wrong(
      place,
      `is too much: state must have at most ${SIZE_MAX} bytes (${VALUE_SIZE} a value, 1 a character), had ${walk.size} up to there`,
    );
}

function encodedList(list: readonly unknown[], place: Place, walk: Walk): unknown {
  const result: unknown[] = [];
  for (let i = 0; i < list.length; i++) {
    place.step = i;
    result.push(encoded(list[i], place, walk));
  }
  return result;
}

function encodedObject(object: object, place: Place, walk: Walk): unknown {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null)
    throw wrong(place.above, `must be plain data or a signal, was ${nameOf(object)}`);
  const result: Record<string, unknown> = {};
  for (const key of Object.getOwnPropertyNames(object)) {
    if (key === "$" || key === "__proto__") throw wrong(place.above, `must not have the key ${key}`);
    place.step = key;
    count(walk, key.length, place);
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor === undefined || !("value" in descriptor)) throw wrong(place, "must be plain data, was an accessor");
    result[key] = encoded(descriptor.value, place, walk);
  }
  return result;
}

function wrong(place: Place | undefined, what: string): Unsavable {
  return new Unsavable(`${pathOf(place)} ${what}`);
}

function pathOf(place: Place | undefined): string {
  if (place === undefined) return "state";
  return `${pathOf(place.above)}${typeof place.step === "number" ? `[${place.step}]` : `.${place.step}`}`;
}

function isJson(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function describe(signal: Signal): string {
  return `${signal.kind}(${signal.args.join(", ")})`;
}

export function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return typeof value === "function" ? "a function" : typeof value;
  if (isSignal(value)) return describe(value);
  const maker: { readonly name?: unknown; readonly [SHOWN]?: unknown } | undefined =
    Object.getPrototypeOf(value)?.constructor;
  if (typeof maker?.[SHOWN] === "string") return maker[SHOWN];
  return maker?.name === "Object" || typeof maker?.name !== "string" ? "an object" : `a ${maker.name}`;
}
