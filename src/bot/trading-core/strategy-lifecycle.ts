// Decides which strategy runs, from which state it continues, and when that state is recorded. A strategy that may not
// continue from its state is not run, and the bot is halted until a person has dealt with it.

import type { Moment } from "../../execution/request.ts";
import type { Entry, FreshStart } from "../../journal/record.ts";
import { RESUME } from "../../risk/trading-state.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Engine } from "../engine/engine.ts";
import {
  asleep,
  type Continuation,
  forgottenText,
  IDLE,
  KeptStates,
  outdatedText,
  unsaved,
} from "../strategy-host/strategy-state.ts";
import type { Draft } from "./turn.ts";

type Refused = Extract<Continuation, { readonly kind: "refused" }>;

/** Adopted trades: lost with a part of the journal, or other than reported. */
type Untold = { readonly lost: number; readonly odd: number };

export class StrategyLifecycle {
  readonly states = new KeptStates();
  /** Trades of the running strategy were adopted that its state does not contain. */
  isOutdated = false;
  /** The reason why no strategy runs. */
  vacancy: Refused | undefined = undefined;
  /** The last fresh start in the journal. */
  freshStart: FreshStart | undefined = undefined;
  private readonly engine: Engine;
  private readonly safePointMs: number;
  private savedAt: number | undefined;

  constructor(engine: Engine, safePointMs: number) {
    this.engine = engine;
    this.safePointMs = safePointMs;
  }

  fold({ record }: Entry): void {
    if (record.kind === "state") {
      this.states.keep(record);
      this.isOutdated ||= record.outdated !== undefined && record.strategy === this.engine.strategy.name;
    } else if (record.kind === "fresh-start") {
      this.states.forget(record.strategy);
      this.freshStart = record;
    }
  }

  /** Writes no record. A strategy that may not continue does not run; a running one stays. */
  host(strategy: Strategy): Continuation {
    const continuation = this.states.continued(strategy);
    if (continuation.kind === "runs") {
      this.engine.replaceStrategy(continuation.strategy);
      this.vacancy = undefined;
    } else if (this.engine.strategy.definition === IDLE.definition) this.vacancy = continuation;
    return continuation;
  }

  /** Records the state of the outgoing strategy first. `isFresh`: a state that does not fit is given up. */
  replace(strategy: Strategy, isFresh: boolean, draft: Draft, now: Moment): void {
    this.save(draft, now);
    const hosted = this.host(strategy);
    if (hosted.kind === "runs") draft.notes.push(hosted.text);
    else if (isFresh) this.beginAnew(strategy, hosted.reason, draft, now);
    else if (this.vacancy !== undefined) this.stop(this.vacancy, draft, now);
    else draft.warnings.push(`${hosted.reason}; the one that runs goes on. Way out: ${hosted.wayOut}`);
  }

  private beginAnew(strategy: Strategy, why: string, draft: Draft, now: Moment): void {
    this.states.forget(strategy.name);
    this.host(strategy);
    const text = `strategy ${strategy.name} begins anew by --fresh-state and knows nothing of what it did before (without it, ${why})`;
    this.freshStart = { kind: "fresh-start", at: now.at, strategy: strategy.name, text };
    draft.records.push(this.freshStart);
    draft.warnings.push(text);
  }

  /** After `isOutdated`: the strategy may continue neither from its state nor from zero, and is no longer called. */
  leave(draft: Draft, now: Moment): void {
    this.isOutdated = false;
    const continuation = this.states.continued(this.engine.strategy);
    if (continuation.kind === "runs") return;
    this.engine.replaceStrategy(asleep(this.engine.strategy));
    this.vacancy = continuation;
    this.stop(continuation, draft, now);
  }

  /** A resume starts no strategy. While none runs the bot is halted again; otherwise it would appear to be trading. */
  keepVacant(draft: Draft, now: Moment): void {
    const isStopped = this.engine.books.counters.tradingState.state === "HALTED";
    if (this.vacancy !== undefined && !isStopped) this.stop(this.vacancy, draft, now);
  }

  private stop({ reason, wayOut }: Refused, draft: Draft, now: Moment): void {
    const control = { kind: "halt", cause: "strategy", reason, wayOut: `${wayOut}; then ${RESUME}` } as const;
    draft.told.push({ kind: "control", control, receivedAt: now.at });
  }

  /** Adopted trades were never reported to a strategy, so all kept states are older than the trades. */
  outdate(trades: Untold, draft: Draft, now: Moment): void {
    const count = trades.lost + trades.odd;
    if (count === 0) return;
    const records = this.states.outdate(count, now.at);
    if (records.length === 0 && trades.lost > 0) draft.warnings.push(forgottenText(trades.lost));
    for (const record of records) {
      draft.records.push(record);
      draft.warnings.push(outdatedText(record));
    }
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
