// Decides which strategy runs, from which state it continues, and when that state is recorded. A strategy that may not
// continue from its state is not run, and the bot is halted until a person has dealt with it.

import type { Moment } from "../../execution/request.ts";
import type { Entry, FreshStart } from "../../journal/record.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Engine } from "../engine/engine.ts";
import {
  asleep,
  type Continuation,
  forgottenText,
  IDLE,
  KeptStates,
  outdatedText,
  type Untold,
  unsaved,
} from "../strategy-host/strategy-state.ts";
import type { Draft } from "./turn.ts";

export class StrategyLifecycle {
  readonly states = new KeptStates();
  /** Trades of the running strategy were adopted that its state does not contain. */
  isOutdated = false;
  /** The reason why no strategy runs. */
  vacancy: Continuation | undefined = undefined;
  /** The last fresh start in the journal. */
  freshStart: FreshStart | undefined = undefined;
  private readonly engine: Engine;
  private readonly safePointMs: number;
  private savedAt: number | undefined;

  constructor(engine: Engine, safePointMs: number) {
    this.engine = engine;
    this.safePointMs = safePointMs;
  }

  fold({ record, writer }: Entry): void {
    if (record.kind === "state") {
      this.states.keep(record, writer);
      this.isOutdated ||= record.outdated !== undefined && record.strategy === this.engine.strategy.name;
    } else if (record.kind === "fresh-start") this.freshStart = record;
  }

  /** Writes no record. Returns whether the strategy continues from an earlier state. */
  host(strategy: Strategy): Continuation {
    const { strategy: continued, continuation } = this.states.continued(strategy);
    // If the new strategy may not continue, the running one stays; at a start there is none.
    if (continuation.wayOut === undefined) {
      this.engine.replaceStrategy(continued);
      this.vacancy = undefined;
    } else if (this.vacancy !== undefined || this.engine.strategy.definition === IDLE.definition)
      this.vacancy = continuation;
    return continuation;
  }

  /** Records the state of the outgoing strategy first. */
  replace(strategy: Strategy, draft: Draft, now: Moment): void {
    this.save(draft, now);
    this.announce(this.host(strategy), draft, now);
  }

  /** After `isOutdated`: the strategy may continue neither from its state nor from zero, and is no longer called. */
  leave(draft: Draft, now: Moment): void {
    this.isOutdated = false;
    const { continuation } = this.states.continued(this.engine.strategy);
    if (continuation.wayOut === undefined) return;
    this.engine.replaceStrategy(asleep(this.engine.strategy));
    this.vacancy = continuation;
    this.announce(continuation, draft, now);
  }

  /** A resume starts no strategy. While none runs the bot is halted again; otherwise it would appear to be trading. */
  keepVacant(draft: Draft, now: Moment): void {
    const { state } = this.engine.context.counters.tradingState;
    const isStopped = state === "HALTED";
    if (this.vacancy !== undefined && !isStopped) this.announce(this.vacancy, draft, now);
  }

  private announce({ text, isWarning, wayOut }: Continuation, draft: Draft, now: Moment): void {
    if (wayOut !== undefined) {
      const control = { kind: "halt", cause: "strategy", reason: text, wayOut } as const;
      draft.told.push({ kind: "control", control, receivedAt: now.at });
    } else if (isWarning) {
      this.freshStart = { kind: "fresh-start", at: now.at, strategy: this.engine.strategy.name, text };
      draft.records.push(this.freshStart);
      draft.warnings.push(text);
    } else draft.notes.push(text);
  }

  /** Adopted trades were never reported to a strategy, so the states of their strategies are older than the trades. */
  outdate(trades: Untold, draft: Draft, now: Moment): void {
    const records = this.states.outdate(trades, now.at);
    if (records.length === 0 && trades.lost > 0) draft.warnings.push(forgottenText(trades.lost));
    for (const record of records) draft.records.push(record);
    // One strategy may have several states with different parameters.
    for (const text of new Set(records.map(outdatedText))) draft.warnings.push(text);
  }

  save(draft: Draft, now: Moment): void {
    this.savedAt = now.mono;
    const record = this.states.record(this.engine.strategy, now.at);
    if (record === undefined) return;
    if (record.ok) {
      draft.records.push(record.value);
      const grown = this.states.grown();
      if (grown !== undefined) draft.warnings.push(grown);
      return;
    }
    const control = unsaved(this.engine.strategy, record.error);
    draft.told.push({ kind: "control", control, receivedAt: now.at });
  }

  /** The time to the first safe point counts from the first turn. */
  begin({ mono }: Moment): void {
    this.savedAt ??= mono;
  }

  /**
   * An order and the state that remembers it are recorded together, and so are a report and the state after it:
   * otherwise, after a crash, the strategy would order a second time or miss a fill for ever.
   */
  isSafePoint(draft: Draft, { mono }: Moment): boolean {
    const { savedAt = mono, safePointMs } = this;
    if (draft.records.length === 0) return false;
    return draft.sends.length > 0 || draft.isHeard || mono - savedAt >= safePointMs;
  }
}
