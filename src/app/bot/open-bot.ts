// Everything that a running bot needs, opened in the order in which one thing needs the other, down to the parts of its
// pipeline. Whatever is opened is closed by `closing`, also where a later one fails.

import { dirname } from "node:path";
import { type Observable, ReplaySubject, Subject } from "rxjs";
import type { PipelineParts } from "../../bot/pipeline.ts";
import { MEND } from "../../bot/strategy-host/strategy-state.ts";
import type { Config } from "../../config/schema.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { Control } from "../../domain/event.ts";
import type { Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import type { KeyLedger } from "../../exchange/budget/ledger.ts";
import type { SpentSlot } from "../../exchange/budget/watched-budget.ts";
import type { Journal } from "../../journal/journal.ts";
import { FRESH, RESUME, STOPS_MAX, type TradingState, transition } from "../../risk/trading-state.ts";
import { strayError } from "../../strategy/guest.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { contentOf } from "../../treasury/approval/plan-content.ts";
import { holdingsAfter } from "../../treasury/approval/plan-need.ts";
import { holdingsFor } from "../../treasury/rebalancer/treasury-view.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import type { Notices } from "../../watch/notices/notices.ts";
import { pauseOf, watchReach } from "../../watch/status/connectivity.ts";
import { VENUE } from "../../watch/status/feed-list.ts";
import { titleIn } from "../../watch/status/submission-list.ts";
import { orFail } from "../command-failure.ts";
import { type Books, type OpenedVenue, type OpenVenue, openBooks, openVenue } from "../compose.ts";
import { sleeper, worldsApart } from "../config/oddities.ts";
import { openToOthers } from "../config/open-to-others.ts";
import { treasuryTermsOf } from "../config/treasury-terms.ts";
import { exitCode } from "../exit-code.ts";
import { answers } from "../journal/approval.ts";
import { botTime } from "../journal/bot-time.ts";
import { newInstance } from "../key/join-budget.ts";
import { BOT, type KillFile } from "../kill-switch/kill-file.ts";
import { type KillSwitch, startKillSwitch } from "../kill-switch/kill-switch.ts";
import { resumption } from "../kill-switch/take-back.ts";
import type { Shell } from "../shell.ts";
import { watchEventLoop } from "../system/event-loop.ts";
import { leave } from "../system/leave.ts";
import { every, systemTimers } from "../system/system-timers.ts";
import { personHere } from "../terminal/confirmation.ts";
import { versionText } from "../version.ts";
import type { BotOrder } from "./bot-order.ts";
import type { Closing } from "./closing.ts";
import { watchFeeds } from "./feed-watch.ts";
import type { LimitsInForce } from "./limits.ts";
import { type Conditions, requireLiveConditions } from "./live-conditions.ts";
import { loadStrategy } from "./load-strategy.ts";
import { type NoticeSecrets, openNotices, readNoticeSecrets, type Told } from "./open-notices.ts";
import { pipelineParts } from "./pipeline-parts.ts";
import { metricsOf, scraper, serveBot, waitingPlans } from "./serve-bot.ts";
import { type BotView, openView } from "./view.ts";

export type OpenedBot = {
  readonly parts: PipelineParts;
  readonly venue: OpenedVenue;
  readonly killSwitch: KillSwitch;
  readonly view: BotView;
  readonly conditions: Conditions;
};

export async function openBot(
  shell: Shell,
  order: BotOrder,
  inForce: LimitsInForce,
  closing: Closing,
): Promise<OpenedBot> {
  const { config } = order;
  const { clock } = shell;
  const strategy = orFail(await loadStrategy(config.strategy));
  const { limits } = inForce;
  const instance = newInstance();
  const codeVersion = versionText();
  const metrics = metricsOf(config, codeVersion);
  const slots$ = new Subject<SpentSlot>();
  const noticeSecrets = readNoticeSecrets(config);
  const told = toldOf(metrics, slots$, clock);
  const venue = await openVenue(shell, { config, instance, tuning: order.tuning ?? {}, ...told }, closing);
  const books = await openBooks(shell, { config, instance, codeVersion }, venue, closing);
  const onTime = { ...shell, clock: botTime(clock, venue.budget.ledger) };
  haltOnBug(books, onTime.clock, closing, (text) => {
    shell.terminal.note(text);
    leave(exitCode.halted);
  });
  const conditions = config.mode === "live" ? await requireLiveConditions(shell, config, venue) : "met";
  order.onOpen?.();
  const view = openView(shell, order, { books, venue, limits, codeVersion, metrics }, closing);
  const { control$, tell, heartbeat } = new ControlLine();
  const stage: Stage = { clock, venue, books, view, tell };
  const killSwitch = killSwitchOf(stage, closing);
  lookAround(order, strategy, stage, closing);
  closing.add(inForce.open({ ...view, tell, ledger: venue.budget.ledger }));
  const pageWarning = await serve(
    onTime,
    order,
    { ...stage, killSwitch, metrics, slots$, codeVersion, heartbeat },
    closing,
  );
  const people = { clock, meter: metrics.notices, snapshot: view.board.snapshot, halt: killSwitch.kill };
  const notices = tellPeople(order, noticeSecrets, people, view, closing);
  for (const warning of [pageWarning, ...openToOthers(config, shell.configFile)]) {
    if (warning === undefined) continue;
    view.say("warn", "machine", warning);
    notices?.warn(warning);
  }
  view.show();
  const assembly = {
    shell,
    order,
    inForce,
    venue,
    books,
    view,
    killSwitch,
    strategy,
    instance,
    codeVersion,
    metrics,
    control$,
  };
  return { parts: pipelineParts(assembly), venue, killSwitch, view, conditions };
}

/** What is there before anybody watches over it. `tell`: an order of people or of a guard, for the pipeline. */
type Stage = {
  readonly clock: Clock;
  readonly venue: OpenedVenue;
  readonly books: Books;
  readonly view: BotView;
  readonly tell: (control: Control) => void;
};

function toldOf(
  { requests }: Metrics,
  slots$: Subject<SpentSlot>,
  clock: Clock,
): Pick<OpenVenue, "onSlot" | "onCalled"> {
  return {
    onSlot(spent) {
      requests.slot(spent);
      slots$.next(spent);
    },
    onCalled: (path, verdict) => requests.called(path, verdict, clock.monotonic()),
  };
}

/** The switch, and a look now and then at whether stops can still be kept. */
function killSwitchOf({ clock, venue, books, view, tell }: Stage, closing: Closing): KillSwitch {
  const known = (): TradingState => view.board.tradingCore?.engine.context.books.standing ?? FRESH;
  const killSwitch = startKillSwitch({
    file: books.killFile,
    now: () => clock.now(),
    timers: systemTimers,
    known,
    tell,
    trouble: (message) => view.say("error", "kill switch", message),
  });
  closing.add(() => killSwitch.close());
  closing.add(every(PLACE_LOOK_MS, ledgerWatch(venue.budget.ledger, known, tell)));
  closing.add(every(PLACE_LOOK_MS, killFileWatch(books.killFile, known, tell)));
  view.board.guardedBy(killSwitch.standing);
  return killSwitch;
}

/** What people are told of feeds, of the venue, and of a configuration that does not mean what it says. */
function lookAround(order: BotOrder, strategy: Strategy, { venue, view }: Stage, closing: Closing): void {
  const { config } = order;
  closing.add(watchFeeds(config, view));
  for (const warning of worldsApart(config)) view.say("warn", "market", warning);
  for (const warning of sleeper(config, strategy)) view.say("warn", "strategy", warning);
  const { board } = view;
  const paused = (): string | undefined => pauseOf(board.phase.kind === "unwritable", board.budget()?.doubtsOnly);
  closing.add(watchReach(venue.exchange, systemTimers, (problem) => tellReach(view, problem), paused));
}

function tellReach(view: BotView, problem: string | undefined): void {
  view.board.trouble(VENUE, problem);
  view.say(problem === undefined ? "info" : "warn", "reach", problem ?? "the venue answers again");
}

type ServedStage = Stage & {
  readonly killSwitch: KillSwitch;
  readonly metrics: Metrics;
  readonly slots$: Subject<SpentSlot>;
  readonly codeVersion: string;
  readonly heartbeat: ControlLine["heartbeat"];
};

/** `shell`: with the bot's time. Gives what a person should know before trusting the page. */
function serve(shell: Shell, order: BotOrder, stage: ServedStage, closing: Closing): Promise<string | undefined> {
  const { clock, venue, books, view, killSwitch, metrics, slots$, codeVersion, heartbeat } = stage;
  const { journal } = books;
  const loop = watchEventLoop();
  closing.add(() => loop.close());
  const served = {
    killSwitch,
    view,
    codeVersion,
    metrics: scraper({ metrics, board: view.board, clock, loop }),
    slots$,
    journal,
    heartbeat,
    showPage: (url: string) => venue.budget.ledger.showPage(url),
    ...counterOf(shell, order.config, journal, view),
  };
  return serveBot(order, served, closing);
}

/** What people may do to a running bot beside stopping it. `shell`: with the bot's time. */
function counterOf(shell: Shell, config: Config, journal: Books["journal"], { board }: BotView) {
  const { path } = config.journal;
  const { server, treasury } = config;
  const terms = treasuryTermsOf(config);
  const now = () => shell.clock.now();
  const people = treasury.approvals.people.map(({ name, publicKey }) => ({ name, publicKey }));
  return {
    resume: resumption(shell, path, journal),
    ...answers(shell, { path, people, owner: server.exposed ? undefined : personHere() }),
    plans: waitingPlans(journal, now, (plan) =>
      board.tradingCore === undefined
        ? []
        : holdingsAfter(contentOf(plan).steps, holdingsFor(plan, board.tradingCore, terms, now())),
    ),
  };
}

function tellPeople(
  { config }: BotOrder,
  secrets: NoticeSecrets,
  told: Omit<Told, "say" | "aside" | "titleOf" | "isWish">,
  view: BotView,
  closing: Closing,
): Notices | undefined {
  const say = (text: string): void => view.say("warn", "notice", text);
  const titleOf = (id: string): string | undefined =>
    view.board.tradingCore && titleIn(view.board.tradingCore.executor, id);
  const isWish = (id: string): boolean => view.board.tradingCore?.rebalancer?.isWish(id) ?? false;
  const notices = openNotices(config, secrets, { ...told, titleOf, isWish, say, aside: view.aside }, closing);
  if (notices !== undefined) view.tell(notices);
  return notices;
}

// A bug outside the pipeline's own care, or an error in a timer of the strategy's own, ends the process; before it does, the halt is on disk, so that the next start
// recovers into HALTED instead of trading on. Whatever fails here must not hide the bug itself.

type Kept = { readonly killFile: Pick<KillFile, "write">; readonly journal: Pick<Journal, "announce"> };

/** Runs before the handler that ends the process. `leave` ends it where neither could be written: 5 is what no supervisor restarts. */
export function haltOnBug(
  { killFile, journal }: Kept,
  bot: Pick<Clock, "now">,
  closing: Closing,
  leave: (reason: string) => void,
): void {
  const halt = (error: unknown): void => {
    const stray = strayError(error);
    const reason = stray ?? `stopped by a bug: ${errorMessage(error)}`;
    const cause = stray === undefined ? "bug" : "strategy";
    const wayOut = stray === undefined ? RESUME : MEND;
    const control: Control = { kind: "halt", cause, reason, wayOut };
    // The bug may have left a transaction open: then the file has it.
    const journaled = tried(() => problemOf(journal.announce([{ kind: "control", at: bot.now(), control }])));
    const kept = journaled && tried(() => problemOf(killFile.write(reason, BOT)));
    if (kept !== undefined) leave(`${reason}; this halt is in neither journal nor kill file (${journaled}; ${kept})`);
  };
  process.prependListener("uncaughtException", halt);
  closing.add(() => void process.off("uncaughtException", halt));
}

function tried(keep: () => string | undefined): string | undefined {
  try {
    return keep();
  } catch (error) {
    return errorMessage(error);
  }
}

function problemOf(kept: Result<unknown, string | { readonly message: string }>): string | undefined {
  if (kept.ok) return undefined;
  return typeof kept.error === "string" ? kept.error : kept.error.message;
}

// What people and the bot's own guards order, on its way to the pipeline, which may not be there yet: a live start waits for the
// venue. Stops wait with it, heartbeats do not.

const NOT_YET =
  "the bot does not trade yet, and a heartbeat counts from when it is said: pegbot heartbeat writes it down, or say it again later";

export class ControlLine {
  /** Room for as many as can stand, of people and of the bot's own. */
  readonly #controls = new ReplaySubject<Control>(2 * STOPS_MAX);

  get control$(): Observable<Control> {
    return this.#controls;
  }

  readonly tell = (control: Control): void => this.#controls.next(control);

  /** Why it is not heard. One that waited would count from the venue's answer on, and many would leave no room for a stop. */
  readonly heartbeat = (by: string): string | undefined => {
    if (!this.#controls.observed) return NOT_YET;
    this.tell({ kind: "heartbeat", by });
    return undefined;
  };
}

// What a running bot needs on disk beside its journal: the ledger of its key, without which it can ask and send nothing and whoever
// makes a new one shares no slot with it; and a place where a stop can be written, without which nobody's stop would outlast the
// process. Where either fails it halts, and a person has to mend it.

const PLACE_LOOK_MS = 1_000;

/** To be called now and then. */
type Look = () => void;
/** The state as the engine has it. */
type Known = () => TradingState;
type Tell = (control: Control) => void;

export function ledgerWatch(ledger: Pick<KeyLedger, "path" | "isInPlace">, known: Known, tell: Tell): Look {
  const reason = `the ledger of the key is gone: ${dirname(ledger.path)} was moved or deleted while in use, so that nothing can be asked or sent`;
  const wayOut = `end the bot, put the folder back in place of what stands there now, start it again, then ${RESUME}`;
  const halt: Control = { kind: "halt", cause: "journal", subject: "ledger", reason, wayOut };
  return haltWhile(() => (ledger.isInPlace() ? undefined : halt), known, tell);
}

/**
 * One try that fails may be a moment's (no room, no free handle), and only a person leads out of a halt. So it takes two in a row:
 * a stop that comes in between closes the bot's own door all the same, and goes to the journal.
 */
export function killFileWatch(file: Pick<KillFile, "problem">, known: Known, tell: Tell): Look {
  let failures = 0;
  const find = (): Control | undefined => {
    const problem = file.problem();
    failures = problem === undefined ? 0 : failures + 1;
    if (problem === undefined || failures < 2) return undefined;
    const wayOut = `make room there, or let this user write there again; then ${RESUME}`;
    const reason = `no stop could be kept: ${problem}`;
    return { kind: "halt", cause: "journal", subject: "kill file", reason, wayOut };
  };
  return haltWhile(find, known, tell);
}

/** Told once; a resume while it is still so is halted again, also one that comes before the next look. */
function haltWhile(find: () => Control | undefined, known: Known, tell: Tell): Look {
  /** As the engine stood when it was told: as long as it stands so, it has not heard of it. */
  let toldTo: TradingState | undefined;
  return () => {
    const standing = known();
    if (standing === toldTo) return;
    toldTo = undefined;
    const halt = find();
    if (halt === undefined || transition(standing, halt, standing.since) === standing) return;
    toldTo = standing;
    tell(halt);
  };
}
