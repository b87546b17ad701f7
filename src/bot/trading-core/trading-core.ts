// The contract of the trading core: one input in, records and effects out, synchronously. The caller makes the records
// durable before anything is sent or asked.

import type { Step } from "../../domain/step.ts";
import type { Executor } from "../../execution/executor.ts";
import type { Moment } from "../../execution/request.ts";
import type { SavedOrders } from "../../execution/request-store.ts";
import type { Entry, FreshStart } from "../../journal/record.ts";
import type { Approved } from "../../risk/gate.ts";
import type { Gate } from "../../risk/rule.ts";
import type { MovementGate, MovementVerdict, MovementWish } from "../../risk/treasury-gate.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Rebalancer } from "../../treasury/rebalancer/rebalancer.ts";
import type { Engine, SavedEngine } from "../engine/engine.ts";

import type { Continuation } from "../strategy-host/strategy-state.ts";

import type { AskedOperations } from "./asked-operations.ts";

import type { Input } from "./input.ts";
import type { Turn } from "./turn.ts";

/** The deciding parts, new and empty: a fold of the journal fills them. */
export type Core = {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
  readonly movements: MovementGate;
  /** Keeps holdings within their bands; absent without targets. */
  readonly rebalancer?: Rebalancer | undefined;
};

export type TradingCoreSettings = {
  /**
   * A strategy's state is recorded with each of its orders, with each report it receives, and with the first record
   * after this interval.
   */
  readonly safePointMs: number;
};

/** The state at one record. */
export type SavedTradingCore = {
  readonly engine: SavedEngine;
  readonly orders: SavedOrders;
};

export interface TradingCore extends Core {
  /** The operations of the last day, by the ids under which they were asked. */
  readonly asked: Pick<AskedOperations, "get">;
  /** The state as plain data; undefined if the strategy's state cannot be saved. */
  saved(): SavedTradingCore | undefined;
  /**
   * For an empty core whose engine was made from the same `SavedTradingCore`. `kept`: the earlier entries of orders
   * open there, and those that belong to no order. `at`: the last entry covered.
   */
  load(saved: Omit<SavedTradingCore, "engine">, kept: readonly Entry[], at: number): void;
  /** Everything that decisions depend on, for comparing two cores; without the rebalancer's state. */
  summary(): string;
  /** Folds a journal entry at a start. */
  fold(entry: Entry): void;
  /** The sequence of the last folded entry. */
  readonly folded: number;
  /**
   * Folding an entry failed midway: this core must neither decide nor send.
   */
  readonly isTorn: boolean;
  turn(input: Input, now: Moment): Turn;
  /**
   * The verdict on this mint or rail now, by requests in flight, freezes and the gate. Records and reserves nothing.
   */
  judge(wish: MovementWish, now: Moment): MovementVerdict;
  /** Gives a restored trading core its strategy, without a record. */
  host(strategy: Strategy): Continuation;
  /** How this strategy would run; nothing changes. */
  continuation(strategy: Strategy): Continuation;
  /** The last fresh start in the journal. */
  readonly freshStart: FreshStart | undefined;
  /** For a step at which `engine.run` ended: returns the turn that `turn` would have made of its quote. */
  took(step: Step, now: Moment): Turn;
}
