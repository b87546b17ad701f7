// An opened bot: its core made of the journal, and the stages that the pipeline puts in a row.

import {
  defer,
  EMPTY,
  filter,
  from,
  fromEvent,
  interval,
  map,
  merge,
  mergeMap,
  NEVER,
  Observable,
  type ObservableInput,
  type OperatorFunction,
  of,
  type SchedulerLike,
  Subject,
  Subscription,
  startWith,
  tap,
  timer,
} from "rxjs";
import type { SavedBooks } from "../books/books.ts";
import { errorMessage } from "../domain/error-message.ts";
import type { Control, QuoteEvent } from "../domain/event.ts";
import { ok, type Result } from "../domain/result.ts";
import type { Clock, Millis } from "../domain/time.ts";
import type { Exchange } from "../exchange/port.ts";
import { createDispatch, type Question } from "../execution/dispatch.ts";
import type { Moment, MoneyRequest } from "../execution/request.ts";
import type { Journal, JournalError } from "../journal/journal.ts";
import { RESUME, type TradingState, transition } from "../risk/trading-state.ts";
import { type Approval, isOrder } from "../risk/treasury-gate.ts";
import type { Strategy } from "../strategy/prepare.ts";
import { longWork } from "../strategy/watchdog.ts";
import type { MakeCore } from "./core.ts";
import { TurnEffects } from "./effects/effects.ts";
import { PollSchedule, type Read, readWant } from "./effects/poll-schedule.ts";
import { createResponses } from "./effects/responses.ts";
import { StartUp } from "./effects/startup.ts";
import { Engine } from "./engine.ts";
import { Inbox } from "./inbox/inbox.ts";
import { createVenueClock, EarlyQuotes, timeAhead } from "./inbox/venue-clock.ts";
import type { Input } from "./input.ts";
import { createJournaledEngine, type JournaledEngine } from "./journaled-engine.ts";
import type { BotObserver } from "./observer.ts";
import type { Done, OperationLine } from "./operation-line.ts";
import type { PipelineSettings } from "./pipeline-settings.ts";
import { restoreFrom, type Snapshots } from "./snapshot.ts";
import { IDLE } from "./strategy-host/strategy-state.ts";
import type { Turn } from "./turn.ts";

export type PipelineParts = {
  readonly exchange: Exchange;
  readonly journal: Journal;
  /**
   * Makes an empty engine, executor and gate around a strategy: at the start, and again when memory is ahead of the
   * disk.
   */
  readonly makeCore: MakeCore;
  /** Without them every start begins at the first record. */
  readonly snapshots?: Snapshots;
  readonly strategy: Strategy;
  /** `--fresh-state`: it begins anew where its state does not fit, instead of being refused. */
  readonly isFresh?: boolean;
  /** Each strategy runs from the next safe point on. */
  readonly strategies$: Observable<Strategy>;
  /** Reference prices; a failing source must not raise an error here. */
  readonly references$: Observable<QuoteEvent>;
  /** Subscribed to first, so that a value emitted immediately counts before the first decision. */
  readonly control$: Observable<Control>;
  /** Only for operations that need no venue: nothing is read and compared, and no strategy begins. */
  readonly isHeld?: boolean;
  /** Operations of people and programs, whose inputs join all others. */
  readonly operations?: OperationLine;
  /** The last check before the socket: kill switch and files on disk. A returned reason refuses the request. */
  readonly lastCheck: () => string | undefined;
  /**
   * Passes the state to the kill switch after a turn that changed it; `isJournaled` is false if the journal does not
   * have it.
   */
  readonly followState: (tradingState: TradingState, isJournaled?: boolean) => void;
  readonly identity: { readonly codeVersion: string; readonly configDigest: string };
  readonly clock: Clock;
  /** How far the clock is ahead of the venue's, as it was last measured. */
  readonly aheadMs?: number;
  readonly scheduler: SchedulerLike;
  readonly watch: BotObserver;
  readonly settings: PipelineSettings;
};

export type Ending = {
  /**
   * `failed`: the journal could not be read or written at the start. `refused`: the strategy's state or a comparison
   * with the venue's history prevented the start.
   */
  readonly kind: "stopped" | "failed" | "refused";
  readonly reason: string;
  /** Requests without a known end or not confirmed yet. */
  readonly open: readonly MoneyRequest[];
  readonly tradingState: TradingState | undefined;
  /** Sent and abandoned at the deadline: doubts of the next start. */
  readonly abandoned: readonly string[];
};

/** The stages of the pipeline. */
export type Bot = ReturnType<typeof stagesOf>;

