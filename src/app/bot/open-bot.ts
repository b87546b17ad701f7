// Opens everything that a running bot needs, in order of dependency, down to the parts of its pipeline. `closing`
// closes all of it, also if a later part fails to open.

import { dirname } from "node:path";
import { Subject } from "rxjs";
import type { PipelineParts } from "../../bot/pipeline.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { Control } from "../../domain/event.ts";
import type { Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import type { KeyLedger } from "../../exchange/budget/ledger.ts";
import type { SpentSlot } from "../../exchange/budget/ledger-status.ts";
import type { Journal } from "../../journal/journal.ts";
import { FRESH, MEND, RESUME, type TradingState, transition } from "../../risk/trading-state.ts";
import { strayError } from "../../strategy/guest.ts";
import { overText, pauseOf, watchReach } from "../../watch/status/connectivity.ts";
import { VENUE } from "../../watch/status/feed-list.ts";
import { orFail } from "../command-failure.ts";
import { type OpenedVenue, type OpenVenue, openBooks, openVenue } from "../compose.ts";
import { sleeper, worldsApart } from "../config/oddities.ts";
import { openToOthers } from "../config/open-to-others.ts";
import { exitCode } from "../exit-code.ts";
import { botTime } from "../journal/bot-time.ts";
import { newInstance } from "../key/join-budget.ts";
import { BOT, type KillFile } from "../kill-switch/kill-file.ts";
import { startKillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import { leave } from "../system/leave.ts";
import { every, systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";
import { type Bot, ControlLine } from "./bot.ts";
import type { BotOrder } from "./bot-order.ts";
import type { Closing } from "./closing.ts";
import type { LimitsInForce } from "./limits.ts";
import { type Conditions, requireLiveConditions } from "./live-conditions.ts";
import { loadStrategy } from "./load-strategy.ts";
import { openNotices, readNoticeSecrets } from "./open-notices.ts";
import { pipelineParts } from "./pipeline-parts.ts";
import { metricsOf, serveBot } from "./serve-bot.ts";
import { type BotView, openView } from "./view.ts";

export type OpenedBot = Pick<Bot, "venue" | "killSwitch" | "view"> & {
  readonly parts: PipelineParts;
  readonly conditions: Conditions;
};

const LEDGER_LOOK_MS = 1_000;

export async function openBot(
  shell: Shell,
  order: BotOrder,
  inForce: LimitsInForce,
  closing: Closing,
): Promise<OpenedBot> {
  const { config, tuning = {} } = order;
  const strategy = orFail(await loadStrategy(config.strategy));
  const instance = newInstance();
  const codeVersion = versionText();
  const metrics = metricsOf(config, codeVersion);
  const { requests } = metrics;
  const slots$ = new Subject<SpentSlot>();
  const secrets = readNoticeSecrets(config);
  const onSlot = (spent: SpentSlot): void => {
    requests.slot(spent);
    slots$.next(spent);
  };
  const onCalled: OpenVenue["onCalled"] = (path, verdict) => requests.called(path, verdict, shell.clock.monotonic());
  const venue = await openVenue(shell, { config, instance, tuning, onSlot, onCalled }, closing);
  const { ledger } = venue.budget;
  const books = await openBooks(shell, { config, instance, codeVersion }, venue, closing);
  const clock = botTime(shell.clock, ledger);
  haltOnBug(books, clock, closing, (text) => {
    shell.terminal.note(text);
    leave(exitCode.halted);
  });
  const conditions = config.mode === "live" ? await requireLiveConditions(shell, config, venue) : "met";
  order.onOpen?.();
  const view = openView(shell, order, { books, venue, limits: inForce.limits, codeVersion, metrics }, closing);
  const { board } = view;
  const controls = new ControlLine();
  const { tell } = controls;
  const known = (): TradingState => board.tradingCore?.engine.context.counters.tradingState ?? FRESH;
  const killSwitch = startKillSwitch({
    file: books.killFile,
    now: () => shell.clock.now(),
    timers: systemTimers,
    known,
    tell,
    trouble: (message) => view.say("error", "kill switch", message),
  });
  closing.add(() => killSwitch.close());
  closing.add(every(LEDGER_LOOK_MS, ledgerWatch(ledger, known, tell)));
  board.guardedBy(killSwitch.standing);
  watchVenue(venue, view, closing);
  closing.add(inForce.open({ ...view, tell, ledger }));
  const bot: Bot = {
    ...{ shell, clock, order, inForce, strategy, instance, codeVersion, metrics, slots$ },
    ...{ venue, books, view, controls, killSwitch },
  };
  const pageWarning = await serveBot(bot, closing);
  view.notices = openNotices(bot, secrets, closing);
  for (const warning of [...worldsApart(config), ...sleeper(config, strategy)]) view.say("warn", "config", warning);
  for (const warning of [pageWarning, ...openToOthers(config, shell.configFile)])
    if (warning !== undefined) view.call("warn", "machine", warning);
  view.show();
  return { parts: pipelineParts(bot), venue, killSwitch, view, conditions };
}

function watchVenue({ exchange }: OpenedVenue, { board, say }: BotView, closing: Closing): void {
  let last: string | undefined;
  const tell = (problem: string | undefined): void => {
    board.trouble(VENUE, problem);
    say(problem === undefined ? "info" : "warn", "reach", problem ?? overText(last));
    last = problem;
  };
  const paused = (): string | undefined => pauseOf(board.phase.kind === "unwritable", board.budget());
  closing.add(watchReach(exchange, systemTimers, tell, paused));
}

// A bug outside the pipeline, or an error in a strategy's own timer, ends the process. The halt is written to disk
// first, so that the next start recovers into HALTED instead of trading on. A failure here must not hide the bug
// itself.

type Kept = { readonly killFile: Pick<KillFile, "write">; readonly journal: Pick<Journal, "announce"> };

/**
 * Runs before the handler that ends the process. `leave` ends it if neither journal nor kill file could be written,
 * with exit code 5, which no supervisor restarts.
 */
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
    // The bug may have left a transaction open; then the halt goes to the kill file.
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

/**
 * Without its key's ledger a bot can send nothing, and a process that creates a new ledger shares no slots with it:
 * only a person can repair this.
 */
export function ledgerWatch(
  ledger: Pick<KeyLedger, "path" | "isInPlace">,
  known: () => TradingState,
  tell: (control: Control) => void,
): () => void {
  const reason = `the ledger of the key is gone: ${dirname(ledger.path)} was moved or deleted, or a file in it was cut, while in use, so that nothing can be asked or sent`;
  const wayOut = `end the bot, put the folder back in place of what stands there now, start it again, then ${RESUME}`;
  const halt: Control = { kind: "halt", cause: "journal", subject: "ledger", reason, wayOut };
  /**
   * The state at the time of the report: while it is unchanged, the engine has not processed the halt. A resume while
   * the ledger is still missing halts again.
   */
  let toldTo: TradingState | undefined;
  return () => {
    const standing = known();
    if (standing === toldTo) return;
    toldTo = undefined;
    if (ledger.isInPlace() || transition(standing, halt, standing.since) === standing) return;
    toldTo = standing;
    tell(halt);
  };
}
