// A strategy's state across processes. It is recorded with the strategy's name, parameters and state shape, and
// restored to the same strategy if the shape and the parameters it belongs to are unchanged: all parameters, unless the
// strategy names some. Otherwise the strategy migrates it itself, or starts fresh with a warning that says why.

import { instanceOf } from "../../domain/client-order-id.ts";
import type { Control } from "../../domain/event.ts";
import { ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { shownValue } from "../../domain/schema-complaint.ts";
import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { StateRecord } from "../../journal/record.ts";
import { MEND, RESUME } from "../../risk/trading-state.ts";
import { SIZE_MAX } from "../../strategy/encode-state.ts";
import { textOf as errorText } from "../../strategy/error-text.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { decodeState, fitProblem, saveState, stateProblem } from "../../strategy/state.ts";
import { type StateShape, shapeChanges } from "../../strategy/state-shape.ts";

/** The remediation for a strategy that only a person can restart. */
const BEGIN_ANEW =
  "see at the venue what it did, and give strategy.params another ticket, of twap also the size that is left (docs/STRATEGIES.md, Beginning anew), or a strategy without one another stateVersion";

/** The maximum number of states kept per journal; the oldest are dropped. */
const KEPT_MAX = 16;

/** In bytes. A day of safe points at this size adds about 4 GB to the journal. */
const LARGE = 262_144;

/** A missing parameter, encoded as a saved undefined. */
const NONE = { $: "undefined" } as const;

type Label = { readonly of: Strategy; readonly params: unknown; readonly key: string };
/** As recorded in the journal. */
type Saved = {
  readonly params: unknown;
  readonly shape: StateShape;
  readonly version: number;
  /** Absent if outdated. */
  readonly state?: unknown;
};
/** `outdated`: why the state was dropped, being older than the strategy's trades. */
type Kept = Saved & { readonly name: string; readonly outdated?: string | undefined };

/** Whether a strategy continues, as a message. With `wayOut` it may not run at all. */
export type Continuation = { readonly text: string; readonly isWarning: boolean; readonly wayOut?: string };
/**
 * Adopted trades that were never reported to a strategy: `lost` with a part of the journal; `odd`: orders whose rows
 * differ from their reports.
 */
export type Untold = { readonly lost: number; readonly odd: readonly string[] };
type Hosted = { readonly strategy: Strategy; readonly continuation: Continuation };

export class KeptStates {
  /** Newest last. */
  readonly #kept = new Map<string, Kept>();
  readonly writers = new StrategyWriters();
  #newest: string | undefined = undefined;
  #label: Label | undefined = undefined;
  /** The size of the last recorded state, in bytes. */
  #size = 0;
  #warnFrom = LARGE;

  /** `writer`: the process that recorded it, whose orders are the strategy's too. */
  keep(record: StateRecord, writer?: string): void {
    const { strategy: name, outdated } = record;
    if (writer !== undefined && outdated === undefined) this.writers.add(writer, name);
    this.#put(stateKey(record), { name, ...(record.state as Saved), outdated });
  }

  /**
   * Drops the states of the strategies that made these trades, because they are older than the trades; returns the
   * records to write. Neither continuing nor starting from zero would be right, and only a person knows what was
   * traded.
   */
  outdate(trades: Untold, at: Millis): readonly StateRecord[] {
    const records = [...this.#kept.values()].flatMap(({ name, params, shape, version }): readonly StateRecord[] => {
      const outdated = untoldText(this.#ofStrategy(name, trades), at);
      if (outdated === undefined) return [];
      return [{ kind: "state", at, strategy: name, state: { params, shape, version }, outdated }];
    });
    for (const record of records) this.keep(record);
    return records;
  }

  /**
   * Over all tickets and parameters of the strategy, because the journal does not say which of them continues which.
   */
  #ofStrategy(name: string, { lost, odd }: Untold): Counted {
    const countOf = (orders: readonly string[]): number =>
      orders.filter((order) => this.writers.mayBeOf(order, name)).length;
    return { lost, odd: countOf(odd) };
  }

  /** Newest last. */
  summary(): unknown {
    return [...this.#kept];
  }

  /** Stores and returns the current state as a record; undefined for a strategy without state. */
  record(strategy: Strategy, at: Millis): Result<StateRecord> | undefined {
    if (isEmpty(strategy.state)) return undefined;
    const walk = { size: 0 };
    const saved = saveState(strategy.state, walk);
    if (!saved.ok) return saved;
    this.#size = walk.size;
    const { key, params } = this.#labelOf(strategy);
    const { name, stateShape: shape } = strategy;
    const [version, state] = [versionOf(strategy), saved.value];
    this.#put(key, { name, params, shape, version, state });
    return ok({ kind: "state", at, strategy: name, state: { params, shape, version, state } });
  }

  /** A warning that the state just recorded is large, once at each doubling. */
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

  /** Parameters are frozen, so those of one strategy never change. */
  #labelOf(strategy: Strategy): Label {
    if (this.#label?.of !== strategy) {
      const params = paramsOf(strategy);
      this.#label = { of: strategy, params, key: keyOf(strategy.name, params) };
    }
    return this.#label;
  }

  /** The strategy with its last state, or unchanged with the reason why not. */
  continued(strategy: Strategy): Hosted {
    const { name, stateParams } = strategy;
    const params = paramsOf(strategy);
    const known = [...this.#kept.values()].filter((kept) => kept.name === name).reverse();
    const [last] = known;
    if (last === undefined || isEmpty(strategy.state))
      return { strategy, continuation: { text: `strategy ${name} starts`, isWarning: false } };
    const own = known.find((kept) => changesOf(kept.params, params, stateParams).length === 0);
    if (own?.outdated !== undefined) {
      const other = otherVersion(strategy, own);
      // No state is left that could be migrated.
      return other === undefined ? refused(strategy, own.outdated, BEGIN_ANEW) : freshly(strategy, doesNotFit(other));
    }
    if (own === undefined) {
      const changes = changesOf(last.params, params, stateParams).join("; ");
      return freshly(strategy, `its last state belongs to other parameters: ${changes}`);
    }
    return restored(strategy, own, changesOf(own.params, params));
  }
}

type Counted = { readonly [Kind in keyof Untold]: number };

function untoldText({ lost, odd }: Counted, at: Millis): string | undefined {
  if (lost + odd === 0) return undefined;
  const unknown = lost === 0 ? [] : [`of this bot that the journal did not know, ${lost} of them,`];
  const other = odd === 0 ? [] : [`that are not as it was told, ${odd} of them,`];
  const trades = [...unknown, ...other].join(" and ");
  return `its last state is older than what it did: trades ${trades} were taken over at ${utcText(at)}`;
}

function restored(strategy: Strategy, own: Kept, changes: readonly string[]): Hosted {
  const misfit = misfitOf(strategy, own);
  const loaded = decodeState(own.state);
  if (!loaded.ok) return freshly(strategy, doesNotFit(loaded.error));
  if (misfit === undefined) return goingOn(strategy, loaded.value as object, changes);
  const { definition } = strategy;
  if (definition.migrateState === undefined) return freshly(strategy, doesNotFit(misfit));
  try {
    const state = definition.migrateState(loaded.value as Readonly<Record<string, unknown>>, own.version);
    if (state === undefined)
      return freshly(strategy, `its migrateState lets go of a state that does not fit: ${misfit}`);
    const problem = stateProblem(state) ?? fitProblem(state, strategy.state);
    if (problem === undefined)
      return goingOn(strategy, state as object, [`taken over by its migrateState: ${misfit}`, ...changes]);
    return refused(strategy, `what its migrateState gives does not fit: ${problem}`);
  } catch (error) {
    return refused(strategy, `its migrateState threw: ${errorText(error)}`);
  }
}

/** Why the kept state does not fit this version of the strategy. */
function misfitOf(strategy: Strategy, own: Kept): string | undefined {
  return otherVersion(strategy, own) ?? (shapeChanges(own.shape, strategy.stateShape).join("; ") || undefined);
}

function otherVersion(strategy: Strategy, { version }: Kept): string | undefined {
  const now = versionOf(strategy);
  return version === now ? undefined : `stateVersion was ${version}, is ${now}`;
}

function doesNotFit(why: string): string {
  return `its last state does not fit: ${why}`;
}

function versionOf({ definition }: Strategy): number {
  return definition.stateVersion ?? 0;
}

function goingOn(strategy: Strategy, state: object, changes: readonly string[]): Hosted {
  const text = [`strategy ${strategy.name} continues from its last safe point`, ...changes].join("; ");
  return { strategy: { ...strategy, state }, continuation: { text, isWarning: false } };
}

function freshly(strategy: Strategy, why: string): Hosted {
  const text = `strategy ${strategy.name} starts fresh and knows nothing of what it did before, because ${why}`;
  return { strategy, continuation: { text, isWarning: true } };
}

/** The kept state remains: nothing is recorded over it. */
function refused(strategy: Strategy, why: string, how = "mend it, or let it give undefined to start fresh"): Hosted {
  const wayOut = `${how}; start again, then ${RESUME}`;
  return {
    strategy,
    continuation: { text: `strategy ${strategy.name} does not run: ${why}`, isWarning: true, wayOut },
  };
}

/** A halt, because the strategy must not continue with a state that the next start would lose. */
export function unsaved({ name }: Strategy, problem: string): Extract<Control, { readonly kind: "halt" }> {
  const reason = `the state of strategy ${name} cannot be recorded: ${problem}`;
  return { kind: "halt", cause: "strategy", subject: `state of ${name}`, reason, wayOut: MEND };
}

/** For the person who adopted the trades. */
export function outdatedText({ strategy, outdated }: StateRecord): string {
  return `strategy ${strategy} will not run, for ${outdated}; ${BEGIN_ANEW}`;
}

/** The same if no state is left by which a strategy could be stopped. */
export function forgottenText(trades: number): string {
  return `${trades} trades of this bot are taken over, and the journal has nothing of what its strategies knew: they begin at zero. Before the next start give twap the size that is left, and end by hand what else was under way, the legs of a circle or a grid (docs/STRATEGIES.md, Beginning anew)`;
}

/** It remains the running strategy, but is never called and has no state. */
export function asleep(strategy: Strategy): Strategy {
  return { ...strategy, wakes: new Set(), state: {}, stateShape: {}, definition: { decide: () => undefined } };
}

function isEmpty(state: object): boolean {
  for (const _key in state) return false;
  return true;
}

/** Only the last state of each key is needed. */
export function stateKey({ strategy, state }: StateRecord): string {
  return keyOf(strategy, (state as Saved).params);
}

/** Parameters that cannot be saved as plain data count as none. */
function paramsOf({ params }: Strategy): unknown {
  const saved = saveState(params);
  return saved.ok ? saved.value : null;
}

function keyOf(name: string, params: unknown): string {
  return `${name} ${JSON.stringify(params)}`;
}

/** Compares these saved parameters, or all of them. */
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

// Attributes an order to a strategy although the order's record does not name one: its id names the process that made
// it, and a process whose strategy has state records that state with each order. A process without such a record was a
// person's command, or its strategy had no state.

/** Plain data, oldest first. */
export type SavedWriters = readonly (readonly [writer: string, strategies: readonly string[]])[];

/** The maximum number of remembered processes; each start of a bot is one. */
const WRITERS_MAX = 1_000;

class StrategyWriters {
  readonly #strategies = new Map<string, readonly string[]>();

  add(writer: string, strategy: string): void {
    const known = this.#strategies.get(writer) ?? [];
    if (known.includes(strategy)) return;
    this.#strategies.set(writer, [...known, strategy]);
    if (this.#strategies.size > WRITERS_MAX) this.#strategies.delete(this.#strategies.keys().next().value as string);
  }

  /** True if unknown. An order of a plan counts for the strategy that ran at the time. */
  mayBeOf(order: string, strategy: string): boolean {
    const instance = instanceOf(order);
    const strategies = instance === undefined ? undefined : this.#strategies.get(instance);
    if (strategies !== undefined) return strategies.includes(strategy);
    return instance === undefined || this.#strategies.size >= WRITERS_MAX;
  }

  save(): SavedWriters {
    return [...this.#strategies];
  }

  load(saved: SavedWriters): void {
    this.#strategies.clear();
    for (const [writer, strategies] of saved) this.#strategies.set(writer, strategies);
  }
}

/** Hosted until the bot may trade. */
export const IDLE: Strategy = {
  name: "idle",
  wakes: new Set(),
  params: {},
  state: {},
  stateShape: {},
  definition: { decide: () => undefined },
};
