// What a person sees of a run: the live screen where stdout is one, log lines otherwise, JSON where it is asked for.
// All of it is a function of what the pipeline's watchers are told.

import { restartFor } from "../../bot/clerk.ts";
import type { Desk } from "../../bot/desk.ts";
import type { Phase, Watcher } from "../../bot/watcher.ts";
import { environment } from "../../config/environment.ts";
import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { Step } from "../../domain/step.ts";
import type { Mono } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { JournalError } from "../../journal/journal.ts";
import { endsDoubt } from "../../notice/ends-doubt.ts";
import type { Notices } from "../../notice/notices.ts";
import type { Limits } from "../../risk/limits.ts";
import { doingLine } from "../../telemetry/doing-text.ts";
import { createJsonLog, createPlainLog, type Log, type LogLine } from "../../telemetry/log.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { logOf, logOfControl } from "../../telemetry/step-log.ts";
import { haircutsOf } from "../config/movement-terms.ts";
import type { Shell } from "../shell.ts";
import { every } from "../system/every.ts";
import type { LiveScreen } from "../terminal/live-screen.ts";
import type { BotOrder } from "./bot-order.ts";
import { clockWatch } from "./clock-watch.ts";
import { createClosedWeek } from "./closed-week.ts";
import type { Closing } from "./closing.ts";
import { VENUE } from "./feed-list.ts";
import { environmentName } from "./identity.ts";
import { logWatch } from "./log-watch.ts";
import type { Books } from "./open-books.ts";
import type { OpenedVenue } from "./open-venue.ts";
import { createPairWatch } from "./pair-watch.ts";
import { phaseText } from "./phase-text.ts";
import { unreachable } from "./reach.ts";
import { referenceNames } from "./references.ts";
import { renderLine } from "./screen-line.ts";
import { createStatusBoard, type StatusBoard } from "./status-board.ts";
import { statusScreen } from "./status-screen.ts";
import { frozenOf } from "./submission-list.ts";
import { minuteLine } from "./summary-line.ts";
import { unsentWatch } from "./unsent-watch.ts";

const DRAW_EVERY_MS = 250;
/** At the week of the currency markets, at the clock, and at whether the log is written. */
const LOOK_MS = 10_000;
const SUMMARY_EVERY_MS = 60_000;
const PROBLEM_EVERY_MS = 60_000;

/** Told of each step after everybody else. */
export type StepKeeper = {
  /** Once: so many records the bot began with. Those after them are told. */
  restored(upTo: number): void;
  step(step: Step): void;
};

