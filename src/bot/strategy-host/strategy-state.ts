// A strategy's state across processes: recorded under the strategy's name with its parameters, and continued while the
// parameters that it belongs to are equal. Otherwise the strategy does not run until a person lets it begin anew.

import type { Control } from "../../domain/event.ts";
import { ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { shownValue } from "../../domain/schema-complaint.ts";
import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { StateRecord } from "../../journal/record.ts";
import { MEND } from "../../risk/trading-state.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { decodeState, fitProblem, SIZE_MAX, saveState } from "../../strategy/state.ts";

const FRESH_STATE = "begin anew by pegbot run --fresh-state (docs/guides/strategy.md#state)";
const LOOK_FIRST = `see at the venue what it did (twap: set size to what is left), then ${FRESH_STATE}`;

/** In bytes. A day of safe points at this size adds about 4 GB to the journal. */
const LARGE = 262_144;

/** Without `state` it is outdated. */
type Saved = { readonly params: unknown; readonly state?: unknown };
type Kept = Saved & { readonly outdated?: string | undefined };

/** The strategy as it may run, or why it may not and what leads out. */
export type Continuation =
  | { readonly kind: "runs"; readonly strategy: Strategy; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string; readonly wayOut: string };

export class KeptStates {
  /** The last of each strategy by name, newest last. */
  readonly #kept = new Map<string, Kept>();
  #params: unknown = undefined;
  #plain: unknown = plain(undefined);
  #size = 0;
  #warnFrom = LARGE;

  keep({ strategy, state, outdated }: StateRecord): void {
    this.#kept.delete(strategy);
    this.#kept.set(strategy, { ...(state as Saved), outdated });
  }

  /** It began anew. */
  forget(strategy: string): void {
    this.#kept.delete(strategy);
  }

  /**
   * Trades were adopted that no strategy was told of, so the states are older than the trades: neither continuing nor
   * starting from zero would be right. Returns the records to write.
   */
  outdate(trades: number, at: Millis): readonly StateRecord[] {
    const outdated = `its last state is older than what was traded: trades that it was not told of, or otherwise (${trades}), were taken over at ${utcText(at)}`;
    const records = [...this.#kept].map(([strategy, { params }]): StateRecord => {
      return { kind: "state", at, strategy, state: { params }, outdated };
    });
    for (const record of records) this.keep(record);
    return records;
  }

  /** Stores and returns the current state as a record; undefined for a strategy without state. */
  record(strategy: Strategy, at: Millis): Result<StateRecord> | undefined {
    if (isEmpty(strategy.state)) return undefined;
    const walk = { size: 0 };
    const saved = saveState(strategy.state, walk);
    if (!saved.ok) return saved;
    this.#size = walk.size;
    // Parameters are frozen.
    if (this.#params !== strategy.params) this.#plain = plain(strategy.params);
    this.#params = strategy.params;
    const state: Saved = { params: this.#plain, state: saved.value };
    const record: StateRecord = { kind: "state", at, strategy: strategy.name, state };
    this.keep(record);
    return ok(record);
  }

  /** A warning that the state just recorded is large, once at each doubling. */
  grown(): string | undefined {
    if (this.#size < this.#warnFrom) return undefined;
    while (this.#warnFrom <= this.#size) this.#warnFrom *= 2;
    return `the strategy's state has ${this.#size} bytes, limit is ${SIZE_MAX}: all of it is written to the journal at every safe point, and nothing is heard meanwhile; keep what is needed and cut lists`;
  }

  /** With its last state, where it has one. */
  continued(strategy: Strategy): Continuation {
    const { name, params, stateParams } = strategy;
    const kept = this.#kept.get(name);
    if (kept === undefined || isEmpty(strategy.state))
      return { kind: "runs", strategy, text: `strategy ${name} starts` };
    if (kept.outdated !== undefined) return refused(name, kept.outdated, LOOK_FIRST);
    const changes = changesOf(kept.params, plain(params), stateParams);
    if (changes.length > 0) return refused(name, `its state belongs to other parameters: ${changes.join("; ")}`);
    const loaded = decodeState(kept.state);
    const problem = loaded.ok ? fitProblem(loaded.value, strategy.state) : loaded.error;
    if (problem !== undefined) return refused(name, `its state is of another version: ${problem}`);
    const state = loaded.ok ? (loaded.value as object) : {};
    return {
      kind: "runs",
      strategy: { ...strategy, state },
      text: `strategy ${name} continues from its last safe point`,
    };
  }
}

function refused(strategy: string, why: string, wayOut = `bring that back, or ${FRESH_STATE}`): Continuation {
  return { kind: "refused", reason: `strategy ${strategy} does not run: ${why}`, wayOut };
}

/** A halt, because the strategy must not continue with a state that the next start would lose. */
export function unsaved({ name }: Strategy, problem: string): Extract<Control, { readonly kind: "halt" }> {
  const reason = `the state of strategy ${name} cannot be recorded: ${problem}`;
  return { kind: "halt", cause: "strategy", subject: `state of ${name}`, reason, wayOut: MEND };
}

/** For the person who adopted the trades. */
export function outdatedText({ strategy, outdated }: StateRecord): string {
  return `strategy ${strategy} will not run: ${outdated}; ${LOOK_FIRST}`;
}

/** The same if no state is left by which a strategy could be stopped. */
export function forgottenText(trades: number): string {
  return `${trades} trades of this bot are taken over, and the journal has no state of a strategy: they begin at zero. Before the next start give twap the size that is left`;
}

/** It remains the running strategy, but is never called and has no state. */
export function asleep(strategy: Strategy): Strategy {
  return { ...strategy, wakes: new Set(), state: {}, definition: { decide: () => undefined } };
}

function isEmpty(state: object): boolean {
  for (const _key in state) return false;
  return true;
}

/** As the journal has it. */
function plain(params: unknown): unknown {
  return JSON.parse(JSON.stringify(params, (_, value) => (typeof value === "bigint" ? String(value) : value)) ?? "{}");
}

/** Compares these parameters, or all of them. */
function changesOf(before: unknown, now: unknown, names?: readonly string[]): readonly string[] {
  const [was, is] = [before ?? {}, now ?? {}] as [Record<string, unknown>, Record<string, unknown>];
  return (names ?? [...new Set([...Object.keys(was), ...Object.keys(is)])]).flatMap((name) =>
    JSON.stringify(was[name]) === JSON.stringify(is[name])
      ? []
      : [`${name} was ${textOf(was[name])}, is ${textOf(is[name])}`],
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value !== "object" || value === null ? shownValue(value) : printable(JSON.stringify(value), 80);
}

/** Hosted until the bot may trade. */
export const IDLE: Strategy = {
  name: "idle",
  wakes: new Set(),
  params: {},
  state: {},
  definition: { decide: () => undefined },
};
