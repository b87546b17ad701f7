// The composition root of `start` and `run`: configuration in, exit code out. It opens what the bot needs, hands it to the pipeline, which
// is the only wiring there is, shows what happens, and closes everything in order, however it ends.

import { hash } from "node:crypto";
import { merge, NEVER, ReplaySubject } from "rxjs";
import { createCore, ratePairs } from "../../bot/core.ts";
import { type PipelineParts, pipelineDefaults, runPipeline } from "../../bot/pipeline.ts";
import type { Config } from "../../config/schema.ts";
import { isStrategyFile } from "../../config/section/strategy.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import type { Control } from "../../domain/event.ts";
import { createClientOrderIds } from "../../execution/client-order-id.ts";
import { DEFAULT_SETTINGS } from "../../execution/terms.ts";
import { readLoopbackJson } from "../../market/loopback-json.ts";
import { referenceFeed } from "../../market/reference-feed.ts";
import type { Limits } from "../../risk/limits.ts";
import { paperLimits } from "../../risk/paper-limits.ts";
import { FRESH } from "../../risk/standing.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Guard, startGuard } from "../latch/guard.ts";
import { hearKillSignal } from "../latch/kill-signal.ts";
import { newInstance } from "../open-exchange.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system-timers.ts";
import { timerScheduler } from "../timer-scheduler.ts";
import { versionText } from "../version.ts";
import type { BotOrder } from "./bot-order.ts";
import { type Closing, createClosing } from "./closing.ts";
import { endingReport } from "./ending-report.ts";
import { environmentName, idEnvironment } from "./identity.ts";
import { requireLiveConditions } from "./live-conditions.ts";
import { loadStrategy } from "./load-strategy.ts";
import { type Books, openBooks } from "./open-books.ts";
import { type OpenedVenue, openVenue } from "./open-venue.ts";
import { serveBot } from "./serve-bot.ts";
import { type BotView, openView } from "./view.ts";
import { watchStrategy } from "./watch-strategy.ts";

/** Where par is a source on paper: the two coins of the simulator against their own fiat. */
const PAPER_PAR: Readonly<Record<string, number>> = { "VCHF/CHF": 50, "VGBP/GBP": 50 };

export async function runBot(shell: Shell, order: BotOrder): Promise<ExitCode> {
  // Both before anything else: neither signal may find this process without a listener.
  const stopSignal = shell.stopSignal();
  const killSignal = hearKillSignal();
  const closing = createClosing();
  closing.add(() => killSignal.close());
  try {
    const opened = await open(shell, order, closing);
    const stop = stopOf(order, stopSignal, opened, closing);
    killSignal.arm(opened.guard.kill);
    const ending = await runPipeline(opened.parts, stop.signal);
    opened.view.close();
    return endingReport(shell, ending, { failure: stop.failure, journal: order.config.journal.path });
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
  const venue = await openVenue(shell, { config, instance, tuning: order.tuning ?? {} }, closing);
  const books = await openBooks(shell, { config, instance, codeVersion }, venue, closing);
  if (config.mode === "live") await requireLiveConditions(shell, config, venue);
  const view = openView(shell, order, { books, venue, limits, codeVersion }, closing);
  const control$ = new ReplaySubject<Control>(16);
  const guard = startGuard({
    latch: books.latch,
    timers: systemTimers,
    known: () => view.board.desk?.engine.context.books.standing ?? FRESH,
    tell: (control) => control$.next(control),
    trouble: (message) => view.say("error", "latch", message),
  });
  closing.add(() => guard.close());
  await serveBot(order, { guard, view, codeVersion }, closing);
  const parts = pipelineParts(shell, order, { venue, books, view, guard, strategy, limits, instance });
  return {
    parts: { ...parts, control$, identity: { codeVersion, configDigest: digestOf(config) } },
    venue,
    guard,
    view,
  };
}

type Assembly = {
  readonly venue: OpenedVenue;
  readonly books: Books;
  readonly view: BotView;
  readonly guard: Guard;
  readonly strategy: Strategy;
  readonly limits: Limits;
  readonly instance: string;
};

function pipelineParts(
  shell: Shell,
  order: BotOrder,
  assembly: Assembly,
): Omit<PipelineParts, "control$" | "identity"> {
  const { config, watch } = order;
  const { venue, books, view, guard, strategy, limits, instance } = assembly;
  const ids = createClientOrderIds(idEnvironment(config), instance);
  const par = new Map(Object.entries(parOf(config)).map(([symbol, bandBps]) => [symbol as PairSymbol, { bandBps }]));
  const core = { limits, par, ids, writer: instance, settings: { ...DEFAULT_SETTINGS, ...config.protocol } };
  return {
    exchange: venue.exchange,
    journal: books.journal,
    makeCore: (seated) => createCore(seated, core),
    strategy,
    strategies$: watch ? strategiesOf(config, view) : NEVER,
    references$: config.mode === "paper" ? referencesOf(shell, venue, limits, view) : NEVER,
    lastCheck: guard.check,
    latch: guard.follow,
    isGone: (writer) => venue.budget.ledger.isGone(writer),
    clock: shell.clock,
    scheduler: timerScheduler(shell.clock, systemTimers),
    watch: view.watcher,
    settings: pipelineDefaults,
  };
}

function strategiesOf({ strategy }: Config, view: BotView): ReturnType<typeof watchStrategy> {
  const say = (text: string): void => view.say("warn", "strategy.kept", text);
  return watchStrategy(strategy.use, { load: () => loadStrategy(strategy), timers: systemTimers, say });
}

/** The two feeds that every simulator has beside its API; they cost nothing of the budget. */
function referencesOf({ clock }: Shell, { base, random }: OpenedVenue, limits: Limits, view: BotView) {
  const symbols = ratePairs(limits);
  const onTrouble = (name: string, reason: string | undefined): void =>
    view.say(reason === undefined ? "info" : "warn", "reference", `reference ${name}: ${reason ?? "answers again"}`);
  const feeds = ["a", "b"].map((path) => {
    const source = { name: `simulator-${path}`, url: new URL(`/reference/${path}`, base).href, symbols };
    const parts = { clock, timers: systemTimers, random: random.fork(path), read: readLoopbackJson, onTrouble };
    return referenceFeed(source, parts);
  });
  return merge(...feeds);
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

function limitsOf({ mode, risk }: Config): Limits {
  if (risk !== undefined) return risk;
  if (mode === "paper") return paperLimits;
  throw new CommandFailure(exitCode.usage, "live mode needs the section risk", "pegbot config check says more");
}

function parOf({ mode, market }: Config): Readonly<Record<string, number>> {
  return market.par ?? (mode === "paper" ? PAPER_PAR : {});
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
