// The composition root of `start` and `run`: configuration in, exit code out. It opens what the bot needs, hands it to
// the pipeline, which is the only wiring there is, shows what happens, and closes everything in order, however it ends.

import { hash } from "node:crypto";
import { NEVER, ReplaySubject, Subject, tap } from "rxjs";
import { type AgendaSettings, agendaDefaults } from "../../bot/agenda.ts";
import { type PipelineParts, runPipeline } from "../../bot/pipeline.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import { potsFor } from "../../bot/treasury-sight.ts";
import type { Config } from "../../config/schema.ts";
import { isStrategyFile } from "../../config/section/strategy.ts";
import type { Control } from "../../domain/event.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { SpentSlot } from "../../exchange/budget/watched-budget.ts";
import type { Notices } from "../../notice/notices.ts";
import { FRESH, type Standing } from "../../risk/standing.ts";
import { keepGuestsIn } from "../../strategy/guest.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { contentOf } from "../../treasury/approval/plan-content.ts";
import { potsAfter } from "../../treasury/approval/plan-need.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { sleeper, worldsApart } from "../config/oddities.ts";
import { openToOthers } from "../config/open-to-others.ts";
import { treasuryTermsOf } from "../config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { answers } from "../journal/approval.ts";
import { botTime } from "../journal/bot-time.ts";
import { resumption } from "../journal/take-back.ts";
import { newInstance } from "../key/join-budget.ts";
import { type Guard, startGuard } from "../latch/guard.ts";
import { hearKillSignal } from "../latch/kill-signal.ts";
import type { Shell } from "../shell.ts";
import { watchEventLoop } from "../system/event-loop.ts";
import { every } from "../system/every.ts";
import { systemTimers } from "../system/system-timers.ts";
import { timerScheduler } from "../system/timer-scheduler.ts";
import { personHere } from "../terminal/confirmation.ts";
import { versionText } from "../version.ts";
import { metricsOf, scraper } from "./bot-metrics.ts";
import type { BotOrder } from "./bot-order.ts";
import { haltOnBug } from "./bug-halt.ts";
import { checkpointsOf } from "./checkpoints.ts";
import { type Closing, createClosing } from "./closing.ts";
import { coreOf, limitsOf } from "./core-of.ts";
import { endingReport } from "./ending-report.ts";
import { VENUE } from "./feed-list.ts";
import { watchFeeds } from "./feed-watch.ts";
import { environmentName } from "./identity.ts";
import { requireLiveConditions } from "./live-conditions.ts";
import { loadStrategy } from "./load-strategy.ts";
import { type Books, openBooks } from "./open-books.ts";
import { type NoticeSecrets, openNotices, readNoticeSecrets, type Told } from "./open-notices.ts";
import { recordOpener } from "./open-record.ts";
import { type OpenedVenue, type OpenVenue, openVenue } from "./open-venue.ts";
import { latchWatch, ledgerWatch, PLACE_LOOK_MS } from "./place-watch.ts";
import { reachProblem, watchReach } from "./reach.ts";
import { referencesOf } from "./references.ts";
import { serveBot } from "./serve-bot.ts";
import { withSteward } from "./steward-of.ts";
import { titleIn } from "./submission-list.ts";
import { timedJournal } from "./timed-journal.ts";
import { type BotView, openView } from "./view.ts";
import { waitingPlans } from "./waiting-plans.ts";
import { watchStrategy } from "./watch-strategy.ts";

export async function runBot(shell: Shell, order: BotOrder): Promise<ExitCode> {
  // Both before anything else: neither signal may find this process without a listener.
  const stopSignal = shell.stopSignal();
  const killSignal = hearKillSignal();
  const closing = createClosing();
  closing.add(() => killSignal.close());
  closing.add(keepGuestsIn());
  try {
    const opened = await open(shell, order, closing);
    const stop = stopOf(order, stopSignal, opened, closing);
    killSignal.arm(opened.guard.kill);
    const ending = await runPipeline(opened.parts, stop.signal);
    opened.view.close();
    const { guard } = opened;
    return endingReport(shell, ending, { failure: stop.failure, journal: order.config.journal.path, guard });
  } finally {
    const failures = await closing.all();
    for (const failure of failures) shell.terminal.note(`while closing: ${String(failure)}`);
  }
}

