// What the pipeline tells, passed on: to the board first, then to the metrics, the log, people and the server. The board alone may
// fail loudly: what only tells is done aside.

import { restartFor } from "../../bot/journaled-core/journaled-core.ts";
import type { BotObserver, Phase } from "../../bot/observer.ts";
import type { Input } from "../../bot/trading-core/input.ts";
import type { Turn } from "../../bot/trading-core/turn.ts";
import type { Step } from "../../domain/step.ts";
import type { JournalError } from "../../journal/journal.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import { VENUE } from "../../watch/status/feed-list.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { logOf, logOfControl } from "../../watch/step-log.ts";
import { clockText } from "../../watch/text/status-text.ts";
import type { Voice } from "./announcer.ts";
import type { PairWatch } from "./pair-watch.ts";
import type { RefusalEcho } from "./refusal-echo.ts";

/** Told of each step after everybody else. */
export type StepKeeper = {
  /** Once: so many records the bot began with. Those after them are told. */
  restored(upTo: number): void;
  step(step: Step): void;
};

export type Listeners = {
  readonly voice: Voice;
  readonly board: StatusBoard;
  /** What counts the records. */
  readonly metrics: Pick<Metrics, "record" | "quote">;
  readonly pairs: PairWatch;
  readonly refusals: RefusalEcho;
  readonly unsent: (step: Step) => void;
  /** Undefined until there is a server. */
  readonly keeper: () => StepKeeper | undefined;
  readonly phaseText: (phase: Phase) => string;
};

export function tellingWatcher(listeners: Listeners): BotObserver {
  const { voice, board, keeper, unsent } = listeners;
  const { log, say, aside, problem } = voice;
  const { watcher } = board;
  return {
    core(tradingCore) {
      // What is rebuilt later was told on the way.
      const isFirst = board.tradingCore === undefined;
      watcher.core(tradingCore);
      if (isFirst) aside(() => keeper()?.restored(tradingCore.folded));
    },
    turn(turn, input) {
      watcher.turn(turn, input);
      aside(() => count(listeners, turn, input));
    },
    step(step) {
      watcher.step(step);
      aside(() => keeper()?.step(step));
      tellStep(listeners, step);
      aside(() => unsent(step));
    },
    moved(step, isTold) {
      watcher.moved(step, isTold);
      if (!isTold) tellStep(listeners, step);
    },
    others(step) {
      watcher.others(step);
      aside(() => keeper()?.step(step));
    },
    control(record) {
      aside(() => voice.teller?.record(record));
      for (const line of logOfControl(record.control)) {
        log(line);
        board.note(line.text);
      }
    },
    phase(phase) {
      watcher.phase(phase);
      const isTrouble = phase.kind === "unwritable";
      if (isTrouble) aside(() => tellTrouble(voice, phase.error));
      const text = listeners.phaseText(phase);
      log({ level: isTrouble ? "error" : "info", event: `phase.${phase.kind}`, text });
    },
    problem,
    note: (text) => say("info", "note", text),
    warning: (text) => say("warn", "warning", text),
  };
}

function count({ voice, metrics, pairs }: Listeners, { records }: Turn, input: Input): void {
  for (const record of records) {
    metrics.record(record);
    voice.teller?.record(record);
  }
  if (input.kind !== "event") return;
  const { event } = input;
  pairs.take(event);
  if (event.kind === "quote" && event.source === VENUE) metrics.quote(event);
}

/**
 * How a mint or a payment goes on is a note too: an earlier one may have said that it is unknown. So is every stop and every end of
 * one: whoever comes later sees that there was one.
 */
function tellStep({ voice, board, refusals }: Listeners, step: Step): void {
  for (const line of logOf(step)) {
    if (refusals.isNew(line)) voice.log(line);
    if (step.event.kind === "movement" || line.event === "state" || line.event.startsWith("control."))
      board.note(line.text);
  }
}

function tellTrouble({ teller }: Voice, { code, message }: JournalError): void {
  teller?.trouble(code, message, restartFor(code));
}

