// A person's view of a run: the live screen if stdout is a terminal, and the log as pretty lines on a terminal or JSON
// elsewhere. Its observer reports to the board first, then to metrics, log, notices and server. Only the board's errors
// propagate.

import { existsSync } from "node:fs";
import { restartFor } from "../../bot/journaled-engine.ts";
import type { BotObserver } from "../../bot/observer.ts";
import { environment } from "../../config/environment.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import type { Step } from "../../domain/step.ts";
import type { KeyStatus } from "../../exchange/budget/key-file.ts";
import { personHere } from "../../operation/person.ts";
import type { Limits } from "../../risk/limits.ts";
import { createLog, type Log } from "../../watch/log.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import { unreachable } from "../../watch/status/connectivity.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { logOf, logOfControl } from "../../watch/step-log.ts";
import { renderLine } from "../../watch/text/screen-line.ts";
import { type Pane, statusScreen } from "../../watch/text/status-screen.ts";
import { isAllFrozen, minuteLine, phaseText } from "../../watch/text/status-text.ts";
import { environmentName } from "../config/identity.ts";
import { marketText } from "../config/paper-place.ts";
import { referenceNames } from "../feeds/price-sources.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import { ownerBoard } from "../owner/core-of.ts";
import type { Books } from "../owner/open-books.ts";
import type { OpenedVenue } from "../owner/open-owner.ts";
import { CONFIG_FILE, type Shell } from "../shell.ts";
import type { Closing } from "../system/closing.ts";
import { every } from "../system/system-timers.ts";
import { type Announcer, createAnnouncer, refusalEcho } from "./announcer.ts";
import type { BotOrder } from "./bot-order.ts";
import { clockWatch, createPairWatch, feedWatch, type PairWatch } from "./watches.ts";

const DRAW_EVERY_MS = 250;
const LOOK_MS = 10_000;
const SUMMARY_EVERY_MS = 60_000;

/** The server's address and its hooks. */
type Served = {
  readonly url: string;
  /** Called once with the number of records that the bot started with. */
  readonly restored: (upTo: number) => void;
};

export type BotView = ReturnType<typeof openView>;

type Seen = {
  readonly books: Books;
  readonly venue: OpenedVenue;
  readonly limits: Limits;
  readonly metrics: Pick<Metrics, "record" | "requests">;
};

export function openView(shell: Shell, order: BotOrder, seen: Seen, closing: Closing) {
  const { terminal, clock } = shell;
  const { config, logJson, logLevel } = order;
  const { limits, metrics, books, venue } = seen;
  // JSON lines on the same terminal would overwrite the screen.
  const onScreen = terminal.isScreen && environment().TERM !== "dumb" && !(logJson && terminal.notesAreSeen);
  const isJson = logJson || !terminal.notesAreSeen;
  // The screen shows the events; log lines on the same terminal would overwrite it.
  const isWritten = isJson || !onScreen;
  const write = (line: string): void => (isWritten ? terminal.note(line) : undefined);
  const log = createLog(write, clock, { level: logLevel, isPretty: !isJson });
  const announcer = createAnnouncer(clock, log, (text) => board.note(text));
  const called = (event: string) => (level: "info" | "warn", text: string) => announcer.call(level, event, text);
  const logged = (event: string) => (level: "info" | "warn", text: string) => announcer.say(level, event, text);
  const symbols = limits.symbols as PairSymbol[];
  const pairs = createPairWatch({ symbols, areNamed: config.risk !== undefined }, called("pair"));
  const unread = order.file === undefined && existsSync(CONFIG_FILE) ? `; ${CONFIG_FILE} is not read` : "";
  const ledger = (): KeyStatus => venue.budget.file.status(venue.budget.waiting);
  const place = { clock, config, environment: environmentName(config), journal: books.journal, ledger };
  const board = ownerBoard(place, {
    limits,
    references: referenceNames(config),
    sent: () => metrics.requests.sent,
    market: marketText(config.mode, venue.simulator?.market)?.concat(unread),
    restartFor,
    unreachable: (pause) => unreachable(venue.exchange, pause),
    offline: () => pairs.offline,
    venue: venue.base.host,
  });
  const logDecided = refusalEcho(() => clock.monotonic(), log);
  let served: Served | undefined;
  const observed = { announcer, board, metrics, pairs, logDecided };
  const observer = reportingObserver(observed, () => served);
  const looks = [clockWatch(() => board.budget()?.skewMs, logged("clock")), feedWatch(board, logged("reference"))];
  closing.add(every(LOOK_MS, () => looks.forEach(announcer.aside)));
  let hide = (): void => {};
  const close = (): void => hide();
  closing.add(close);
  const text = `pid ${process.pid}, journal ${books.path}, venue ${venue.base.host}`;
  log({ level: "info", event: "started", text });
  return Object.assign(announcer, {
    board,
    observer,
    serve(one: Served) {
      served = one;
      log({ level: "info", event: "server", text: `listening on ${one.url}: the page, metrics, the control API` });
    },
    /** Starts drawing, and takes keys where a person has a keyboard. */
    show(kill: KillSwitch["kill"]) {
      hide = onScreen ? drawing(shell, announcer, board, { url: () => served?.url, kill }) : summing(announcer, board);
    },
    close,
  });
}