type Opened = {
  readonly parts: PipelineParts;
  readonly venue: OpenedVenue;
  readonly guard: Guard;
  readonly view: BotView;
};

async function open(shell: Shell, order: BotOrder, closing: Closing): Promise<Opened> {
  const { config } = order;
  const strategy = orFail(await loadStrategy(config.strategy));
  const limits = limitsOf(config);
  const instance = newInstance();
  const codeVersion = versionText();
  const { clock } = shell;
  const metrics = metricsOf(config, codeVersion);
  const slots$ = new Subject<SpentSlot>();
  const noticeSecrets = readNoticeSecrets(config);
  const told: Pick<OpenVenue, "onSlot" | "onCalled"> = {
    onSlot(spent) {
      metrics.requests.slot(spent);
      slots$.next(spent);
    },
    onCalled: (path, verdict) => metrics.requests.called(path, verdict, clock.monotonic()),
  };
  const venue = await openVenue(shell, { config, instance, tuning: order.tuning ?? {}, ...told }, closing);
  const books = await openBooks(shell, { config, instance, codeVersion }, venue, closing);
  const onTime = { ...shell, clock: botTime(clock, venue.budget.ledger) };
  haltOnBug(books, { machine: clock, bot: onTime.clock }, closing, (text) => shell.terminal.note(text));
  if (config.mode === "live") await requireLiveConditions(shell, config, venue);
  order.onOpen?.();
  const view = openView(shell, order, { books, venue, limits, codeVersion, metrics }, closing);
  const control$ = new ReplaySubject<Control>(16);
  const known = (): Standing => view.board.desk?.engine.context.books.standing ?? FRESH;
  const tell = (control: Control): void => control$.next(control);
  const guard = startGuard({
    latch: books.latch,
    spare: books.spare,
    now: () => clock.now(),
    timers: systemTimers,
    known,
    tell,
    trouble: (message) => view.say("error", "latch", message),
  });
  closing.add(() => guard.close());
  closing.add(every(PLACE_LOOK_MS, ledgerWatch(venue.budget.ledger, known, tell)));
  closing.add(every(PLACE_LOOK_MS, latchWatch(books.latch, known, tell)));
  view.board.guardedBy(guard.standing);
  closing.add(watchFeeds(config, view));
  for (const warning of worldsApart(config)) view.say("warn", "market", warning);
  for (const warning of sleeper(config, strategy)) view.say("warn", "strategy", warning);
  closing.add(watchReach(venue.exchange, systemTimers, (problem) => tellReach(view, problem)));
  const loop = watchEventLoop();
  closing.add(() => loop.close());
  const scrape = scraper({ metrics, board: view.board, clock, loop });
  const { journal } = books;
  const served = {
    guard,
    view,
    codeVersion,
    metrics: scrape,
    slots$,
    journal,
    heartbeat: (by: string) => tell({ kind: "heartbeat", by }),
    showPage: (url: string) => venue.budget.ledger.showPage(url),
    ...counterOf(onTime, config, journal, view),
  };
  const pageWarning = await serveBot(order, served, closing);
  const notices = tellPeople(
    order,
    noticeSecrets,
    { clock, meter: metrics.notices, snapshot: view.board.snapshot, halt: guard.kill },
    view,
    closing,
  );
  for (const warning of [venue.warning, pageWarning, ...openToOthers(config, shell.configFile)]) {
    if (warning === undefined) continue;
    view.say("warn", "machine", warning);
    notices?.warn(warning);
  }
  view.show();
  const parts = pipelineParts(shell, order, { venue, books, view, guard, strategy, instance, metrics });
  return {
    parts: { ...parts, control$, identity: { codeVersion, configDigest: digestOf(config) } },
    venue,
    guard,
    view,
  };
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
      board.desk === undefined ? [] : potsAfter(contentOf(plan).steps, potsFor(plan, board.desk, terms, now())),
    ),
  };
}

type Assembly = {
  readonly venue: OpenedVenue;
  readonly books: Books;
  readonly view: BotView;
  readonly guard: Guard;
  readonly strategy: Strategy;
  readonly instance: string;
  readonly metrics: Metrics;
};

