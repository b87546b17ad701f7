// A strategy's state between processes: recorded with its name and parameters, and given back only to the same strategy
// under the same parameters, if it still fits. Another one starts fresh, and a reason says so.

import { ok, type Result } from "../domain/result.ts";
import type { Millis } from "../domain/time.ts";
import type { StateRecord } from "../journal/record.ts";
import type { Strategy } from "../strategy/prepare.ts";
import { loadState, saveState } from "../strategy/state.ts";

/** Strategies that one journal has seen; the oldest are let go. */
const KEPT_MAX = 16;

type Label = { readonly of: Strategy; readonly params: unknown; readonly key: string };

export class KeptStates {
  readonly #states = new Map<string, unknown>();
  #newest: string | undefined = undefined;
  #label: Label | undefined = undefined;

  keep({ strategy, state: kept }: StateRecord): void {
    // Another version may have kept it in another way: then there is none, and the strategy starts fresh.
    const { params, state } = (kept ?? {}) as { readonly params?: unknown; readonly state?: unknown };
    this.#put(keyOf(strategy, params), state);
  }

  /** Its state as it is now, which is also kept; undefined for a strategy that keeps nothing. */
  record(strategy: Strategy, at: Millis): Result<StateRecord> | undefined {
    if (isEmpty(strategy.state)) return undefined;
    const saved = saveState(strategy.state);
    if (!saved.ok) return saved;
    const { key, params } = this.#labelOf(strategy);
    this.#put(key, saved.value);
    return ok({ kind: "state", at, strategy: strategy.name, state: { params, state: saved.value } });
  }

  #put(key: string, state: unknown): void {
    if (key !== this.#newest) this.#states.delete(key);
    this.#newest = key;
    this.#states.set(key, state);
    if (this.#states.size > KEPT_MAX) this.#states.delete(this.#states.keys().next().value as string);
  }

  /** Parameters are frozen: those of one strategy are always the same. */
  #labelOf(strategy: Strategy): Label {
    if (this.#label?.of !== strategy) {
      const params = paramsOf(strategy);
      this.#label = { of: strategy, params, key: keyOf(strategy.name, params) };
    }
    return this.#label;
  }

  /** The strategy with its last state, or as it is with the reason why not. */
  continued(strategy: Strategy): { readonly strategy: Strategy; readonly note: string } {
    const { name } = strategy;
    const state = this.#states.get(keyOf(name, paramsOf(strategy)));
    if (state === undefined) return { strategy, note: `strategy ${name} starts` };
    const loaded = loadState(state, strategy.state);
    return loaded.ok
      ? { strategy: { ...strategy, state: loaded.value }, note: `strategy ${name} continues from its last safe point` }
      : { strategy, note: `strategy ${name} starts fresh, because its last state does not fit: ${loaded.error}` };
  }
}

function isEmpty(state: object): boolean {
  for (const _key in state) return false;
  return true;
}

/** Parameters that cannot be told apart as plain data are the same as none. */
function paramsOf({ params }: Strategy): unknown {
  const saved = saveState(params);
  return saved.ok ? saved.value : null;
}

function keyOf(name: string, params: unknown): string {
  return `${name} ${JSON.stringify(params)}`;
}
