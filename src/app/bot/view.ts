// What a person sees of a run: the live screen where stdout is one, and the log: pretty lines on a terminal, JSON elsewhere.
// All of it is a function of what the pipeline's watchers are told.

import type { BotObserver, Phase } from "../../bot/observer.ts";
import type { TradingCore } from "../../bot/trading-core/trading-core.ts";
import { environment } from "../../config/environment.ts";
import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { Limits } from "../../risk/limits.ts";
import { createLog } from "../../watch/log.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import { unreachable } from "../../watch/status/connectivity.ts";
import { createStatusBoard, type StatusBoard } from "../../watch/status/status-board.ts";
import { frozenOf } from "../../watch/status/submission-list.ts";
import { renderLine } from "../../watch/text/screen-line.ts";
import { statusScreen } from "../../watch/text/status-screen.ts";
import { doingLine, minuteLine, ownTime, phaseText } from "../../watch/text/status-text.ts";
import type { Books, OpenedVenue } from "../compose.ts";
import { haircutsOf } from "../config/movement-terms.ts";
import { referenceNames } from "../feeds/price-sources.ts";
import type { Shell } from "../shell.ts";
import { every } from "../system/system-timers.ts";
import type { LiveScreen } from "../terminal/terminal.ts";
import { createVoice, type Voice } from "./announcer.ts";
import type { BotOrder } from "./bot-order.ts";
import type { Closing } from "./closing.ts";
import { environmentName } from "./identity.ts";
import { clockWatch, createClosedWeek, logWatch, type StepKeeper, tellingWatcher, unsentWatch } from "./observers.ts";
import { createPairWatch } from "./pair-watch.ts";
import { RefusalEcho } from "./refusal-echo.ts";

const DRAW_EVERY_MS = 250;
/** At the week of the currency markets and what was refused, at the clock, and at whether the log is written. */
const LOOK_MS = 10_000;
const SUMMARY_EVERY_MS = 60_000;

export interface BotView extends Pick<Voice, "say" | "aside" | "tell"> {
  readonly board: StatusBoard;
  readonly watcher: BotObserver;
  /** Once there is a server: its address, and what it keeps of the steps. */
  serve(url: string, keeper: StepKeeper): void;
  /** From now on it is seen. */
  show(): void;
  close(): void;
}

type Seen = {
  readonly books: Books;
  readonly venue: OpenedVenue;
  readonly limits: Limits;
  readonly codeVersion: string;
  /** What counts the records. */
  readonly metrics: Pick<Metrics, "record" | "quote" | "profitPerRequest">;
};

export function openView(shell: Shell, order: BotOrder, seen: Seen, closing: Closing): BotView {
  const { terminal } = shell;
  // JSON lines on the same terminal would write over the screen.
  const onScreen = terminal.isScreen && environment().TERM !== "dumb" && !(order.logJson && terminal.notesAreSeen);
  const isJson = order.logJson || !terminal.notesAreSeen;
  // The screen shows what happens; lines on the same terminal would write over it.
  const isWritten = isJson || !onScreen;
  const write = (line: string): void => (isWritten ? terminal.note(line) : undefined);
  const lines = createLog(write, shell.clock, { level: order.logLevel, isPretty: !isJson });
  const voice = createVoice(shell.clock, lines, (text) => board.note(text));
  const { log, say, aside, tell } = voice;
  const wanted = { symbols: seen.limits.symbols as PairSymbol[], areNamed: order.config.risk !== undefined };
  const pairs = createPairWatch(wanted, {
    warn: (text) => voice.call("warn", "pair", text),
    note: (text) => voice.call("info", "pair", text),
  });
  const board = createStatusBoard({ ...boardParts(shell, order, seen), offline: () => pairs.offline });
  const refusals = heardRefusals(shell, voice, board, closing);
  let served: { readonly url: string; readonly keeper: StepKeeper } | undefined;
  const watcher = tellingWatcher({
    voice,
    board,
    metrics: seen.metrics,
    pairs,
    refusals,
    unsent: unsentWatch(toldOf(voice, "unsent")),
    keeper: () => served?.keeper,
    phaseText: (phase) => phaseLine(shell, board, phase, seen.limits),
  });
  lookAtClock(voice, board, closing);
  if (isWritten) lookAtLog(terminal.lostNotes, voice, board, closing);
  let close = (): void => {};
  const end = (): void => {
    aside(() => refusals.end());
    close();
  };
  closing.add(end);
  const place = `journal ${seen.books.path}, venue ${seen.venue.base.host}`;
  log({ level: "info", event: "started", text: `pid ${process.pid}, ${place}` });
  return {
    board,
    watcher,
    say,
    aside,
    tell,
    serve(url, keeper) {
      served = { url, keeper };
      log({ level: "info", event: "server", text: `listening on ${url}: the page, metrics, the control API` });
    },
    show() {
      close = onScreen ? drawing(shell, voice, board, () => served?.url) : summing(voice, board);
    },
    close: end,
  };
}

