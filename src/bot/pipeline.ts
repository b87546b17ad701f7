// The flow of the running bot, in one place: what is read, fed and ordered becomes inputs, inputs become turns of the
// desk, turns are written, and only then is anything sent or asked. Files, signals and screens are not known here.

import {
  defer,
  filter,
  from,
  fromEvent,
  ignoreElements,
  interval,
  lastValueFrom,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  type SchedulerLike,
  Subject,
  startWith,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from "rxjs";
import type { Control, QuoteEvent } from "../domain/event.ts";
import { ok, type Result } from "../domain/result.ts";
import { thrownText } from "../domain/thrown-text.ts";
import type { Clock, Millis } from "../domain/time.ts";
import type { Exchange } from "../exchange/port.ts";
import type { Moment, MoneyRequest } from "../execution/request.ts";
import type { Journal, JournalError } from "../journal/journal.ts";
import { RESUME, type Standing, transition } from "../risk/standing.ts";
import type { Strategy } from "../strategy/prepare.ts";
import { createDesk } from "./desk/create-desk.ts";
import type { Core, Desk } from "./desk/desk.ts";
import type { Input } from "./desk/input.ts";
import type { Turn } from "./desk/turn.ts";
import type { SavedEngine } from "./engine/engine.ts";
import { createAgenda } from "./errand/agenda.ts";
import { createDispatch, type Dispatch } from "./errand/dispatch.ts";
import { createErrands } from "./errand/errands.ts";
import { Foreman } from "./errand/foreman.ts";
import { createPost } from "./errand/post.ts";
import { createReadWants } from "./errand/read-wants.ts";
import { createStartUp, type StartUp } from "./errand/start-up.ts";
import { EarlyQuotes } from "./inbox/early-quotes.ts";
import { inTurn } from "./inbox/in-turn.ts";
import { timeAhead } from "./inbox/time-ahead.ts";
import { type BotClock, createVenueClock } from "./inbox/venue-clock.ts";
import type { PipelineSettings } from "./pipeline-settings.ts";
import { type Clerk, createClerk } from "./record/clerk.ts";
import { type Checkpoints, restoreFrom } from "./record/restore.ts";
import { IDLE } from "./seat/idle.ts";
import type { Watcher } from "./watcher.ts";

export type PipelineParts = {
  readonly exchange: Exchange;
  readonly journal: Journal;
  /** Empty engine, executor and gate around a strategy: at the start, and again when memory is ahead of the disk. */
  readonly makeCore: (strategy: Strategy, saved?: SavedEngine) => Core;
  /** Where the start may begin; without them at the first record. */
  readonly checkpoints?: Checkpoints;
  readonly strategy: Strategy;
  /** Each takes the seat at the next safe point. */
  readonly strategies$: Observable<Strategy>;
  /** Prices from elsewhere; a source that fails must not error here. */
  readonly references$: Observable<QuoteEvent>;
  /** Subscribed to before anything else: what it says at once counts before the first decision. */
  readonly control$: Observable<Control>;
  /** The last statement before the socket: kill switch and files on disk. A reason refuses. */
  readonly lastCheck: () => string | undefined;
  /** The state after a turn that changed it, for the kill switch; false where the journal does not have it. */
  readonly latch: (standing: Standing, isJournaled?: boolean) => void;
  /** Whether the process that wrote under this name is no more. */
  readonly isGone: (writer: string) => boolean;
  readonly identity: { readonly codeVersion: string; readonly configDigest: string };
  readonly clock: Clock;
  /** How far it is ahead of the venue's by what others who use the key have heard. */
  readonly aheadMs?: number;
  readonly scheduler: SchedulerLike;
  readonly watch: Watcher;
  readonly settings: PipelineSettings;
};

export type Ending = {
  /** `failed`: the journal could not be read or written at the start. `refused`: the venue's history beside it did not let it start. */
  readonly kind: "stopped" | "failed" | "refused";
  readonly reason: string;
  /** Not known to have ended, or not confirmed yet. */
  readonly open: readonly MoneyRequest[];
  readonly standing: Standing | undefined;
  /** Sent, and given up at the deadline: doubts of the next start. */
  readonly abandoned: readonly string[];
};

/** Ends when it is told to, or when it may not start. Rejects only for a bug: the halt is on record by then. */
export async function runPipeline(parts: PipelineParts, stop: AbortSignal): Promise<Ending> {
  const { journal, scheduler, watch, settings } = parts;
  const bot = open(parts);
  if (!bot.ok) return failed(bot.error);
  const { clerk, startUp, now } = bot.value;
  const started = await journal.append([{ kind: "started", at: now().at, ...parts.identity }]);
  if (!started.ok) return failed(started.error);
  watch.phase?.({ kind: "reading" });
  try {
    await completion(turns(parts, bot.value, stop));
    if (startUp.refusal !== undefined) return ending(bot.value, "refused", startUp.refusal);
    await completion(clerk.commit({ kind: "save" }).pipe(takeUntil(timer(settings.stopMsMax, scheduler))));
    return ending(bot.value, "stopped", String(stop.reason));
  } catch (error) {
    await haltForBug(parts, clerk.desk, error, now());
    throw error;
  }
}

type Bot = {
  readonly clock: BotClock;
  readonly now: () => Moment;
  readonly startUp: StartUp;
  readonly clerk: Clerk;
  readonly dispatch: Dispatch;
};

function open(parts: PipelineParts): Result<Bot, JournalError> {
  const { exchange, journal, scheduler, watch, settings, latch } = parts;
  const clock = createVenueClock(parts.clock, parts.aheadMs);
  const now = (): Moment => ({ at: clock.now(), mono: clock.monotonic() });
  const startUp = createStartUp(parts.strategy, watch, settings.firstQuotesMsMax);
  watch.phase?.({ kind: "restoring" });
  const make = (saved?: SavedEngine): Desk => createDesk(parts.makeCore(IDLE, saved), settings);
  let { checkpoints } = parts;
  const restored = (): Result<Desk, JournalError> => {
    const desk = restoreFrom(make, journal, checkpoints);
    // Only at the start: where memory is not trusted any more, everything is read.
    checkpoints = undefined;
    if (!desk.ok) return desk;
    if (startUp.isOver) desk.value.seat(startUp.strategy);
    watch.desk?.(desk.value);
    return desk;
  };
  const onTrouble = (error: JournalError | undefined): void =>
    watch.phase?.(error === undefined ? startUp.phase : { kind: "unwritable", error });
  const { retryMs } = settings;
  const clerk = createClerk({ journal, restored, latch, now, scheduler, onTrouble, watch, retryMs });
  if (!clerk.ok) return clerk;
  const dispatch = createDispatch({
    exchange,
    journal,
    core: () => clerk.value.desk,
    now,
    catchUp: () => clerk.value.catchUp(parts.isGone),
    lastCheck: () => clerk.value.trouble() ?? parts.lastCheck(),
    heard: clock.heard,
  });
  return ok({ clock, now, startUp, clerk: clerk.value, dispatch });
}

/** Everything that happens, until the bot is told to stop and no order of it waits for its answer any more. */
function turns(parts: PipelineParts, { clock, now, startUp, clerk, dispatch }: Bot, stop: AbortSignal) {
  const { exchange, scheduler, watch, settings } = parts;
  const agenda = createAgenda(settings.agenda);
  const foreman = new Foreman(startUp, agenda);
  const post = createPost({ agenda, clock, now, onProblem: (code, message) => watch.problem?.(code, message) });
  const wants = createReadWants(
    agenda,
    () => clerk.desk.engine,
    () => parts.clock.now(),
  );
  const early = new EarlyQuotes(clock);
  const errands = createErrands({ exchange, dispatch, post, wants });
  const settled$ = new Subject<void>();
  let sending = 0;
  const tellWorth = worthTeller(watch, clerk);
  const tellAhead = aheadTeller(watch, clerk);

  const feeds$ = merge(
    parts.control$.pipe(
      map((control): Input => ({ kind: "event", event: { kind: "control", control, receivedAt: now().at } })),
    ),
    interval(settings.tickMs, scheduler).pipe(
      startWith(0),
      map((): Input => ({ kind: "time", isGone: parts.isGone, isUnsure: !clock.isHeard })),
    ),
    parts.strategies$.pipe(
      filter((strategy) => startUp.replace(strategy)),
      map((strategy): Input => ({ kind: "strategy", strategy })),
    ),
    parts.references$.pipe(mergeMap((quote) => early.take(quote).map(post.quote))),
  );

  const act = ({ input, turn }: Done): readonly Observable<Input>[] => {
    tell(watch, input, turn);
    tellWorth();
    if (input.kind === "time") tellAhead(now().at);
    sending += turn.sends.length - (input.kind === "outcome" ? 1 : 0);
    settled$.next();
    const { sends, asks, reads, inputs } = foreman.after(input, turn, clerk.desk, now(), stop.aborted);
    const waited = early.released().map(post.quote);
    return [
      ...sends.map(errands.send),
      ...asks.map(errands.ask),
      ...reads.map(errands.read),
      from([...inputs, ...waited]),
    ];
  };

  const stop$: Observable<unknown> = stop.aborted ? of(undefined) : fromEvent(stop, "abort");
  const over$ = stop$.pipe(
    tap(() => {
      watch.phase?.({ kind: "stopping" });
      dispatch.close("the bot is stopping");
    }),
    mergeMap(() => merge(settled$.pipe(startWith(undefined)), timer(settings.stopMsMax, scheduler))),
    filter((deadline) => sending === 0 || deadline !== undefined),
  );
  return flow(feeds$.pipe(takeUntil(stop$)), clerk.commit, act).pipe(
    takeWhile(() => startUp.refusal === undefined),
    takeUntil(over$),
  );
}

/** Told once, and again when it is another one. */
function worthTeller(watch: Watcher, clerk: Pick<Clerk, "desk">): () => void {
  let told: string | undefined;
  return () => {
    const problem = clerk.desk.engine.worthProblem;
    if (problem === undefined || problem === told) return;
    told = problem;
    watch.problem?.("worth", `${problem}; quotes are served as their class is`);
  };
}

/** Told when it begins. */
function aheadTeller(watch: Watcher, clerk: Pick<Clerk, "desk">): (at: Millis) => void {
  let isAhead = false;
  return (at) => {
    const ahead = timeAhead(clerk.desk.engine.now, at);
    if (ahead !== undefined && !isAhead) watch.warning?.(ahead);
    isAhead = ahead !== undefined;
  };
}

/** A turn that is on disk, and what it was made of. */
export type Done = { readonly input: Input; readonly turn: Turn };

/**
 * The loop: an input is committed, what follows from the turn is set going, and whatever comes back is an input again.
 * Replies are listened to first, because a feed may speak as soon as it is subscribed to.
 */
export function flow(
  feeds$: Observable<Input>,
  commit: (input: Input) => Observable<Turn>,
  act: (done: Done) => readonly Observable<Input>[],
): Observable<Done> {
  return defer(() => {
    const replies$ = new Subject<Input>();
    return merge(replies$, feeds$).pipe(
      inTurn((input) => commit(input).pipe(map((turn): Done => ({ input, turn })))),
      mergeMap((done) => {
        const work$ = merge(...act(done)).pipe(tap((input) => replies$.next(input)));
        return merge(of(done), work$.pipe(ignoreElements()));
      }),
    );
  });
}

function tell(watch: Watcher, input: Input, turn: Turn): void {
  watch.turn?.(turn, input);
  for (const step of turn.steps) watch.step?.(step);
  for (const note of turn.notes) watch.note?.(note);
  for (const warning of turn.warnings) watch.warning?.(warning);
}

async function completion(work$: Observable<unknown>): Promise<void> {
  await lastValueFrom(work$, { defaultValue: undefined });
}

function ending({ clerk, dispatch }: Bot, kind: Ending["kind"], reason: string): Ending {
  const { engine, executor } = clerk.desk;
  const { standing } = engine.context.books;
  return { kind, reason, open: [...executor.open()], standing, abandoned: [...dispatch.inFlight] };
}

function failed({ message }: JournalError): Ending {
  return { kind: "failed", reason: message, open: [], standing: undefined, abandoned: [] };
}

/** The next start recovers into HALTED. */
async function haltForBug(
  { journal, latch }: PipelineParts,
  { engine }: Desk,
  error: unknown,
  { at }: Moment,
): Promise<void> {
  const reason = `stopped by a bug: ${thrownText(error)}`;
  const control: Control = { kind: "halt", cause: "bug", reason, wayOut: RESUME };
  const written = await journal.append([{ kind: "control", at, control }]);
  latch(transition(engine.context.books.standing, control, at), written.ok);
}