export function openBot(parts: PipelineParts, stop: AbortSignal): Result<Bot, JournalError> {
  const { exchange, journal, scheduler, watch, settings, followState } = parts;
  const clock = createVenueClock(parts.clock, parts.aheadMs);
  const now = (): Moment => ({ at: clock.now(), mono: clock.monotonic() });
  const startUp = new StartUp(parts.strategy, watch, settings.firstQuotesMsMax);
  startUp.isUnquoted = settings.polls.quotesMs === undefined;
  startUp.isFresh = parts.isFresh === true;
  startUp.isHeld = parts.isHeld === true;
  watch.phase?.({ kind: "restoring" });
  const make = (saved?: SavedBooks): Engine => new Engine(parts.makeCore(IDLE, saved), settings);
  const { snapshots } = parts;
  const restored = (): Result<Engine, JournalError> => {
    const core = longWork(() => restoreFrom(make, journal, snapshots));
    if (!core.ok) return core;
    if (startUp.isUnquoted) core.value.books.hideQuotes();
    if (startUp.isOver) core.value.lifecycle.host(startUp.strategy);
    watch.core?.(core.value);
    return core;
  };
  const onTrouble = (error: JournalError | undefined): void =>
    watch.phase?.(error === undefined ? startUp.phase : { kind: "unwritable", error });
  const { retryMs } = settings;
  const journaled = createJournaledEngine({
    ...{ journal, restored, followState, now, scheduler, onTrouble, watch, retryMs, snapshots },
  });
  if (!journaled.ok) return journaled;
  const dispatch = createDispatch({
    exchange,
    journal,
    core: () => journaled.value.engine,
    now,
    lastCheck: () => journaled.value.trouble() ?? parts.lastCheck(),
    heard: clock.heard,
  });
  return ok(stagesOf(parts, { clock, now, startUp, journaled: journaled.value, dispatch }, stop));
}

type Opened = {
  readonly clock: ReturnType<typeof createVenueClock>;
  readonly now: () => Moment;
  readonly startUp: StartUp;
  readonly journaled: JournaledEngine;
  readonly dispatch: ReturnType<typeof createDispatch>;
};

