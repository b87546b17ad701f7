// An expected failure of a command: one line for the reader with the next step, and the exit code. Any other thrown
// error is our bug.

import { type ExitCode, exitCode } from "./exit-code.ts";
import type { Result } from "./result.ts";

export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly code: ExitCode;
  /** The reader's next step, as "run pegbot doctor". */
  readonly next: string | undefined;

  constructor(code: ExitCode, message: string, next?: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

/** Bad usage or a bad configuration. */
export function usageFailure(message: string, next?: string): CommandFailure {
  return new CommandFailure(exitCode.usage, message, next);
}

export function plainFailure(message: string, next?: string): CommandFailure {
  return new CommandFailure(exitCode.failed, message, next);
}

/** Refused by risk or by the venue. */
export function refusedFailure(message: string, next?: string): CommandFailure {
  return new CommandFailure(exitCode.refused, message, next);
}

/** For an unusable argument or setting. `name`: the argument, if the error text lacks it. */
export function orFail<T>(result: Result<T>, name?: string): T {
  if (!result.ok) throw usageFailure(name === undefined ? result.error : `${name}: ${result.error}`);
  return result.value;
}