export interface BotView {
  readonly board: StatusBoard;
  readonly watcher: Watcher;
  say(level: LogLine["level"], event: string, text: string): void;
  /** Does what only watches or tells: when it fails that is a problem, and no end. */
  aside(work: () => void): void;
  /** Once there is a server: its address, and what it keeps of the steps. */
  serve(url: string, keeper: StepKeeper): void;
  /** From now on people are told. */
  tell(teller: Teller): void;
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

/** Who tells people. */
type Teller = Pick<Notices, "record" | "trouble" | "warn">;

export function openView(shell: Shell, order: BotOrder, seen: Seen, closing: Closing): BotView {
  const { terminal } = shell;
  const pairs = createPairWatch(seen.limits.symbols as PairSymbol[], {
    warn(text) {
      say("warn", "pair", text);
      teller?.warn(text);
    },
    note(text) {
      say("info", "pair", text);
      teller?.warn(text);
    },
  });
  const board = createStatusBoard({ ...boardParts(shell, order, seen), offline: () => pairs.offline });
  // JSON lines on the same terminal would write over the screen.
  const onScreen = terminal.isScreen && environment().TERM !== "dumb" && !(order.logJson && terminal.notesAreSeen);
  const log = logFor(shell, order, onScreen);
  let url: string | undefined;
  let kept: StepKeeper | undefined;
  let teller: Teller | undefined;
  const problems = new Map<string, Mono>();
  const week = createClosedWeek(
    () => board.desk?.engine.closedUntil(),
    (text) => say("info", "reference", text),
    (symbol) => board.desk !== undefined && isValued(board.desk, symbol),
  );
  closing.add(every(LOOK_MS, () => aside(week.look)));
  const lookAtClock = clockWatch(
    () => board.snapshot().budget?.skewMs,
    (level, text) => say(level, "clock", text),
  );
  closing.add(every(LOOK_MS, () => aside(lookAtClock)));
  const telling = (event: string) => ({
    warn(text: string) {
      say("warn", event, text);
      teller?.warn(text);
    },
    note: (text: string) => say("info", event, text),
  });
  const unsent = unsentWatch(telling("unsent"));
  const lookAtLog = logWatch(terminal.lostNotes, { ...telling("log"), show: board.logLost });
  // A screen is no log; JSON lines beside it, in a file, are one.
  if (!onScreen || order.logJson) closing.add(every(LOOK_MS, () => aside(lookAtLog)));

  function say(level: LogLine["level"], event: string, text: string): void {
    board.note(text);
    log({ level, event, text });
  }

  /** Who only watches must not stop what is watched. */
  function aside(work: () => void): void {
    try {
      work();
    } catch (error) {
      problem("watching", error instanceof Error ? error.message : String(error));
    }
  }

  function problem(code: string, message: string): void {
    // The same trouble again and again is one line a minute.
    const now = shell.clock.monotonic();
    const toldAt = problems.get(code);
    if (toldAt !== undefined && now - toldAt < PROBLEM_EVERY_MS) return;
    problems.set(code, now);
    say("warn", "problem", `${code}: ${message}`);
  }

  /**
   * How a mint or a payment goes on is a note too: an earlier one may have said that it is unknown. So is every stop and every end of
   * one: whoever comes later sees that there was one.
   */
  function tellStep(step: Step): void {
    for (const line of logOf(step)) {
      if (!week.hides(line)) log(line);
      if (step.event.kind === "movement" || line.event === "state" || line.event.startsWith("control."))
        board.note(line.text);
    }
  }

  function tellTrouble({ code, message }: JournalError): void {
    teller?.trouble(code, message, restartFor(code));
  }

  const { watcher } = board;
  const told: Watcher = {
    desk(desk) {
      // What is rebuilt later was told on the way.
      const isFirst = board.desk === undefined;
      watcher.desk(desk);
      if (isFirst) aside(() => kept?.restored(desk.folded));
    },
    turn(turn, input) {
      watcher.turn(turn, input);
      aside(() => {
        for (const record of turn.records) {
          seen.metrics.record(record);
          teller?.record(record);
        }
        if (input.kind === "event") pairs.take(input.event);
        if (input.kind === "event" && input.event.kind === "quote" && input.event.source === VENUE)
          seen.metrics.quote(input.event);
      });
    },
    step(step) {
      watcher.step(step);
      aside(() => kept?.step(step));
      tellStep(step);
      aside(() => unsent(step));
    },
    moved(step, isTold) {
      watcher.moved(step, isTold);
      if (endsDoubt(step)) aside(() => teller?.record({ kind: "step", at: step.at, step }));
      if (!isTold) tellStep(step);
    },
    others(step) {
      watcher.others(step);
      aside(() => kept?.step(step));
    },
    control(record) {
      aside(() => teller?.record(record));
      for (const line of logOfControl(record.control)) {
        log(line);
        board.note(line.text);
      }
    },
    phase(phase) {
      watcher.phase(phase);
      if (phase.kind === "unwritable") aside(() => tellTrouble(phase.error));
      log({
        level: phase.kind === "unwritable" ? "error" : "info",
        event: `phase.${phase.kind}`,
        text: phaseLine(shell, board.desk, phase, seen.limits),
      });
    },
    problem,
    note: (text) => say("info", "note", text),
    warning: (text) => say("warn", "warning", text),
  };

  let close = (): void => {};
  const show = (): void => {
    const screen = onScreen ? terminal.openScreen() : undefined;
    const look = (): void => {
      if (screen !== undefined) draw(shell, screen, board, url);
      else log({ level: "info", event: "summary", text: minuteLine(board.snapshot()) });
    };
    const stop = every(screen === undefined ? SUMMARY_EVERY_MS : DRAW_EVERY_MS, () => aside(look));
    close = () => {
      stop();
      screen?.close();
    };
  };
  closing.add(() => close());
  log({
    level: "info",
    event: "started",
    text: `pid ${process.pid}, journal ${seen.books.path}, venue ${seen.venue.base.host}`,
  });
  return {
    board,
    watcher: told,
    say,
    aside,
    serve(address, keeper) {
      url = address;
      kept = keeper;
      log({ level: "info", event: "server", text: `listening on ${address}: the page, metrics, the control API` });
    },
    tell(told) {
      teller = told;
    },
    show,
    close: () => close(),
  };
}

function isValued({ engine }: Desk, symbol: PairSymbol): boolean {
  const { pricing } = engine.context;
  const { quote } = assetsOf(symbol);
  return pricing.fair(symbol).kind === "fair" && pricing.rate(quote) !== undefined && pricing.equity() !== undefined;
}

function phaseLine({ clock }: Shell, desk: Desk | undefined, phase: Phase, limits: Limits): string {
  const symbols = limits.symbols as PairSymbol[];
  const frozen = desk && frozenOf(desk.executor.freeze({ at: clock.now(), mono: clock.monotonic() }), symbols);
  const standing = { state: desk?.engine.context.books.state ?? "ACTIVE" } as const;
  return doingLine({ phase: { kind: phase.kind, text: phaseText(phase) }, standing, frozen });
}

function draw({ terminal }: Shell, screen: LiveScreen, board: StatusBoard, url: string | undefined): void {
  const { size } = screen;
  const lines = statusScreen(board.snapshot(), url, size);
  screen.draw(lines.map((line) => renderLine(line, size.width, terminal.style)));
}

function logFor({ terminal, clock }: Shell, { logJson }: BotOrder, onScreen: boolean): Log {
  if (logJson) return createJsonLog({ write: (line: string) => terminal.note(line.trimEnd()) }, clock);
  return onScreen ? () => {} : createPlainLog((line) => terminal.note(line), clock);
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
    unreachable: () => unreachable(venue.exchange),
    version: codeVersion,
    mode: config.mode,
    environment: environmentName(config),
    venue: venue.base.host,
  };
}
