// Takes each input through the engine and onto the disk in one transaction, and releases its effects only then.
// If the disk fails nothing is sent: the bot halts, reports the reason, and rebuilds itself from the journal when it
// can.

import { defer, type Observable, retry, type SchedulerLike, timer } from "rxjs";
import type { Halt } from "../domain/event.ts";
import { invariant } from "../domain/invariant.ts";
import { ok, type Result } from "../domain/result.ts";
import type { Moment } from "../execution/request.ts";
import type { Journal, JournalCode, JournalError } from "../journal/journal.ts";
import type { ControlRecord } from "../journal/record.ts";
import { RESUME, type TradingState, transition } from "../risk/trading-state.ts";
import type { Engine } from "./engine.ts";
import type { Input } from "./input.ts";
import type { BotObserver } from "./observer.ts";
import type { Snapshots } from "./snapshot.ts";
import type { Turn } from "./turn.ts";

export type JournaledEngineParts = {
  readonly journal: Journal;
  /** Restores a core from the journal. */
  readonly restored: () => Result<Engine, JournalError>;
  /** `isJournaled`: false if the state is not in the journal. */
  readonly followState: (tradingState: TradingState, isJournaled?: boolean) => void;
  readonly now: () => Moment;
  readonly scheduler: SchedulerLike;
  /** Called with the error when the journal cannot be written, and with undefined when it can be again. */
  readonly onTrouble: (error: JournalError | undefined) => void;
  /** Receives halts because of the journal. */
  readonly watch: Pick<BotObserver, "control">;
  readonly retryMs: number;
  readonly snapshots?: Snapshots | undefined;
};

export function createJournaledEngine(parts: JournaledEngineParts): Result<JournaledEngine, JournalError> {
  const engine = parts.restored();
  return engine.ok ? ok(new JournaledEngine(parts, engine.value)) : engine;
}

class Unwritten extends Error {
  override readonly name = "Unwritten";
}

export class JournaledEngine {
  readonly #parts: JournaledEngineParts;
  #engine: Engine;
  #followed: TradingState;
  #trouble: JournalError | undefined;
  /** The engine's state is ahead of the disk. */
  #isAhead = false;

  constructor(parts: JournaledEngineParts, engine: Engine) {
    this.#parts = parts;
    this.#engine = engine;
    this.#followed = engine.books.counters.tradingState;
    parts.followState(this.#followed);
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** The reason why nothing may be sent now. */
  trouble(): string | undefined {
    return this.#trouble && `the journal cannot be written: ${this.#trouble.message}`;
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
    const written = await this.#parts.journal.transact(() => {
      turn = this.#engine.process(input, this.#parts.now());
      return { records: turn.records, value: turn };
    });
    if (written.ok) {
      if (input.kind === "time" || input.kind === "save")
        this.#parts.snapshots?.follow(this.#engine, this.#parts.now().at, input.kind === "save");
      return this.#done(written.value);
    }
    const { error } = written;
    return this.#fail(error, turn !== undefined || error.code !== "journal-locked");
  }

  #done(turn: Turn): Turn {
    if (this.#trouble !== undefined) {
      this.#trouble = undefined;
      this.#parts.onTrouble(undefined);
    }
    const { tradingState } = this.#engine.books.counters;
    if (tradingState !== this.#followed) {
      this.#parts.followState(tradingState);
      this.#followed = tradingState;
    }
    return turn;
  }

  #fail(error: JournalError, halts: boolean): never {
    const isNews = this.#trouble?.code !== error.code;
    this.#trouble = error;
    if (halts && !this.#isAhead) {
      this.#isAhead = true;
      const { tradingState } = this.#engine.books.counters;
      this.#parts.followState(
        transition(tradingState, { kind: "halt", ...haltFor(error) }, this.#parts.now().at),
        false,
      );
    }
    if (isNews) this.#parts.onTrouble(error);
    throw new Unwritten(error.message);
  }

  /** The halt is written first. After that the journal alone defines the state. */
  async #rebuild(): Promise<void> {
    const { journal, restored, now, watch } = this.#parts;
    const trouble = this.#trouble;
    invariant(trouble !== undefined, "memory must not be ahead of a sound journal");
    const halt: ControlRecord = { kind: "control", at: now().at, control: { kind: "halt", ...haltFor(trouble) } };
    const halted = await journal.append([halt]);
    if (!halted.ok) return this.#fail(halted.error, true);
    watch.control?.(halt);
    const engine = restored();
    if (!engine.ok) return this.#fail(engine.error, true);
    this.#engine = engine.value;
    this.#isAhead = false;
  }
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
