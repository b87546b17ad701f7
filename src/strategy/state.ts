// The state of a strategy as data: what may be in it, and how it goes to plain JSON and comes back to the last bit. What
// cannot be saved is refused by its path when the strategy is loaded, not found missing after a crash.

import { err, ok, type Result } from "../domain/result.ts";
import { change } from "./signal/change.ts";
import { deviation } from "./signal/deviation.ts";
import { ema } from "./signal/ema.ts";
import { highest } from "./signal/highest.ts";
import { lowest } from "./signal/lowest.ts";
import { isSignal, type Signal } from "./signal/signal.ts";
import { sma } from "./signal/sma.ts";

const MAKERS: Readonly<Record<string, (length: number) => Signal>> = { change, deviation, ema, highest, lowest, sma };
const DEPTH_MAX = 32;

/** Numbers, texts, booleans, null, lists and objects; what JSON cannot say is tagged with `$`. */
export type SavedState = unknown;

/** A reason when something in it is neither plain data nor a signal. */
export function stateProblem(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null || Array.isArray(state) || isSignal(state))
    return `state must be an object, was ${nameOf(state)}`;
  const saved = saveState(state);
  return saved.ok ? undefined : saved.error;
}

export function saveState(state: unknown): Result<SavedState> {
  try {
    return ok(encoded(state, "state", []));
  } catch (error) {
    if (error instanceof Unsavable) return err(error.message);
    throw error;
  }
}

/** The saved state, if it fits the fresh one: every signal that the strategy starts with must be there, of the same kind. */
export function loadState(saved: SavedState, fresh: unknown): Result<object> {
  try {
    const state = decoded(saved, "state");
    requireFit(fresh, state, "state");
    return ok(state as object);
  } catch (error) {
    if (error instanceof Unsavable || error instanceof RangeError) return err(error.message);
    throw error;
  }
}

class Unsavable extends Error {}

function encoded(value: unknown, path: string, above: readonly object[]): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $: "number", is: numberText(value) };
  if (value === undefined) return { $: "undefined" };
  if (typeof value !== "object") throw new Unsavable(`${path} must be plain data or a signal, was ${nameOf(value)}`);
  if (above.includes(value)) throw new Unsavable(`${path} must not contain itself`);
  if (above.length >= DEPTH_MAX) throw new Unsavable(`${path} must be at most ${DEPTH_MAX} levels deep`);
  if (isSignal(value)) return { $: value.kind, args: [...value.args], is: value.save() };
  const inside = [...above, value];
  if (Array.isArray(value)) return Array.from(value, (item, index) => encoded(item, `${path}[${index}]`, inside));
  return encodedObject(value, path, inside);
}

function encodedObject(value: object, path: string, above: readonly object[]): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new Unsavable(`${path} must be plain data or a signal, was ${nameOf(value)}`);
  const result: Record<string, unknown> = {};
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === "symbol" || key === "$" || key === "__proto__")
      throw new Unsavable(`${path} must not have the key ${String(key)}`);
    if (descriptor === undefined || !("value" in descriptor))
      throw new Unsavable(`${path}.${key} must be plain data, was an accessor`);
    result[key] = encoded(descriptor.value, `${path}.${key}`, above);
  }
  return result;
}

function decoded(saved: unknown, path: string): unknown {
  if (typeof saved !== "object" || saved === null) return saved;
  if (Array.isArray(saved)) return saved.map((item, index) => decoded(item, `${path}[${index}]`));
  const { $: tag, is, args } = saved as { $?: unknown; is?: unknown; args?: unknown };
  if (tag === "undefined") return undefined;
  if (tag === "number") return Number(is);
  if (tag !== undefined) return decodedSignal(tag, args, is, path);
  return Object.fromEntries(Object.entries(saved).map(([key, value]) => [key, decoded(value, `${path}.${key}`)]));
}

function decodedSignal(kind: unknown, args: unknown, numbers: unknown, path: string): Signal {
  const make = typeof kind === "string" && Object.hasOwn(MAKERS, kind) ? MAKERS[kind] : undefined;
  if (make === undefined || !Array.isArray(args) || !Array.isArray(numbers))
    throw new Unsavable(`saved ${path} must be a signal that pegbot knows, was ${String(kind)}`);
  const signal = make(args[0] as number);
  signal.load(numbers as number[]);
  return signal;
}

function requireFit(fresh: unknown, loaded: unknown, path: string): void {
  if (typeof fresh !== "object" || fresh === null) return;
  if (isSignal(fresh)) {
    const found = typeof loaded === "object" && loaded !== null && isSignal(loaded) ? describe(loaded) : nameOf(loaded);
    if (found !== describe(fresh)) throw new Unsavable(`${path} must be ${describe(fresh)}, was saved as ${found}`);
    return;
  }
  if (typeof loaded !== "object" || loaded === null || Array.isArray(fresh) !== Array.isArray(loaded))
    throw new Unsavable(`${path} must be ${nameOf(fresh)}, was saved as ${nameOf(loaded)}`);
  for (const [key, value] of Object.entries(fresh))
    requireFit(value, (loaded as Record<string, unknown>)[key], `${path}.${key}`);
}

function describe(signal: Signal): string {
  return `${signal.kind}(${signal.args.join(", ")})`;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return typeof value === "function" ? "a function" : typeof value;
  if (isSignal(value)) return describe(value);
  const maker: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return maker === "Object" || typeof maker !== "string" ? "an object" : `a ${maker}`;
}