// Says once in the log that our clock is not the venue's, and once that it is again: trading goes on meanwhile, so that nothing else
// would say it.

/** To be called now and then. One slow answer is no skew: what two looks in a row find is said. */
export function clockWatch(
  skewMs: () => number | undefined,
  say: (level: "info" | "warn", text: string) => void,
): () => void {
  let isSaid = false;
  let wasOff = false;
  return () => {
    const skew = skewMs();
    if (skew === undefined) return;
    const text = clockText(skew);
    const isOff = text !== undefined;
    if (isOff === wasOff && isOff !== isSaid) {
      isSaid = isOff;
      if (isOff) say("warn", `our clock is ${text}`);
      else say("info", "our clock agrees with the venue's again");
    }
    wasOff = isOff;
  };
}

// The weekend of the currency markets in the log: said once when it begins, with its end, and once when it is over.

type ClosedWeek = {
  /** To be called now and then. */
  look(): void;
  /** As of the last look. */
  readonly isClosed: boolean;
};

export function createClosedWeek(
  /** When the markets open again; undefined while they are open, and where nothing closes with them. */
  closedUntil: () => number | undefined,
  say: (text: string) => void,
): ClosedWeek {
  let isClosed = false;
  return {
    look() {
      const until = closedUntil();
      if (isClosed === (until !== undefined)) return;
      isClosed = until !== undefined;
      if (until === undefined) return say("the currency markets are open again");
      const time = new Date(until).toISOString().slice(0, 16).replace("T", " ");
      say(
        `the currency markets are closed until ${time} UTC (market.weekend); the same refusal of what rests on them is said once until then`,
      );
    },
    get isClosed() {
      return isClosed;
    },
  };
}

// Says once that the log is lost (a full disk, a reader that is gone), and once that it is written again. Trading goes on, for the
// journal has what moves money; but whoever finds an empty log would think that nothing ran.

type Told = {
  /** To people, whom the log does not reach. */
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
  /** For as long as it lasts; undefined when it is over. */
  readonly show: (text: string | undefined) => void;
};

/** To be called now and then. `lost`: why the last line was not written, if it was not. */
export function logWatch(lost: () => string | undefined, { warn, note, show }: Told): () => void {
  let isSaid = false;
  return () => {
    const why = lost();
    const text =
      why === undefined
        ? undefined
        : `the log cannot be written (${why}): the bot goes on without it, the journal is whole; ${nextStep(why)}`;
    show(text);
    if (isSaid === (text !== undefined)) return;
    isSaid = text !== undefined;
    if (text === undefined) note("the log is written again; lines before this one are missing");
    else warn(text);
  };
}

/** A reader that is gone does not come back to the same pipe. */
function nextStep(why: string): string {
  return why === "EPIPE"
    ? "whoever read it is gone, restart the bot with another reader"
    : "make room where stderr leads";
}

// Says once when one order after the other is approved and none leaves, and once when one has: each by itself is an everyday line
// of the log (its price was gone, its slot came too late), and what they come to is a bot that decides and does not trade.

/** A few are lost to slots and prices at any time. */
const IN_A_ROW = 10;

type Unsent = {
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
};

/** To be told of each step. */
export function unsentWatch({ warn, note }: Unsent): (step: Step) => void {
  let inARow = 0;
  return ({ event }) => {
    if (event.kind !== "report") return;
    const { report } = event;
    switch (report.kind) {
      case "not-sent":
        inARow++;
        if (inARow === IN_A_ROW)
          warn(
            `${IN_A_ROW} orders in a row were approved and not sent, the last because ${report.reason}: nothing that the strategy decides reaches the venue; pegbot status and pegbot doctor say more`,
          );
        return;
      case "filled":
      case "rejected":
      case "doubt":
        if (inARow >= IN_A_ROW) note(`an order was sent again, after ${inARow} in a row that were not`);
        inARow = 0;
        return;
      default:
        // That it is being sent says nothing yet: a connection may fail before the first byte.
        return;
    }
  };
}
