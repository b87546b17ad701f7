// The state of a strategy as data: what may be in it, and how it goes to plain JSON and comes back to the last bit. What
// cannot be saved is refused by its path when the strategy is loaded, not found missing after a crash.

import { err, ok, type Result } from "../domain/result.ts";
import { describe, encodeState, nameOf, Unsavable, type Walk } from "./encode-state.ts";
import { change } from "./signal/change.ts";
import { deviation } from "./signal/deviation.ts";
import { ema } from "./signal/ema.ts";
import { highest } from "./signal/highest.ts";
import { lowest } from "./signal/lowest.ts";
import { isSignal, type Signal } from "./signal/signal.ts";
import { sma } from "./signal/sma.ts";

const MAKERS: Readonly<Record<string, (length: number) => Signal>> = { change, deviation, ema, highest, lowest, sma };

/** Numbers, texts, booleans, null, lists and objects; what JSON cannot say is tagged with `$`. */
export type SavedState = unknown;

/** A reason when something in it is neither plain data nor a signal. */
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
