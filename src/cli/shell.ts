// What every command is given, and the one place where a command begins and ends: output, clock, the path of the
// configuration, the wish to stop; then the exit code, or the one line that says why not.

import { debugging } from "../config/environment.ts";
import type { Clock } from "../domain/time.ts";
import { CommandFailure } from "./command-failure.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

export interface Shell {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** As given by --config, or the default; relative to the working directory. */
  readonly configFile: string;
  /**
   * Without this call SIGINT, SIGTERM or a closed stdout end the process at once. A command that must end in order (it
   * moves money, or runs until stopped) calls it first: from then on they only abort the signal, and the command ends itself.
   */
  stopSignal(): AbortSignal;
}

/** Runs the work of a command; commands hand their actions to this. */
export type Run = (work: (shell: Shell) => Promise<ExitCode> | ExitCode) => Promise<void>;

/** The text for an error that ended a command, and its exit code. */
export function explain(error: unknown): { readonly lines: readonly string[]; readonly code: ExitCode } {
  const stack = debugging() && error instanceof Error && error.stack !== undefined ? [error.stack] : [];
  if (error instanceof CommandFailure) {
    const next = error.next === undefined ? "" : `; ${error.next}`;
    return { lines: [`pegbot: ${error.message}${next}`, ...stack], code: error.code };
  }
  if (isSystemError(error)) return { lines: [`pegbot: ${error.message}`, ...stack], code: exitCode.failed };
  const message = error instanceof Error ? error.message : String(error);
  const hint = stack.length === 0 ? "; this is a bug in pegbot: PEGBOT_DEBUG=1 shows where" : "";
  return { lines: [`pegbot: invariant: ${message}${hint}`, ...stack], code: exitCode.failed };
}

/** The machine refused something (a file, a socket): a failure, not a bug. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}
