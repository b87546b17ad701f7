// The environment of every command, and the one place where a command begins and ends: output, clock, configuration
// path, stop signal; then the exit code, or the one line with the reason of a failure.

import { debugging } from "../config/environment.ts";
import { databaseOf, isBusy, saidBy } from "../disk/sqlite-error.ts";
import { CommandFailure } from "../domain/command-failure.ts";
import { errorMessage } from "../domain/error-message.ts";
import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import { printable } from "../domain/sanitise.ts";
import type { Clock } from "../domain/time.ts";
import { isFull, isMachineFailure } from "../journal/file/sqlite-failure.ts";
import { STRAY_NEXT, strayError } from "../strategy/guest.ts";
import { codePage } from "./code-page.ts";
import type { Terminal } from "./terminal/terminal.ts";

const LINE_MAX = 2000;
/** The default of --config. */
export const CONFIG_FILE = "pegbot.yaml";

export interface Shell {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** As in `journal backup`. */
  readonly command?: string;
  /** As given by --config, or the default; relative to the working directory. */
  readonly configFile: string;
  /** --config was given, whichever file it names. */
  readonly isConfigNamed: boolean;
  /**
   * Without this call SIGINT, SIGTERM or a closed stdout end the process at once. A command that must end in order (it
   * moves money, or runs until stopped) calls it first: from then on they only abort the signal, and the command ends
   * itself. `onHangUp` runs on SIGHUP instead, unless the process has a terminal.
   */
  stopSignal(onHangUp?: () => void): AbortSignal;
}

/** Runs the work of a command; commands hand their actions to this. */
export type Run = (work: (shell: Shell) => Promise<ExitCode> | ExitCode) => Promise<void>;

/** The failure of a command as data; `error` as in an answer of the running bot's API, `page` of the code that it names. */
type Problem = Readonly<{ error: string; next?: string; page?: string; exitCode: ExitCode }>;

export function problemOf(error: unknown): Problem {
  const { message, next } = reason(error);
  const page = codePage(message);
  const code = error instanceof CommandFailure ? error.code : exitCode.failed;
  return { error: printable(message, LINE_MAX), ...(next && { next }), ...(page && { page }), exitCode: code };
}

/** The text for an error that ended a command, and its exit code. */
export function explain(error: unknown): { readonly lines: readonly string[]; readonly code: ExitCode } {
  const stack = debugging() && error instanceof Error && error.stack !== undefined ? [error.stack] : [];
  const { error: message, next, page, exitCode: code } = problemOf(error);
  const line = `pegbot: ${message}${next === undefined ? "" : `; ${next}`}`;
  return { lines: [printable(line, LINE_MAX), ...(page ? [`more: ${page}`] : []), ...stack], code };
}

function reason(error: unknown): { readonly message: string; readonly next?: string | undefined } {
  if (error instanceof CommandFailure) return error;
  const message = errorMessage(error);
  const stray = strayError(error);
  if (stray !== undefined) return { message: stray, next: STRAY_NEXT };
  if (isFull(error)) return { message, next: "free some disk space and start the same command again" };
  if (isBusy(error))
    return {
      message: `${saidBy(error)}: ${databaseOf(error) ?? "the journal or the key's file"} was locked for too long`,
      next: "pegbot status shows whether this was done, and if not, start the same command again",
    };
  const file = databaseOf(error);
  if (isMachineFailure(error)) return { message: file === undefined ? saidBy(error) : `${file}: ${saidBy(error)}` };
  return { message: `invariant: ${message}`, next: "this is a bug in pegbot: PEGBOT_DEBUG=1 shows where" };
}
