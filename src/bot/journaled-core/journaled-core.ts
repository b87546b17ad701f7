// Takes each input through the trading core and onto the disk in one transaction, and releases its effects only then.
// If the disk fails nothing is sent: the bot halts, reports the reason, and rebuilds itself from the journal when it
// can.

import { defer, type Observable, retry, type SchedulerLike, timer } from "rxjs";
import type { Control, Halt } from "../../domain/event.ts";
import { invariant } from "../../domain/invariant.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { Step } from "../../domain/step.ts";
import type { Moment } from "../../execution/request.ts";
import type { Journal, JournalCode, JournalError } from "../../journal/journal.ts";
import type { ControlRecord, Entry, JournalRecord } from "../../journal/record.ts";
import { isSameStop, RESUME, type TradingState, transition } from "../../risk/trading-state.ts";
import type { BotObserver } from "../observer.ts";
import type { Input } from "../trading-core/input.ts";
import { newsOf } from "../trading-core/other-processes.ts";
import type { TradingCore } from "../trading-core/trading-core.ts";
import type { Turn } from "../trading-core/turn.ts";
import { catchUp } from "./restore.ts";
import type { Snapshots } from "./snapshot.ts";

export type JournaledCoreParts = {
  readonly journal: Journal;
  /** Restores a core from the journal. */
  readonly restored: () => Result<TradingCore, JournalError>;
  /** `isJournaled`: false if the state is not in the journal. */
  readonly followState: (tradingState: TradingState, isJournaled?: boolean) => void;
  readonly now: () => Moment;
  readonly scheduler: SchedulerLike;
  /** Called with the error when the journal cannot be written, and with undefined when it can be again. */
  readonly onTrouble: (error: JournalError | undefined) => void;
  /** Receives the records of other processes, and halts because of the journal. */
  readonly watch: Pick<BotObserver, "control" | "moved" | "others" | "note">;
  readonly retryMs: number;
  readonly snapshots?: Snapshots | undefined;
};

export function createJournaledCore(parts: JournaledCoreParts): Result<JournaledCore, JournalError> {
  const core = parts.restored();
  return core.ok ? ok(new JournaledCore(parts, core.value)) : core;
}

class Unwritten extends Error {
  override readonly name = "Unwritten";
}

export class JournaledCore {
  readonly #parts: JournaledCoreParts;
  #core: TradingCore;
  #followed: TradingState;
  #trouble: JournalError | undefined;
  /** The trading core's state is ahead of the disk. */
  #isAhead = false;
  /** The last record of other processes that was passed to the observer. */
  #heard = 0;

  constructor(parts: JournaledCoreParts, core: TradingCore) {
    this.#parts = parts;
    this.#core = core;
    this.#followed = core.engine.books.counters.tradingState;
    parts.followState(this.#followed);
  }

  get core(): TradingCore {
    return this.#core;
  }

  /** The reason why nothing may be sent now. */
  trouble(): string | undefined {
    return this.#trouble && `the journal cannot be written: ${this.#trouble.message}`;
  }

  /**
   * Called at the slot of a money request: folds the records of other processes since the last turn. A returned reason
   * drops the request.
   */
  catchUp(isGone: (writer: string) => boolean): string | undefined {
    const { journal, now } = this.#parts;
    const hear = (news: readonly Entry[]): void => this.#hear(news);
    return this.trouble() ?? catchUp({ journal, core: this.#core, isGone, now, hear });
  }

  /**
   * Emits the turn when its records are on disk. Never fails because of the journal: the input is kept until it can be
   * written.
   */
  readonly commit = (input: Input): Observable<Turn> => {
    const { retryMs, scheduler } = this.#parts;
    const later = (error: unknown): Observable<unknown> => {
      if (!(error instanceof Unwritten)) throw error;
      return timer(retryMs, scheduler);
    };
    return defer(() => this.#attempt(input)).pipe(retry({ delay: later }));
  };

  async #attempt(input: Input): Promise<Turn> {
    if (this.#isAhead) await this.#rebuild();
    let turn: Turn | undefined;
    let others: readonly Entry[] = [];
    const written = await this.#parts.journal.transact((news) => {
      others = news;
      turn = this.#core.turn(news, input, this.#parts.now());
      return { records: turn.records, value: turn };
    });
    if (others.length > 0) this.#hear(others, written.ok ? written.value.steps : []);
    if (written.ok) {
      if (input.kind === "time" || input.kind === "save")
        this.#parts.snapshots?.follow(this.#core, this.#parts.now().at, input.kind === "save");
      return this.#done(written.value);
    }
    const { error } = written;
    if (turn !== undefined) return this.#fail(error, true);
    if (error.code === "journal-locked") return this.#fail(error, false);
    // While the journal's reserve is in use, turns that may decide are refused. A stopped bot decides nothing, so its
    // facts may still be written.
    return error.code === "journal-full" && this.#isStopped() ? this.#append(input) : this.#fail(error, true);
  }

  async #append(input: Input): Promise<Turn> {
    const { journal } = this.#parts;
    const news = journal.news();
    if (!news.ok) return this.#fail(news.error, false);
    const turn = this.#core.turn(news.value, input, this.#parts.now());
    this.#hear(news.value);
    invariant(turn.sends.length === 0, "a bot that is stopped must not approve anything");
    if (turn.records.length === 0) return turn;
    const written = await journal.append(turn.records);
    return written.ok ? this.#done(turn) : this.#fail(written.error, true);
  }

  #done(turn: Turn): Turn {
    if (this.#trouble !== undefined) {
      this.#trouble = undefined;
      this.#parts.onTrouble(undefined);
    }
    const { tradingState } = this.#core.engine.books.counters;
    if (tradingState !== this.#followed) {
      this.#parts.followState(tradingState);
      this.#followed = tradingState;
    }
    return turn;
  }

