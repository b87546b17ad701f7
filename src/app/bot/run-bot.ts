// The life of a bot under `start` and `run`: configuration in, exit code out. What it needs is opened, handed to the pipeline,
// which is the only wiring there is, and closed in order, however it ends.

import { runPipeline } from "../../bot/pipeline.ts";
import type { Config } from "../../config/schema.ts";
import { isStrategyFile } from "../../config/section/strategy.ts";
import { thrownText } from "../../domain/thrown-text.ts";
import { keepGuestsIn } from "../../strategy/guest.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { hearKillSignal, type KillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { BotOrder } from "./bot-order.ts";
import { type Closing, createClosing } from "./closing.ts";
import { endingReport, HALT_FIRST } from "./ending-report.ts";
import { LimitsInForce } from "./limits.ts";
import { waitForAnswer } from "./live-conditions.ts";
import { type OpenedBot, openBot } from "./open-bot.ts";

export async function runBot(shell: Shell, order: BotOrder): Promise<ExitCode> {
  // All before anything else: no signal may find this process without a listener.
  const limits = new LimitsInForce(order);
  const stopSignal = shell.stopSignal(order.file === undefined ? undefined : () => limits.reload("SIGHUP"));
  const killSignal = hearKillSignal();
  const closing = createClosing();
  closing.add(() => killSignal.close());
  closing.add(keepGuestsIn());
  try {
    const opened = await openBot(shell, order, limits, closing);
    const stop = stopOf(order, stopSignal, opened, closing);
    killSignal.arm(opened.killSwitch.kill);
    if (opened.conditions === "unanswered") {
      opened.view.watcher.phase?.({ kind: "waiting" });
      await waitForAnswer(opened.venue, systemTimers, stop.signal);
    }
    const { killSwitch } = opened;
    const ending = await runPipeline(opened.parts, stop.signal).catch((error: unknown) => {
      throw unkept(error, killSwitch);
    });
    opened.view.close();
    return endingReport(shell, ending, { failure: stop.failure, journal: order.config.journal.path, killSwitch });
  } finally {
    const failures = await closing.all();
    for (const failure of failures) shell.terminal.note(`while closing: ${String(failure)}`);
  }
}

/** A bug, whose halt is in neither journal nor kill file. */
function unkept(error: unknown, killSwitch: Pick<KillSwitch, "unwritten">): unknown {
  const unwritten = killSwitch.unwritten();
  if (unwritten === undefined) return error;
  return new CommandFailure(exitCode.halted, `${thrownText(error)}; ${unwritten}`, HALT_FIRST);
}

type Stop = { readonly signal: AbortSignal; readonly failure: () => string | undefined };

/** A person, the end of the time that was given, or the death of the embedded venue. */
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