type Observed = {
  readonly announcer: Announcer;
  readonly board: StatusBoard;
  readonly metrics: Pick<Metrics, "record">;
  readonly pairs: PairWatch;
  readonly logDecided: Log;
};

function reportingObserver(observed: Observed, served: () => Served | undefined): BotObserver {
  const { announcer, board, metrics, pairs, logDecided } = observed;
  const { log, say, aside } = announcer;
  const { watcher } = board;
  // Notes each further state of a mint or payment, because an earlier note may have called it unknown, and each stop
  // and its end.
  const logStep = (step: Step): void => {
    for (const line of logOf(step)) {
      logDecided(line);
      if (step.event.kind === "movement" || line.event === "state" || line.event.startsWith("control."))
        board.note(line.text);
    }
  };
  const look = (): void => aside(() => announcer.notices?.look());
  return {
    core(tradingCore) {
      // The contents of a rebuilt core were reported before.
      const isFirst = board.tradingCore === undefined;
      watcher.core(tradingCore);
      if (isFirst) aside(() => served()?.restored(tradingCore.folded));
    },
    turn(turn, input) {
      watcher.turn(turn, input);
      aside(() => {
        for (const record of turn.records) metrics.record(record);
        if (input.kind !== "event") return;
        pairs.take(input.event);
      });
    },
    step(step) {
      watcher.step(step);
      logStep(step);
      // A stop that is lifted within a second is told, too.
      if (step.event.kind === "control" || step.commands.some(({ kind }) => kind === "state")) look();
    },
    control(record) {
      look();
      for (const line of logOfControl(record.control)) {
        log(line);
        board.note(line.text);
      }
    },
    phase(phase) {
      watcher.phase(phase);
      if (phase.kind === "unwritable") look();
      // A freeze of everything is shown by nothing else at a start.
      const { frozen, standing } = board.snapshot();
      const isHalted = phase.kind === "trading" && standing.state === "HALTED";
      const isFrozen = phase.kind === "trading" && isAllFrozen({ frozen });
      const text = isHalted
        ? "not trading, reading goes on"
        : `${phaseText(phase)}${isFrozen ? `; frozen ${frozen}` : ""}`;
      log({ level: phase.kind === "unwritable" ? "error" : "info", event: `phase.${phase.kind}`, text });
    },
    problem: announcer.problem,
    note: (text) => say("info", "note", text),
    warning: (text) => say("warn", "warning", text),
  };
}

type Drawing = { readonly url: () => string | undefined; readonly kill: KillSwitch["kill"] };

/** A second press within this time halts, as a finger that stays on the page's button. */
const PRESS_MS = 3_000;

/** The returned function stops it. */
function drawing({ terminal, clock }: Shell, { aside, say }: Announcer, board: StatusBoard, { url, kill }: Drawing) {
  let pane: Pane = "decisions";
  let pressedAt = Number.NEGATIVE_INFINITY;
  const isHalting = (): boolean => clock.monotonic() - pressedAt < PRESS_MS;
  const act = (key: string): void => {
    if (key === "q" || key === "\x03") return void process.kill(process.pid, "SIGINT");
    if (key === "h" && isHalting()) {
      const trouble = kill("key h on the terminal", personHere());
      if (trouble !== undefined) say("error", "kill switch", trouble);
    }
    pressedAt = key === "h" && !isHalting() ? clock.monotonic() : Number.NEGATIVE_INFINITY;
    const wanted = PANES[key];
    if (wanted !== undefined) pane = pane === wanted ? "decisions" : wanted;
    draw();
  };
  const screen = terminal.openScreen((key) => aside(() => act(key)));
  const draw = (): void => {
    const { takesKeys, size } = screen;
    const keys = takesKeys ? { pane, isHalting: isHalting() } : undefined;
    const lines = statusScreen(board.snapshot(), url(), size, { fills: board.fills, keys });
    screen.draw(lines.map((line) => renderLine(line, size.width, terminal.style)));
  };
  const stop = every(DRAW_EVERY_MS, () => aside(draw));
  return () => {
    stop();
    screen.close();
  };
}

const PANES: Readonly<Record<string, Pane>> = { f: "fills", r: "refusals", "?": "keys" };

function summing({ log, aside }: Announcer, board: StatusBoard): () => void {
  const sum = (): void => log({ level: "info", event: "summary", text: minuteLine(board.snapshot()) });
  return every(SUMMARY_EVERY_MS, () => aside(sum));
}
