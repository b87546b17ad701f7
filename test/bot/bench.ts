// A whole bot over the venue in process, on virtual time: the real pipeline, trading core, engine, gate and executor, and a
// journal that outlives it.

import { resolve } from "node:path";
import { NEVER, type Observable, Subject } from "rxjs";
import { timerScheduler } from "../../src/app/system/scheduler.ts";
import type { Ending } from "../../src/bot/bot.ts";
import { createCore } from "../../src/bot/core.ts";
import type { Engine } from "../../src/bot/engine.ts";
import type { Input } from "../../src/bot/input.ts";
import type { BotObserver, Phase } from "../../src/bot/observer.ts";
import { runPipeline } from "../../src/bot/pipeline.ts";
import { type PipelineSettings, pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { createTrace, type Trace } from "../../src/bot/trace/trace.ts";
import type { Turn } from "../../src/bot/turn.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Control, QuoteEvent } from "../../src/domain/event.ts";
import { createIds } from "../../src/domain/ids.ts";
import { err, unwrap } from "../../src/domain/result.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/execution/parameters.ts";
import type { Journal, JournalError } from "../../src/journal/journal.ts";
import type { Limits } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { FRESH, type TradingState } from "../../src/risk/trading-state.ts";
import { loadStrategyFile } from "../../src/strategy/load-file.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import type { InProcess } from "../support/in-process.ts";

export type BotOptions = {
  readonly world: Pick<InProcess, "clock" | "timers" | "exchange">;
  readonly journal: Journal;
  readonly strategy: Strategy;
  readonly exchange?: Exchange;
  readonly limits?: Partial<Limits>;
  readonly protocol?: Partial<Settings>;
  readonly settings?: Partial<PipelineSettings>;
  readonly strategies$?: Observable<Strategy>;
  readonly isFresh?: boolean;
  readonly references$?: Observable<QuoteEvent>;
  readonly lastCheck?: () => string | undefined;
  /** Watches too. */
  readonly board?: Pick<Required<BotObserver>, "core" | "step" | "turn" | "phase">;
};

export type RunningBot = {
  readonly tradingCore: Engine;
  readonly ended: Promise<Ending>;
  readonly trace: Trace;
  readonly turns: { readonly input: Input; readonly turn: Turn }[];
  readonly phases: Phase[];
  readonly notes: string[];
  readonly warnings: string[];
  readonly problems: string[];
  readonly controls: Control[];
  readonly followed: TradingState[];
  readonly control$: Subject<Control>;
  stop(): void;
};

/** As a user's file is loaded. */
export async function tradesInTurn(params: unknown = {}): Promise<Strategy> {
  return unwrap(await loadStrategyFile(resolve("test/fixture/strategy/in-turn.ts"), params));
}

/** Nothing in it stops a strategy for being busy; money and doubts are watched. */
export const LIMITS: Limits = {
  ...paperLimits,
  depegLossBpsMax: "off: a test of few assets",
  issuerLossBpsMax: "off: a test of few assets",
  issuerEndBps: 6_000,
  ordersPerMinuteMax: 120,
  duplicateWindowMs: "off: a busy test",
  offsetWindowMs: "off: a busy test",
};

export function startBot(options: BotOptions): RunningBot {
  const { world, journal } = options;
  const stop = new AbortController();
  const ids = createIds("T", journal.writer);
  const control$ = new Subject<Control>();
  const seen = {
    turns: [] as RunningBot["turns"],
    phases: [] as Phase[],
    notes: [] as string[],
    warnings: [] as string[],
    problems: [] as string[],
    controls: [] as Control[],
  };
  const followed: TradingState[] = [FRESH];
  const trace = createTrace({ keep: true });
  let tradingCore: Engine | undefined;
  const ended = runPipeline(
    {
      exchange: options.exchange ?? world.exchange,
      journal,
      makeCore: (strategy) =>
        createCore(strategy, {
          limits: { ...LIMITS, ...options.limits },
          par: new Map(["VCHF/CHF", "VGBP/GBP"].map((symbol) => [symbol as PairSymbol, { bandBps: 50 }])),
          ids,
          writer: journal.writer,
          settings: { ...DEFAULT_SETTINGS, ...options.protocol },
        }),
      strategy: options.strategy,
      strategies$: options.strategies$ ?? NEVER,
      isFresh: options.isFresh === true,
      references$: options.references$ ?? NEVER,
      control$,
      lastCheck: options.lastCheck ?? (() => undefined),
      followState: (standing) => followed.push(standing),
      identity: { codeVersion: "0.0.0", configDigest: "none" },
      clock: world.clock,
      scheduler: timerScheduler(world.clock, world.timers),
      watch: {
        core: (made) => {
          tradingCore = made;
          options.board?.core(made);
        },
        step(step) {
          trace.take(step);
          options.board?.step(step);
        },
        turn(turn, input) {
          seen.turns.push({ turn, input });
          options.board?.turn(turn, input);
        },
        control: ({ control }) => void seen.controls.push(control),
        phase(phase) {
          seen.phases.push(phase);
          options.board?.phase(phase);
        },
        note: (note) => void seen.notes.push(note),
        warning: (text) => void seen.warnings.push(text),
        problem: (code, message) => void seen.problems.push(`${code}: ${message}`),
      },
      settings: { ...pipelineDefaults, ...options.settings },
    },
    stop.signal,
  );
  return {
    get tradingCore() {
      if (tradingCore === undefined) throw new Error("the bot has no trading core yet");
      return tradingCore;
    },
    ended,
    trace,
    ...seen,
    followed,
    control$,
    stop: () => stop.abort("the test is over"),
  };
}

/** A journal whose next calls fail as they are told to. */
export function failing(journal: Journal): Journal & { fault: Fault | undefined } {
  const wrapped: Journal & { fault: Fault | undefined } = {
    fault: undefined,
    opening: journal.opening,
    writer: journal.writer,
    read: journal.read.bind(journal),
    head: journal.head.bind(journal),
    close: journal.close.bind(journal),
    async append(records) {
      const { fault } = wrapped;
      return fault?.append === true ? err(fault.error) : journal.append(records);
    },
    announce(records) {
      const { fault } = wrapped;
      return fault === undefined ? journal.announce(records) : err(fault.error);
    },
    async transact(decide) {
      const { fault } = wrapped;
      if (fault === undefined) return journal.transact(decide);
      if (fault.when === "after") decide();
      return err(fault.error);
    },
  };
  return wrapped;
}

type Fault = {
  readonly error: JournalError;
  /** Whether the decision had been made. */
  readonly when: "before" | "after";
  /** Whether facts cannot be written either. */
  readonly append?: boolean;
};
