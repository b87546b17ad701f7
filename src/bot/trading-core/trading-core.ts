// The trading core, as a contract: one thing that happened in, what is to be recorded and what is to be done out, synchronously. Whoever
// calls it makes the records durable before anything is sent or asked.

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
import type { Continuation, SavedWriters } from "../strategy-host/strategy-state.ts";
import type { Input } from "./input.ts";
import type { Turn } from "./turn.ts";

/** What decides, made anew and empty: a fold of the journal fills it. */
export type Core = {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
  readonly movements: MovementGate;
  /** Keeps holdings within their bands; absent without targets. */
  readonly rebalancer?: Rebalancer | undefined;
};

export type TradingCoreSettings = {
  /** A strategy's state is recorded with each of its orders, with each report that it hears, and with the first record after so long. */
  readonly safePointMs: number;
};

/** The books at one record. */
export type SavedTradingCore = {
  readonly engine: SavedEngine;
  readonly orders: SavedOrders;
  /** Which processes recorded states, and of which strategies. */
  readonly writers: SavedWriters;
};

export interface TradingCore extends Core {
  /** The books as plain data; undefined where the strategy's state cannot be saved. */
  saved(): SavedTradingCore | undefined;
  /**
   * For an empty core whose engine was made of the same `SavedTradingCore`. `kept`: the earlier entries of orders that were open there, and those
   * that belong to no order. `at`: the last entry that it then knows.
   */
  load(saved: Omit<SavedTradingCore, "engine">, kept: readonly Entry[], at: number): void;
  /** All that decisions depend on, for comparing two cores; not what the rebalancer knows. */
  summary(): string;
  /** An entry of the journal, of any process: at a start all of them, later what others wrote. */
  fold(entry: Entry): void;
  /** Entries up to this number are folded. */
  readonly folded: number;
  /** Folding an entry failed midway. The journal does not hand it out again, so that this core must neither decide nor send any more. */
  readonly isTorn: boolean;
  /** `news` is what others wrote since the last turn. */
  turn(news: readonly Entry[], input: Input, now: Moment): Turn;
  /** What the trading core would say to it now: by what is under way, what is frozen, and the gate. Nothing is recorded or reserved. */
  judge(wish: MovementWish, now: Moment): MovementVerdict;
  /** Without a record: how a trading core that was restored gets its strategy. Says whether it continues. */
  host(strategy: Strategy): Continuation;
  /** The last one that the journal knows of. */
  readonly freshStart: FreshStart | undefined;
  /** For a step that `engine.run` ended at: gives what `turn` would have made of its quote. */
  took(step: Step, now: Moment): Turn;
}
