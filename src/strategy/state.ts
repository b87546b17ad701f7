// The state of a strategy as data: which values it may hold, and its exact encoding as JSON. A value that cannot be
// saved is refused by its path when the strategy is loaded, instead of being lost in a crash.

import { err, ok, type Result } from "../domain/result.ts";
import { encodeState, nameOf, Unsavable, type Walk } from "./encode-state.ts";
import { change } from "./signal/change.ts";
import { deviation } from "./signal/deviation.ts";
import { ema } from "./signal/ema.ts";
import { highest, lowest } from "./signal/extreme.ts";
import { isSignal, type Signal } from "./signal/signal.ts";
import { sma } from "./signal/sma.ts";

const MAKERS: Readonly<Record<string, (length: number) => Signal>> = { change, deviation, ema, highest, lowest, sma };

/** Numbers, texts, booleans, null, lists and objects; other values are tagged with `$`. */
export type SavedState = unknown;

/** The reason, if a part is neither plain data nor a signal. */
export function stateProblem(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null || Array.isArray(state) || isSignal(state))
    return `state must be an object, was ${nameOf(state)}`;
  const saved = saveState(state);
  return saved.ok ? undefined : saved.error;
}

export function saveState(state: unknown, walk?: Walk): Result<SavedState> {
  try {
    return ok(encodeState(state, walk));
  } catch (error) {
    if (error instanceof Unsavable) return err(error.message);
    throw error;
  }
}

/** The saved state, or why this version cannot read it. */
export function decodeState(saved: SavedState): Result<unknown> {
  return readable(() => decoded(saved, "state"));
}

/**
 * Why a state cannot replace a fresh one: every field of the fresh one must be present with the same kind. A field that
 * is undefined or null in the fresh one may hold anything, records may have more fields and lists more items.
 */
export function fitProblem(state: unknown, fresh: unknown): string | undefined {
  const fit = readable(() => requireFit(fresh, state, "state"));
  return fit.ok ? undefined : fit.error;
}

function readable<T>(read: () => T): Result<T> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof Unsavable || error instanceof RangeError) return err(error.message);
    throw error;
  }
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

function requireFit(fresh: unknown, state: unknown, path: string): void {
  if (fresh === undefined || fresh === null) return;
  const [wanted, found] = [nameOf(fresh), nameOf(state)];
  if (found !== wanted) throw new Unsavable(`${path} must be ${wanted}, was ${found}`);
  // Arithmetic with a missing field made it NaN, and no limit holds against NaN.
  if (Number.isNaN(state) && !Number.isNaN(fresh)) throw new Unsavable(`${path} must be a number, was NaN`);
  if (typeof fresh !== "object" || isSignal(fresh)) return;
  for (const [key, value] of Object.entries(fresh))
    requireFit(value, (state as Record<string, unknown>)[key], `${path}.${key}`);
}
