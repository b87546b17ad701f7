// Everything that a running bot needs, opened in the order in which one thing needs the other, down to the parts of its
// pipeline. Whatever is opened is closed by `closing`, also where a later one fails.

import { Subject } from "rxjs";
import type { PipelineParts } from "../../bot/pipeline.ts";
import type { Config } from "../../config/schema.ts";
import type { Control } from "../../domain/event.ts";
import type { Clock } from "../../domain/time.ts";
import type { SpentSlot } from "../../exchange/budget/watched-budget.ts";
import { FRESH, type Standing } from "../../risk/standing.ts";
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
import { sleeper, worldsApart } from "../config/oddities.ts";
import { openToOthers } from "../config/open-to-others.ts";
import { treasuryTermsOf } from "../config/treasury-terms.ts";
import { exitCode } from "../exit-code.ts";
import { answers } from "../journal/approval.ts";
import { botTime } from "../journal/bot-time.ts";
import { newInstance } from "../key/join-budget.ts";
import { type KillSwitch, startKillSwitch } from "../kill-switch/kill-switch.ts";
import { resumption } from "../kill-switch/take-back.ts";
import type { Shell } from "../shell.ts";
import { watchEventLoop } from "../system/event-loop.ts";
import { every } from "../system/every.ts";
import { leave } from "../system/leave.ts";
import { systemTimers } from "../system/system-timers.ts";
import { personHere } from "../terminal/confirmation.ts";
import { versionText } from "../version.ts";
import { metricsOf, scraper } from "./bot-metrics.ts";
import type { BotOrder } from "./bot-order.ts";
import { haltOnBug } from "./bug-halt.ts";
import type { Closing } from "./closing.ts";
import { ControlLine } from "./control-line.ts";
import type { LimitsInForce } from "./limits.ts";
import { type Conditions, requireLiveConditions } from "./live-conditions.ts";
import { loadStrategy } from "./load-strategy.ts";
import { type Books, openBooks } from "./open-books.ts";
import { type NoticeSecrets, openNotices, readNoticeSecrets, type Told } from "./open-notices.ts";
import { type OpenedVenue, type OpenVenue, openVenue } from "./open-venue.ts";
import { pipelineParts } from "./pipeline-parts.ts";
import { serveBot } from "./serve-bot.ts";
import { type BotView, openView } from "./shown/view.ts";
import { waitingPlans } from "./shown/waiting-plans.ts";
import { watchFeeds } from "./watch/feed-watch.ts";
import { killFileWatch, ledgerWatch, PLACE_LOOK_MS } from "./watch/place-watch.ts";

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
  const known = (): Standing => view.board.desk?.engine.context.books.standing ?? FRESH;
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
      board.desk === undefined ? [] : holdingsAfter(contentOf(plan).steps, holdingsFor(plan, board.desk, terms, now())),
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
  const titleOf = (id: string): string | undefined => view.board.desk && titleIn(view.board.desk.executor, id);
  const isWish = (id: string): boolean => view.board.desk?.rebalancer?.isWish(id) ?? false;
  const notices = openNotices(config, secrets, { ...told, titleOf, isWish, say, aside: view.aside }, closing);
  if (notices !== undefined) view.tell(notices);
  return notices;
}
