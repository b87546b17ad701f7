// The state of a strategy as JSON: plain data as it is, signals and what JSON does not know tagged with `$`. A value
// that cannot be saved is refused by its path when the strategy is loaded, instead of being lost in a crash.

import { err, ok, type Result } from "../domain/result.ts";
import { change } from "./signal/change.ts";
import { deviation } from "./signal/deviation.ts";
import { ema } from "./signal/ema.ts";
import { highest, lowest } from "./signal/extreme.ts";
import { isSignal, type Signal } from "./signal/signal.ts";
import { sma } from "./signal/sma.ts";

const MAKERS: Readonly<Record<string, (length: number) => Signal>> = { change, deviation, ema, highest, lowest, sma };
const DEPTH_MAX = 32;
/** It is written at every safe point: windows of a hundred thousand numbers fit, an unbounded history does not. */
export const SIZE_MAX = 4_194_304;
const VALUE_SIZE = 8;

/** Marks our classes whose objects strategies see, with a description in the words of the strategy contract. */
export const SHOWN = Symbol("what a strategy is shown");

class Unsavable extends Error {}

/** The reason, if a part is neither plain data nor a signal. */
export function stateProblem(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null || Array.isArray(state) || isSignal(state))
    return `state must be an object, was ${nameOf(state)}`;
  const saved = saveState(state);
  return saved.ok ? undefined : saved.error;
}

/** `walk` receives the size. */
export function saveState(state: unknown, walk: Walk = { size: 0 }): Result<unknown> {
  const above: object[] = [];
  const path: (string | number)[] = [];
  const wrong = (what: string): never => {
    const at = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    throw new Unsavable(`state${at} ${what}`);
  };
  const count = (size: number): void => {
    walk.size += size;
    if (walk.size <= SIZE_MAX) return;
    const bytes = `${VALUE_SIZE} a value, 1 a character`;
    wrong(`is too much: state must have at most ${SIZE_MAX} bytes (${bytes}), had ${walk.size} up to there`);
  };
  const encoded = (value: unknown): unknown => {
    count(typeof value === "string" ? value.length : VALUE_SIZE);
    if (typeof value === "number") return Number.isFinite(value) ? value : { $: "number", is: String(value) };
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (value === undefined) return { $: "undefined" };
    if (typeof value !== "object") return wrong(`must be plain data or a signal, was ${nameOf(value)}`);
    if (above.includes(value)) wrong("must not contain itself");
    if (above.length >= DEPTH_MAX) wrong(`must be at most ${DEPTH_MAX} levels deep`);
    if (isSignal(value)) {
      const is = value.save();
      count(is.length * VALUE_SIZE);
      return { $: value.kind, args: value.args.slice(), is };
    }
    above.push(value);
    const result = Array.isArray(value) ? value.map((item, index) => part(index, item)) : fields(value);
    above.pop();
    return result;
  };
  const part = (step: string | number, value: unknown): unknown => {
    path.push(step);
    const result = encoded(value);
    path.pop();
    return result;
  };
  const fields = (object: object): unknown => {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null)
      wrong(`must be plain data or a signal, was ${nameOf(object)}`);
    const result: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(object)) {
      if (key === "$" || key === "__proto__") wrong(`must not have the key ${key}`);
      count(key.length);
      result[key] = part(key, value);
    }
    return result;
  };
  return readable(() => encoded(state));
}

/** The size so far. */
export type Walk = { size: number };

/** The saved state, or why this version cannot read it. */
export function decodeState(saved: unknown): Result<unknown> {
  return readable(() => decoded(saved, "state"));
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

/**
 * Why a loaded state cannot replace a fresh one: another version of the strategy has a field that it lacks, or another
 * window. Arithmetic with a missing field would be NaN, and no limit holds against NaN. Values may be of any kind.
 */
export function fitProblem(state: unknown, fresh: object, path = "state"): string | undefined {
  if (typeof state !== "object" || state === null || Array.isArray(fresh)) return undefined;
  if (isSignal(fresh)) return nameOf(state) === nameOf(fresh) ? undefined : `${path} is ${nameOf(fresh)} now`;
  for (const [key, value] of Object.entries(fresh)) {
    if (value !== undefined && !Object.hasOwn(state, key)) return `${path}.${key} is new`;
    const kept = (state as Record<string, unknown>)[key];
    const problem = typeof value === "object" && value !== null ? fitProblem(kept, value, `${path}.${key}`) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function readable<T>(read: () => T): Result<T> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof Unsavable || error instanceof RangeError) return err(error.message);
    throw error;
  }
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return typeof value === "function" ? "a function" : typeof value;
  if (isSignal(value)) return `${value.kind}(${value.args.join(", ")})`;
  const maker: { readonly name?: unknown; readonly [SHOWN]?: unknown } | undefined =
    Object.getPrototypeOf(value)?.constructor;
  if (typeof maker?.[SHOWN] === "string") return maker[SHOWN];
  return maker?.name === "Object" || typeof maker?.name !== "string" ? "an object" : `a ${maker.name}`;
}