function stagesOf(parts: PipelineParts, { clock, now, startUp, journaled, dispatch }: Opened, stop: AbortSignal) {
  const { exchange, journal, scheduler, watch, settings } = parts;
  const polls = new PollSchedule(settings.polls);
  const effects = new TurnEffects(startUp, polls);
  const onProblem = (code: string, message: string): void => watch.problem?.(code, message);
  const responses = createResponses({ polls, clock, now, onProblem });
  const early = new EarlyQuotes(clock);
  const tellAhead = aheadTeller(watch, journaled);
  /** Reads that are due, and turns after which nothing may wait for an answer any more. */
  const due$ = new Subject<Read>();
  const settled$ = new Subject<void>();
  let sending = 0;
  const send = (approvals: readonly Approval[]): Observable<Input> =>
    merge(...approvals.map((approval) => dispatch.send(approval))).pipe(
      map((sent): Input => ({ kind: "outcome", ...sent })),
    );
  const ask = (question: Question, isPolled: boolean): Observable<Input> =>
    from(dispatch.ask(question)).pipe(map((heard) => responses.witness(heard, isPolled)));
  const read = (one: Read): Observable<Input> => {
    const want = readWant(polls, one);
    if (one === "quotes") return from(exchange.quotes(want)).pipe(mergeMap(responses.quotes));
    if (one === "pairs") return from(exchange.pairs(want)).pipe(mergeMap(responses.pairs));
    return ask({ witness: one, asset: undefined, ...want }, true);
  };
  const line = {
    core: () => journaled.engine,
    now,
    exchange,
    ask: async (question: Question) => {
      const heard = await dispatch.ask(question);
      responses.witness(heard, false);
      return heard;
    },
    quotes: responses.quotes,
  };
  const operations$: Observable<Input> = parts.operations?.inputs$ ?? NEVER;
  const stop$: Observable<unknown> = stop.aborted ? of(undefined) : fromEvent(stop, "abort");

  return {
    now,
    startUp,
    commit: journaled.commit,
    /** Each read takes a slot of the one bucket. */
    poll: (...reads: readonly Read[]): Observable<Input> =>
      due$.pipe(
        filter((one) => reads.includes(one)),
        mergeMap(read),
      ),
    references$: parts.references$.pipe(mergeMap((quote) => early.take(quote).map(responses.quote))),
    operations$,
    controls$: parts.control$.pipe(
      map((control): Input => ({ kind: "event", event: { kind: "control", control, receivedAt: now().at } })),
    ),
    timers$: interval(settings.tickMs, scheduler).pipe(
      startWith(0),
      map((): Input => ({ kind: "time", recovers: true, isUnsure: !clock.isHeard })),
    ),
    strategies$: parts.strategies$.pipe(
      filter((strategy) => startUp.replace(strategy)),
      map((strategy): Input => ({ kind: "strategy", strategy, isFresh: startUp.isFresh })),
    ),
    decide: (input: Input): Observable<Done> => journaled.commit(input).pipe(map((turn) => ({ input, turn }))),
    /** Passes a turn that is on disk on to those who watch, and says what follows from it. */
    follow({ input, turn }: Done) {
      tell(watch, input, turn);
      if (input.kind === "time") tellAhead(now().at);
      sending += turn.sends.length - (input.kind === "outcome" ? 1 : 0);
      settled$.next();
      parts.operations?.done({ input, turn });
      parts.operations?.restore(line);
      if (startUp.isReady) parts.operations?.open(line);
      const { sends, asks, reads, inputs } = effects.after(input, turn, journaled.engine, now(), stop.aborted);
      const next = [...inputs, ...early.released().map(responses.quote)];
      const [orders, movements] = [sends.filter(isOrder), sends.filter((one) => !isOrder(one))];
      return { orders, movements, questions: asks, reads, next };
    },
    execute: (orders: readonly Approval[]) => send(orders),
    transfer: (movements: readonly Approval[]) => send(movements),
    confirm: (questions: readonly Question[]) => merge(...questions.map((question) => ask(question, false))),
    goOn: (reads: readonly Read[], next: readonly Input[]) =>
      defer(() => {
        for (const one of reads) due$.next(one);
        return next.length === 0 ? EMPTY : from(next);
      }),
    stop$,
    /** Stopped, and no order waits for an answer, or for too long. */
    over$: stop$.pipe(
      tap(() => {
        watch.phase?.({ kind: "stopping" });
        parts.operations?.stop("the bot is stopping");
        dispatch.close("the bot is stopping");
      }),
      mergeMap(() => merge(settled$.pipe(startWith(undefined)), timer(settings.stopMsMax, scheduler))),
      filter((deadline) => sending === 0 || deadline !== undefined),
    ),
    continuation: (strategy: Strategy) => journaled.engine.lifecycle.states.continued(strategy),
    ending(kind: Ending["kind"], reason: string): Ending {
      const { books, executor } = journaled.engine;
      const { tradingState } = books.counters;
      return { kind, reason, open: [...executor.open()], tradingState, abandoned: [...dispatch.inFlight] };
    },
    /** The next start recovers into HALTED. */
    async haltForBug(error: unknown): Promise<void> {
      const { at } = now();
      const reason = `stopped by a bug: ${errorMessage(error)}`;
      const control: Control = { kind: "halt", cause: "bug", reason, wayOut: RESUME };
      const written = await journal.append([{ kind: "control", at, control }]);
      const { tradingState } = journaled.engine.books.counters;
      parts.followState(transition(tradingState, control, at), written.ok);
    },
  };
}

/** Reports only the beginning. */
function aheadTeller(watch: BotObserver, journaled: Pick<JournaledEngine, "engine">): (at: Millis) => void {
  let isAhead = false;
  return (at) => {
    const ahead = timeAhead(journaled.engine.books.now, at);
    if (ahead !== undefined && !isAhead) watch.warning?.(ahead);
    isAhead = ahead !== undefined;
  };
}

function tell(watch: BotObserver, input: Input, turn: Turn): void {
  watch.turn?.(turn, input);
  for (const step of turn.steps) watch.step?.(step);
  for (const note of turn.notes) watch.note?.(note);
  for (const warning of turn.warnings) watch.warning?.(warning);
}

// Serial work over the inbox, as an operator: while one input is processed the others wait there, by rank.

/** Sends all inputs through one inbox: the next is taken when the work on the previous one completes. */
export function byRank<T>(work: (input: Input) => ObservableInput<T>): OperatorFunction<Input, T> {
  return (source) =>
    new Observable<T>((out) => {
      const inbox = new Inbox();
      const working = new Subscription();
      let isBusy = false;
      let isOver = false;
      const next = (): void => {
        while (!isBusy && !out.closed) {
          const input = inbox.take();
          if (input === undefined) {
            if (isOver) out.complete();
            return;
          }
          begin(input);
        }
      };
      const begin = (input: Input): void => {
        isBusy = true;
        const one = from(work(input)).subscribe({
          next: (value) => out.next(value),
          error: (error) => out.error(error),
          complete: () => {
            isBusy = false;
          },
        });
        // If the work has completed already, the loop continues; otherwise it resumes when the work ends.
        if (!isBusy) return;
        working.add(one);
        one.add(next);
      };
      working.add(
        source.subscribe({
          next(input) {
            inbox.put(input);
            next();
          },
          error: (error) => out.error(error),
          complete() {
            isOver = true;
            next();
          },
        }),
      );
      return working;
    });
}
