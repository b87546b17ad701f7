// The desk, as a contract: one thing that happened in, what is to be recorded and what is to be done out, synchronously. Whoever
// calls it makes the records durable before anything is sent or asked.

import type { Step } from "../domain/step.ts";
import type { Executor } from "../execution/executor.ts";
import type { Moment } from "../execution/submission.ts";
import type { SavedOrders } from "../execution/submissions.ts";
import type { Entry, FreshStart } from "../journal/record.ts";
import type { Approved } from "../risk/gate.ts";
import type { MovementGate, MovementVerdict, MovementWish } from "../risk/movement-gate.ts";
import type { Gate } from "../risk/rule.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { Engine, SavedEngine } from "./engine.ts";
import type { Input } from "./input.ts";
import type { Steward } from "./steward/steward.ts";
import type { Seating } from "./strategy-state.ts";
import type { SavedWriters } from "./strategy-writers.ts";
import type { Turn } from "./turn.ts";

/** What decides, made anew and empty: a fold of the journal fills it. */
export type Core = {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
  readonly movements: MovementGate;
  /** Who keeps holdings within their bands, where somebody does. */
  readonly steward?: Steward | undefined;
};

export type DeskSettings = {
  /** A strategy's state is recorded with each of its orders, with each report that it hears, and with the first record after so long. */
  readonly safePointMs: number;
};

/** The books at one record. */
export type SavedDesk = {
  readonly engine: SavedEngine;
  readonly orders: SavedOrders;
  /** Which processes recorded states, and of which strategies. */
  readonly writers: SavedWriters;
};

export interface Desk extends Core {
  /** As plain data; undefined where the strategy's state is none. */
  saved(): SavedDesk | undefined;
  /**
   * An empty desk whose engine was made of the same `SavedDesk`: `kept` are the entries before it of orders that were open there,
   * and those that are no order's; the next one that it takes is the one after `at`.
   */
  load(saved: Omit<SavedDesk, "engine">, kept: readonly Entry[], at: number): void;
  /** All that it decides by, for comparing two of them; not what its steward knows. */
  summary(): string;
  /** An entry of the journal, of whomever: at a start all of them, later what others wrote. */
  fold(entry: Entry): void;
  /** Entries up to here are in: at a start all that were read, later what others wrote. */
  readonly folded: number;
  /** An entry is in by half: what was handed out with it is lost to this desk, and nothing may be decided or sent by it any more. */
  readonly isTorn: boolean;
  /** `news` is what others wrote since the last turn. */
  turn(news: readonly Entry[], input: Input, now: Moment): Turn;
  /** What would be said of it now, by what is under way, what is frozen, and the gate: nothing is recorded or reserved. */
  judge(wish: MovementWish, now: Moment): MovementVerdict;
  /** Without a record: how a desk that was restored gets its strategy. Says whether it continues. */
  seat(strategy: Strategy): Seating;
  /** The last one that the journal knows of. */
  readonly freshStart: FreshStart | undefined;
  /** A step that `engine.run` ended at: what `turn` would have made of its quote. */
  took(step: Step, now: Moment): Turn;
  /** Before this, by the time of events, turns of `TIME` lead to nothing under the conditions of `engine.idleUntil`. */
  idleUntil(): number;
}