function toldOf(voice: Voice, event: string) {
  return {
    warn: (text: string) => voice.call("warn", event, text),
    note: (text: string) => voice.say("info", event, text),
  };
}

function heardRefusals(
  { clock }: Shell,
  { log, say, aside }: Voice,
  board: StatusBoard,
  closing: Closing,
): RefusalEcho {
  const week = createClosedWeek(
    () => board.tradingCore?.engine.closedUntil(),
    (text) => say("info", "reference", text),
  );
  const refusals = new RefusalEcho({
    now: () => clock.monotonic(),
    log,
    // A pair that trades on is refused for reasons of its own.
    isQuiet: (symbol) => week.isClosed && board.tradingCore !== undefined && !isValued(board.tradingCore, symbol),
  });
  const look = (): void => {
    week.look();
    refusals.look();
  };
  closing.add(every(LOOK_MS, () => aside(look)));
  return refusals;
}

function lookAtClock({ say, aside }: Voice, board: StatusBoard, closing: Closing): void {
  const look = clockWatch(
    () => board.budget()?.skewMs,
    (level, text) => say(level, "clock", text),
  );
  closing.add(every(LOOK_MS, () => aside(look)));
}

function lookAtLog(lost: () => string | undefined, voice: Voice, board: StatusBoard, closing: Closing): void {
  const look = logWatch(lost, { ...toldOf(voice, "log"), show: board.logLost });
  closing.add(every(LOOK_MS, () => voice.aside(look)));
}

/** The function it gives back ends it, as with the next. */
function drawing(shell: Shell, { aside }: Voice, board: StatusBoard, url: () => string | undefined): () => void {
  const screen = shell.terminal.openScreen();
  const stop = every(DRAW_EVERY_MS, () => aside(() => draw(shell, screen, board, url())));
  return () => {
    stop();
    screen.close();
  };
}

function summing({ log, aside }: Voice, board: StatusBoard): () => void {
  const sum = (): void => log({ level: "info", event: "summary", text: minuteLine(board.snapshot()) });
  return every(SUMMARY_EVERY_MS, () => aside(sum));
}

function isValued({ engine }: TradingCore, symbol: PairSymbol): boolean {
  const { pricing } = engine.context;
  const { quote } = assetsOf(symbol);
  return pricing.fair(symbol).kind === "fair" && pricing.rate(quote) !== undefined && pricing.equity() !== undefined;
}

function phaseLine({ clock }: Shell, { tradingCore, budget }: StatusBoard, phase: Phase, limits: Limits): string {
  const symbols = limits.symbols as PairSymbol[];
  const now = { at: ownTime(clock.now(), budget()?.skewMs), mono: clock.monotonic() };
  const frozen = tradingCore && frozenOf(tradingCore.executor.freeze(now), symbols);
  const standing = { state: tradingCore?.engine.context.books.state ?? "ACTIVE" } as const;
  return doingLine({ phase: { kind: phase.kind, text: phaseText(phase) }, standing, frozen });
}

function draw({ terminal }: Shell, screen: LiveScreen, board: StatusBoard, url: string | undefined): void {
  const { size } = screen;
  const lines = statusScreen(board.snapshot(), url, size);
  screen.draw(lines.map((line) => renderLine(line, size.width, terminal.style)));
}

function boardParts({ clock }: Shell, { config }: BotOrder, { books, venue, limits, codeVersion, metrics }: Seen) {
  const ledger = (): LedgerStatus | undefined => {
    try {
      return venue.budget.ledger.status();
    } catch {
      // Busy for a moment, or gone: what is shown of it is left out.
      return undefined;
    }
  };
  return {
    clock,
    journal: books.journal,
    journalPath: books.path,
    ledger,
    limits,
    haircuts: haircutsOf(config),
    targets: config.treasury.targets,
    references: referenceNames(config),
    profitPerRequest: metrics.profitPerRequest,
    unreachable: (pause: string | undefined) => unreachable(venue.exchange, pause),
    version: codeVersion,
    mode: config.mode,
    environment: environmentName(config),
    venue: venue.base.host,
  };
}