function pipelineParts(
  shell: Shell,
  order: BotOrder,
  assembly: Assembly,
): Omit<PipelineParts, "control$" | "identity"> {
  const { config, watch } = order;
  const { venue, books, view, guard, strategy, instance, metrics } = assembly;
  const { ledger } = venue.budget;
  return {
    exchange: venue.exchange,
    journal: timedJournal(books.journal, shell.clock, metrics.journal),
    checkpoints: checkpointsOf({ ...books, config }, (text) => view.say("info", "checkpoint", text)),
    makeCore: withSteward(config, instance, coreOf(config, instance)),
    strategy,
    strategies$: watch ? strategiesOf(config, view) : NEVER,
    references$: referencesOf(config, {
      clock: shell.clock,
      ...venue,
      openRecord: recordOpener(shell),
      onTrouble: troubleOf(view),
    }).pipe(tap(view.board.spoke)),
    lastCheck: () => guard.check() ?? reachProblem(venue.exchange),
    latch: guard.follow,
    isGone: (writer) => ledger.isGone(writer),
    clock: shell.clock,
    aheadMs: ledger.urgently(() => ledger.aheadMs()),
    scheduler: timerScheduler(shell.clock, systemTimers),
    watch: view.watcher,
    settings: { ...pipelineDefaults, agenda: agendaOf(config) },
  };
}

function tellPeople(
  { config }: BotOrder,
  secrets: NoticeSecrets,
  told: Omit<Told, "say" | "aside" | "titleOf">,
  view: BotView,
  closing: Closing,
): Notices | undefined {
  const say = (text: string): void => view.say("warn", "notice", text);
  const titleOf = (id: string): string | undefined => view.board.desk && titleIn(view.board.desk.executor, id);
  const notices = openNotices(config, secrets, { ...told, titleOf, say, aside: view.aside }, closing);
  if (notices !== undefined) view.tell(notices);
  return notices;
}

function tellReach(view: BotView, problem: string | undefined): void {
  view.board.trouble(VENUE, problem);
  view.say(problem === undefined ? "info" : "warn", "reach", problem ?? "the venue answers again");
}

function troubleOf(view: BotView): (name: string, reason: string | undefined) => void {
  return (name, reason) => {
    view.board.trouble(name, reason);
    view.say(reason === undefined ? "info" : "warn", "reference", `reference ${name}: ${reason ?? "answers again"}`);
  };
}

function strategiesOf({ strategy }: Config, view: BotView): ReturnType<typeof watchStrategy> {
  const say = (text: string): void => view.say("warn", "strategy.kept", text);
  return watchStrategy(strategy.use, { load: () => loadStrategy(strategy), timers: systemTimers, say });
}

type Stop = { readonly signal: AbortSignal; readonly failure: () => string | undefined };

/** A person, the end of the time that was given, or the death of the embedded venue. */
function stopOf({ durationMs }: BotOrder, person: AbortSignal, { venue, view }: Opened, closing: Closing): Stop {
  const over = new AbortController();
  let failure: string | undefined;
  let closed = false;
  closing.add(() => {
    closed = true;
  });
  if (durationMs !== undefined) closing.add(systemTimers.after(durationMs, () => over.abort("the time is over")));
  void venue.simulator?.died.then((reason) => {
    if (closed) return;
    failure = `the embedded simulator ended: ${reason}`;
    view.say("error", "simulator", failure);
    over.abort(failure);
  });
  return { signal: AbortSignal.any([person, over.signal]), failure: () => failure };
}

/** Once a day the venue's whitelist is compared with the one that was acknowledged, where a wallet of ours depends on it. */
function agendaOf({ treasury }: Config): AgendaSettings {
  const hasWallets = Object.values(treasury.destinations).some(({ kind }) => kind === "wallet");
  return hasWallets ? { ...agendaDefaults, addressesMs: DAY_MS } : agendaDefaults;
}

/** Which configuration wrote a record; no secret is in it. */
function digestOf(config: Config): string {
  return hash("sha256", JSON.stringify({ ...config, environmentName: environmentName(config) }));
}

/** `--watch` is for files, and never for real money: a save would change what trades without anybody's second look. */
export function requireWatchable({ mode, strategy }: Config): void {
  if (mode === "live")
    throw new CommandFailure(
      exitCode.usage,
      "--watch is for paper mode: live mode takes no strategy while it runs",
      "restart it",
    );
  if (!isStrategyFile(strategy.use))
    throw new CommandFailure(exitCode.usage, `--watch needs a strategy file, strategy.use was ${strategy.use}`);
}
