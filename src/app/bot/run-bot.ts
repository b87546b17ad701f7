// The life of a bot under `start` and `run`: configuration in, exit code out. Opens what the bot needs, hands it to the
// pipeline, and closes it in order however the run ends.

import type { Ending } from "../../bot/bot.ts";
import { runPipeline } from "../../bot/pipeline.ts";
import type { Config } from "../../config/schema.ts";
import { isStrategyFile } from "../../config/section/strategy.ts";
import { CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { durationText } from "../../domain/time-text.ts";
import { FRESH, joined } from "../../risk/trading-state.ts";
import { keepGuestsIn } from "../../strategy/guest.ts";
import { loopTurns, TURNS, watchCalls } from "../../strategy/watchdog.ts";
import { shownOf } from "../../watch/status/submission-list.ts";
import { type Status, stageOf, titleOf } from "../../watch/status.ts";
import { summaryLine } from "../../watch/text/status-text.ts";
import { watchdogHalt } from "../kill-switch/kill-file.ts";
import { hearKillSignal, type KillSwitch } from "../kill-switch/kill-switch.ts";
import { waitForAnswer } from "../owner/live-conditions.ts";
import type { Shell } from "../shell.ts";
import { type Closing, createClosing } from "../system/closing.ts";
import { notifySystemd } from "../system/event-loop.ts";
import { every, machineTimers, systemTimers } from "../system/system-timers.ts";
import { callMsMax } from "../system/time-scale.ts";
import { stopText } from "../terminal/trading-state-lines.ts";
import type { BotOrder } from "./bot-order.ts";
import { LimitsInForce } from "./limits.ts";
import { type OpenedBot, openBot } from "./open-bot.ts";

export async function runBot(shell: Shell, order: BotOrder): Promise<ExitCode> {
  // These come first: a signal must never reach this process without a listener.
  const limits = new LimitsInForce(order);
  const stopSignal = shell.stopSignal(order.file === undefined ? undefined : () => limits.reload("SIGHUP"));
  const killSignal = hearKillSignal();
  const closing = createClosing();
  closing.add(() => killSignal.close());
  closing.add(keepGuestsIn());
  closing.add(watchCalls({ callMsMax: callMsMax(), halt: watchdogHalt(order.config.journal.path) }));
  closing.add(notifySystemd((line) => shell.terminal.note(line)));
  try {
    const opened = await openBot(shell, order, limits, closing);
    const stop = stopOf(order, stopSignal, opened, closing);
    killSignal.arm(opened.killSwitch.kill);
    if (opened.conditions === "unanswered") {
      opened.view.observer.phase?.({ kind: "waiting" });
      await waitForAnswer(opened.venue, systemTimers, stop.signal);
    }
    const { killSwitch } = opened;
    closing.add(every(callMsMax() / TURNS, loopTurns, machineTimers));
    const ending = await runPipeline(opened.parts, stop.signal).catch((error: unknown) => {
      throw unkept(error, killSwitch);
    });
    opened.view.close();
    const session = sessionText(opened.view.board.snapshot());
    const journal = order.config.journal.path;
    return endingReport(shell, ending, { session, failure: stop.failure, journal, killSwitch });
  } finally {
    const failures = await closing.all();
    for (const failure of failures) shell.terminal.note(`while closing: ${String(failure)}`);
  }
}

/** A bug whose halt is in neither journal nor kill file ends with the exit code of HALTED. */
function unkept(error: unknown, killSwitch: Pick<KillSwitch, "unwritten">): unknown {
  const unwritten = killSwitch.unwritten();
  if (unwritten === undefined) return error;
  return new CommandFailure(exitCode.halted, `${errorMessage(error)}; ${unwritten}`, HALT_FIRST);
}

type Stop = { readonly signal: AbortSignal; readonly failure: () => string | undefined };

/** Stops the run on a person's request, at the end of its duration, or when the embedded venue dies. */
function stopOf({ durationMs }: BotOrder, person: AbortSignal, { venue, view }: OpenedBot, closing: Closing): Stop {
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

/** `--watch` is for strategy files and never for real money: a save would change the trading code without a review. */
export function requireWatchable({ mode, strategy }: Config): void {
  if (mode === "live")
    throw usageFailure("--watch is for paper mode: live mode takes no strategy while it runs", "restart it");
  if (!isStrategyFile(strategy.use))
    throw usageFailure(`--watch needs a strategy file, strategy.use was ${strategy.use}`);
}

// The report at the end of a run: open requests, the final state, and the matching exit code.

/**
 * For a run that ended with a stop the next start would not know: exit code 5, which our supervisor files do not
 * restart.
 */
const HALT_FIRST = 'pegbot halt "..." before the next start';

type End = {
  /** What became of the run, in one line. */
  readonly session: string;
  /** Why the run could not continue, if it was not asked to stop. */
  readonly failure: () => string | undefined;
  readonly journal: string;
  readonly killSwitch: Pick<KillSwitch, "standing" | "unwritten">;
};

export function endingReport({ terminal }: Shell, ending: Ending, end: End): ExitCode {
  const { session, failure, journal, killSwitch } = end;
  const { kind, reason, open, abandoned } = ending;
  if (kind === "failed") throw plainFailure(printable(reason, 1_000));
  // Includes a stop that came too late for the engine or while the journal could not be written: the kill switch has
  // it.
  const standing =
    kind === "refused" ? (ending.tradingState ?? FRESH) : joined(killSwitch.standing(), ending.tradingState ?? FRESH);
  const isStopped = standing.state === "HALTED";
  if (kind === "refused")
    throw new CommandFailure(isStopped ? exitCode.halted : exitCode.refused, printable(reason, 1_000));
  const waiting = open.flatMap(shownOf);
  terminal.print(`stopped (${printable(reason)}); the journal is ${journal}`);
  if (waiting.length === 0) terminal.print("nothing is open");
  else terminal.print(`still open; the next start continues with:`);
  for (const one of waiting)
    terminal.print(
      `  ${printable(titleOf(one))}  ${stageOf(one)}${abandoned.includes(one.id) ? ", its answer was not waited for" : ""}  ${one.id}`,
    );
  if (isStopped) {
    terminal.print(`${standing.state}: ${printable(standing.reason, 500)}`);
    terminal.print(`way out: ${printable(standing.wayOut, 500)}`);
    for (const stop of standing.also) terminal.print(`also ${stop.state}: ${printable(stopText(stop), 1_000)}`);
  }
  terminal.print(session);
  const unwritten = killSwitch.unwritten();
  if (unwritten !== undefined) throw new CommandFailure(exitCode.halted, unwritten, HALT_FIRST);
  const failed = failure();
  if (failed !== undefined) throw plainFailure(failed, "start again: the bot continues from its state");
  return isStopped ? exitCode.halted : exitCode.done;
}

function sessionText(status: Status): string {
  const { mode, at, startedAt = at } = status;
  return `${mode} for ${durationText(at - startedAt)}: ${summaryLine(status)}`;
}
