// A strategy's state between processes: recorded with its name and parameters, and given back to the same strategy if it still
// fits and the parameters that it belongs to are the same: all of them, unless the strategy names them. Otherwise it starts
// fresh, and a warning says why: what it did before is unknown to it.

import { printable } from "../domain/outside-text.ts";
import { ok, type Result } from "../domain/result.ts";
import { shownValue } from "../domain/schema-complaint.ts";
import type { Millis } from "../domain/time.ts";
import type { StateRecord } from "../journal/record.ts";
import { SIZE_MAX } from "../strategy/encode-state.ts";
import type { Strategy } from "../strategy/prepare.ts";
import { loadState, saveState } from "../strategy/state.ts";

/** States that one journal has seen; the oldest are let go. */
const KEPT_MAX = 16;

/** Of which a day of safe points makes some 4 GB of journal. */
const LARGE = 262_144;

/** A parameter that is not there, as an undefined one is saved. */
const NONE = { $: "undefined" } as const;

type Label = { readonly of: Strategy; readonly params: unknown; readonly key: string };
type Kept = { readonly name: string; readonly params: unknown; readonly state: unknown };

/** Whether a strategy goes on, for people. */
export type Seating = { readonly text: string; readonly isWarning: boolean };

export class KeptStates {
  /** The newest last. */
  readonly #kept = new Map<string, Kept>();
  #newest: string | undefined = undefined;
  #label: Label | undefined = undefined;
  /** Of the last record. */
  #size = 0;
  #warnFrom = LARGE;

  keep({ strategy, state: kept }: StateRecord): void {
    const { params, state } = (kept ?? {}) as { readonly params?: unknown; readonly state?: unknown };
    // Another version may have kept it in another way: then it is nobody's.
    this.#put(keyOf(strategy, params), { name: strategy, params, state: params === undefined ? undefined : state });
  }

  /** Its state as it is now, which is also kept; undefined for a strategy that keeps nothing. */
  record(strategy: Strategy, at: Millis): Result<StateRecord> | undefined {
    if (isEmpty(strategy.state)) return undefined;
    const walk = { size: 0 };
    const saved = saveState(strategy.state, walk);
    if (!saved.ok) return saved;
    this.#size = walk.size;
    const { key, params } = this.#labelOf(strategy);
    this.#put(key, { name: strategy.name, params, state: saved.value });
    return ok({ kind: "state", at, strategy: strategy.name, state: { params, state: saved.value } });
  }

  /** That the state which was just recorded is large, at each doubling once. */
  grown(): string | undefined {
    if (this.#size < this.#warnFrom) return undefined;
    while (this.#warnFrom <= this.#size) this.#warnFrom *= 2;
    return `the strategy's state has ${this.#size} bytes, limit is ${SIZE_MAX}: all of it is written to the journal at every safe point, and nothing is heard meanwhile; keep what is needed and cut lists`;
  }

  #put(key: string, kept: Kept): void {
    if (key !== this.#newest) this.#kept.delete(key);
    this.#newest = key;
    this.#kept.set(key, kept);
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value as string);
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
  continued(strategy: Strategy): { readonly strategy: Strategy; readonly seating: Seating } {
    const { name, stateParams } = strategy;
    const params = paramsOf(strategy);
    const known = [...this.#kept.values()].filter((kept) => kept.name === name).reverse();
    const [last] = known;
    if (last === undefined || isEmpty(strategy.state))
      return { strategy, seating: { text: `strategy ${name} starts`, isWarning: false } };
    const own = known.find(
      (kept) => kept.state !== undefined && changesOf(kept.params, params, stateParams).length === 0,
    );
    if (own === undefined) {
      if (last.state === undefined) return freshly(strategy, "another version kept its last state in another way");
      const changes = changesOf(last.params, params, stateParams).join("; ");
      return freshly(strategy, `its last state belongs to other parameters: ${changes}`);
    }
    const loaded = loadState(own.state, strategy.state);
    if (!loaded.ok) return freshly(strategy, `its last state does not fit: ${loaded.error}`);
    const changes = changesOf(own.params, params);
    const text = [`strategy ${name} continues from its last safe point`, ...changes].join("; ");
    return { strategy: { ...strategy, state: loaded.value }, seating: { text, isWarning: false } };
  }
}

function freshly(strategy: Strategy, why: string): { readonly strategy: Strategy; readonly seating: Seating } {
  const text = `strategy ${strategy.name} starts fresh and knows nothing of what it did before, because ${why}`;
  return { strategy, seating: { text, isWarning: true } };
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

/** Of these parameters, or of all. */
function changesOf(before: unknown, now: unknown, names?: readonly string[]): readonly string[] {
  const [was, is] = [partsOf(before), partsOf(now)];
  return (names ?? [...new Set([...Object.keys(was), ...Object.keys(is)])]).flatMap((name) => {
    const [one, other] = [partOf(was, name), partOf(is, name)];
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [`${name} was ${textOf(one)}, is ${textOf(other)}`];
  });
}

function partsOf(params: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
  return isObject ? (params as Readonly<Record<string, unknown>>) : { params };
}

function partOf(parts: Readonly<Record<string, unknown>>, name: string): unknown {
  return parts[name] === undefined ? NONE : parts[name];
}

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return shownValue(value);
  const text = JSON.stringify(value);
  return text === JSON.stringify(NONE) ? "none" : printable(text, 80);
}
