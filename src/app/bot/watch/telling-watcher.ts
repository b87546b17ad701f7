// What the pipeline tells, passed on: to the board first, then to the metrics, the log, people and the server. The board alone may
// fail loudly: what only tells is done aside.

import { restartFor } from "../../../bot/journaled-core/journaled-core.ts";
import type { BotObserver, Phase } from "../../../bot/observer.ts";
import type { Input } from "../../../bot/trading-core/input.ts";
import type { Turn } from "../../../bot/trading-core/turn.ts";
import type { Step } from "../../../domain/step.ts";
import type { JournalError } from "../../../journal/journal.ts";
import type { Metrics } from "../../../watch/metrics/metrics.ts";
import { endsDoubt } from "../../../watch/notices/doubt-notices.ts";
import { VENUE } from "../../../watch/status/feed-list.ts";
import type { StatusBoard } from "../../../watch/status/status-board.ts";
import { logOf, logOfControl } from "../../../watch/step-log.ts";
import type { Voice } from "../voice.ts";
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
    core(desk) {
      // What is rebuilt later was told on the way.
      const isFirst = board.desk === undefined;
      watcher.core(desk);
      if (isFirst) aside(() => keeper()?.restored(desk.folded));
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
      if (endsDoubt(step)) aside(() => voice.teller?.record({ kind: "step", at: step.at, step }));
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
