// The last words of a run: what is still open, in which state it ended, and the exit code that says the same.

import type { Ending } from "../../bot/pipeline.ts";
import { printable } from "../../domain/outside-text.ts";
import { FRESH, joined } from "../../risk/standing.ts";
import { shownOf } from "../../watch/status/submission-list.ts";
import { stageOf, titleOf } from "../../watch/status.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import { stopText } from "../terminal/standing-lines.ts";

/** Ended with a stop that the next start would not know: exit 5, which no supervisor of ours restarts. */
export const HALT_FIRST = 'pegbot halt "..." before the next start';

type End = {
  /** Why it could not go on, when nobody asked it to stop. */
  readonly failure: () => string | undefined;
  readonly journal: string;
  readonly killSwitch: Pick<KillSwitch, "standing" | "unwritten">;
};

export function endingReport({ terminal }: Shell, ending: Ending, { failure, journal, killSwitch }: End): ExitCode {
  const { kind, reason, open, abandoned } = ending;
  if (kind === "failed") throw new CommandFailure(exitCode.failed, printable(reason, 1_000));
  // What came too late for the engine, or when the journal could not be written, is on disk all the same.
  const standing =
    kind === "refused" ? (ending.standing ?? FRESH) : joined(killSwitch.standing(), ending.standing ?? FRESH);
  const isStopped = standing.state === "HALTED";
  if (kind === "refused")
    throw new CommandFailure(isStopped ? exitCode.halted : exitCode.refused, printable(reason, 1_000));
  const waiting = open.flatMap(shownOf);
  terminal.print(`stopped (${printable(reason)}); the journal is ${journal}`);
  if (waiting.length === 0) terminal.print("nothing is open");
  else terminal.print(`still open, the next start goes on with it:`);
  for (const one of waiting)
    terminal.print(
      `  ${printable(titleOf(one))}  ${stageOf(one)}${abandoned.includes(one.id) ? ", its answer was not waited for" : ""}  ${one.id}`,
    );
  if (isStopped) {
    terminal.print(`${standing.state}: ${printable(standing.reason, 500)}`);
    terminal.print(`way out: ${printable(standing.wayOut, 500)}`);
    for (const stop of standing.also) terminal.print(`also ${stop.state}: ${printable(stopText(stop), 1_000)}`);
  }
  const unwritten = killSwitch.unwritten();
  if (unwritten !== undefined) throw new CommandFailure(exitCode.halted, unwritten, HALT_FIRST);
  const failed = failure();
  if (failed !== undefined) throw new CommandFailure(exitCode.failed, failed, "start again: it goes on from its state");
  return isStopped ? exitCode.halted : exitCode.done;
}