  /**
   * The records of others are on disk, whatever the result of this turn. They may be handed out again if the turn
   * fails.
   */
  #hear(others: readonly Entry[], own: readonly Step[] = []): void {
    const { watch } = this.#parts;
    /** Requests that a person closed as not landed; the note names that person. */
    const closed = new Set<string>();
    for (const { sequence, record } of others) {
      if (sequence <= this.#heard) continue;
      this.#heard = sequence;
      if (record.kind === "step") this.#step(record.step, closed);
      const text = newsOf(record, this.#core.executor);
      if (text !== undefined) watch.note?.(text);
      if (text !== undefined && record.kind === "resolution") closed.add(record.id);
      for (const control of controlsIn(record)) if (!isTold(control, own)) watch.control?.(control);
    }
  }

  #step(step: Step, closed: ReadonlySet<string>): void {
    const { watch } = this.#parts;
    const { event } = step;
    if (event.kind === "movement") {
      const { id, report } = event;
      watch.moved?.(step, closed.has(id) && (report.kind === "released" || report.kind === "returned"));
    } else watch.others?.(step);
  }

  #fail(error: JournalError, halts: boolean): never {
    const isNews = this.#trouble?.code !== error.code;
    this.#trouble = error;
    if (halts && !this.#isAhead) {
      this.#isAhead = true;
      const { tradingState } = this.#core.engine.books.counters;
      this.#parts.followState(
        transition(tradingState, { kind: "halt", ...haltFor(error) }, this.#parts.now().at),
        false,
      );
    }
    if (isNews) this.#parts.onTrouble(error);
    throw new Unwritten(error.message);
  }

  /** The halt is a fact and may be written into the reserve. After that the journal alone defines the state. */
  async #rebuild(): Promise<void> {
    const { journal, restored, now, watch } = this.#parts;
    const trouble = this.#trouble;
    invariant(trouble !== undefined, "memory must not be ahead of a sound journal");
    const halt: ControlRecord = { kind: "control", at: now().at, control: { kind: "halt", ...haltFor(trouble) } };
    const halted = await journal.append([halt]);
    if (!halted.ok) return this.#fail(halted.error, true);
    watch.control?.(halt);
    const core = restored();
    if (!core.ok) return this.#fail(core.error, true);
    this.#core = core.value;
    this.#isAhead = false;
  }

  #isStopped(): boolean {
    const { state } = this.#core.engine.books.counters;
    return state === "HALTED";
  }
}

/** The controls in a record: a person's command, or a state change by the engine of a money command. */
function controlsIn(record: JournalRecord): readonly ControlRecord[] {
  if (record.kind === "control") return [record];
  if (record.kind !== "step") return [];
  const { event, commands } = record.step;
  const found: Control[] = event.kind === "control" ? [event.control] : [];
  for (const command of commands) {
    if (command.kind !== "state") continue;
    const { kind: _, state, ...halt } = command;
    found.push(state === "REDUCED" ? { kind: "reduce", ...halt } : { kind: "halt", ...halt });
  }
  return found.map((control): ControlRecord => ({ kind: "control", at: record.at, control }));
}

/** The kill file may be noticed before the record; then a step of this turn has already reported the same stop. */
function isTold({ control }: ControlRecord, own: readonly Step[]): boolean {
  if (control.kind !== "halt" && control.kind !== "reduce") return false;
  return own.some(({ event }) => {
    if (event.kind !== "control" || event.control.kind !== control.kind) return false;
    return isSameStop(event.control, control);
  });
}

function haltFor({ code, message }: JournalError): Halt {
  return {
    cause: "journal",
    subject: code,
    reason: `${code}: ${message}`,
    wayOut: restartFor(code) ?? RESUME,
  };
}

const HEALS: ReadonlySet<JournalCode> = new Set(["journal-locked", "journal-full"]);

/**
 * After a failure that does not heal, this process no longer trusts its journal, whatever is repaired: it must be
 * restarted.
 */
export function restartFor(code: JournalCode): string | undefined {
  return HEALS.has(code) ? undefined : `restart the bot, which verifies its journal; then ${RESUME}`;
}
