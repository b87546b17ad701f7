// Decides which strategy runs, from which state it continues, and when that state is recorded. A strategy that may not
// continue from its state is not run, and the bot is halted until a person has dealt with it.

import type { Books } from "../../books/books.ts";
import type { Entry, FreshStart } from "../../journal/record.ts";
import { RESUME } from "../../risk/trading-state.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Draft } from "../turn.ts";
import type { StrategyHost } from "./strategy-host.ts";
import { asleep, type Continuation, forgottenText, IDLE, KeptStates, outdatedText, unsaved } from "./strategy-state.ts";

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
  readonly running: StrategyHost;
  private readonly books: Books;
  private readonly safePointMs: number;
  private savedAt: number | undefined;

  constructor(running: StrategyHost, books: Books, safePointMs: number) {
    this.running = running;
    this.books = books;
    this.safePointMs = safePointMs;
  }

  fold({ record }: Entry): void {
    if (record.kind === "state") {
      this.states.keep(record);
      this.isOutdated ||= record.outdated !== undefined && record.strategy === this.running.strategy.name;
    } else if (record.kind === "fresh-start") {
      this.states.forget(record.strategy);
      this.freshStart = record;
    }
  }

  /** Writes no record. A strategy that may not continue does not run; a running one stays. */
  host(strategy: Strategy): Continuation {
    const continuation = this.states.continued(strategy);
    if (continuation.kind === "runs") {
      this.running.replace(continuation.strategy);
      this.vacancy = undefined;
    } else if (this.running.strategy.definition === IDLE.definition) this.vacancy = continuation;
    return continuation;
  }

  /** Records the state of the outgoing strategy first. `isFresh`: a state that does not fit is given up. */
  replace(strategy: Strategy, isFresh: boolean, turn: Draft): void {
    this.save(turn);
    const hosted = this.host(strategy);
    if (hosted.kind === "runs") turn.notes.push(hosted.text);
    else if (isFresh) this.beginAnew(strategy, hosted.reason, turn);
    else if (this.vacancy !== undefined) this.stop(this.vacancy, turn);
    else turn.warnings.push(`${hosted.reason}; the one that runs goes on. Way out: ${hosted.wayOut}`);
  }

  private beginAnew(strategy: Strategy, why: string, turn: Draft): void {
    this.states.forget(strategy.name);
    this.host(strategy);
    const text = `strategy ${strategy.name} begins anew by --fresh-state and knows nothing of what it did before (without it, ${why})`;
    this.freshStart = { kind: "fresh-start", at: turn.now.at, strategy: strategy.name, text };
    turn.records.push(this.freshStart);
    turn.warnings.push(text);
  }

  /** After `isOutdated`: the strategy may continue neither from its state nor from zero, and is no longer called. */
  leave(turn: Draft): void {
    this.isOutdated = false;
    const continuation = this.states.continued(this.running.strategy);
    if (continuation.kind === "runs") return;
    this.running.replace(asleep(this.running.strategy));
    this.vacancy = continuation;
    this.stop(continuation, turn);
  }

  /** A resume starts no strategy. While none runs the bot is halted again; otherwise it would appear to be trading. */
  keepVacant(turn: Draft): void {
    const isStopped = this.books.counters.tradingState.state === "HALTED";
    if (this.vacancy !== undefined && !isStopped) this.stop(this.vacancy, turn);
  }

  private stop({ reason, wayOut }: Refused, turn: Draft): void {
    const control = { kind: "halt", cause: "strategy", reason, wayOut: `${wayOut}; then ${RESUME}` } as const;
    turn.control(control);
  }

  /** Adopted trades were never reported to a strategy, so all kept states are older than the trades. */
  outdate(trades: Untold, turn: Draft): void {
    const count = trades.lost + trades.odd;
    if (count === 0) return;
    const records = this.states.outdate(count, turn.now.at);
    if (records.length === 0 && trades.lost > 0) turn.warnings.push(forgottenText(trades.lost));
    for (const record of records) {
      turn.records.push(record);
      turn.warnings.push(outdatedText(record));
    }
  }

  save(turn: Draft): void {
    this.savedAt = turn.now.mono;
    const record = this.states.record(this.running.strategy, turn.now.at);
    if (record === undefined) return;
    if (record.ok) {
      turn.records.push(record.value);
      const grown = this.states.grown();
      if (grown !== undefined) turn.warnings.push(grown);
      return;
    }
    const control = unsaved(this.running.strategy, record.error);
    turn.control(control);
  }

  /**
   * An order and the state that remembers it are recorded together, and so are a report and the state after it:
   * otherwise, after a crash, the strategy would order a second time or miss a fill for ever.
   */
  isSafePoint({ now: { mono }, records, sends, isHeard }: Draft): boolean {
    this.savedAt ??= mono;
    if (records.length === 0) return false;
    return sends.length > 0 || isHeard || mono - this.savedAt >= this.safePointMs;
  }
}
