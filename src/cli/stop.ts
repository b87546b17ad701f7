// How a command is asked to end. Signals and a closed stdout end the process at once, unless the running command has said
// that it ends itself; then a second Ctrl-C does.

import { exitCode } from "./exit-code.ts";

export interface Stop {
  /** From now on the wish to stop only aborts this signal. */
  signal(): AbortSignal;
}

/** Shells report a process that a signal ended as 128 and the signal's number. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function watchForStop(): Stop {
  let controller: AbortController | undefined;
  const stop = (cause: string, code: number): void => {
    const again = cause === "SIGINT" && controller?.signal.aborted === true;
    if (controller === undefined || again) process.exit(code);
    controller.abort(cause);
  };
  for (const [name, code] of Object.entries(SIGNAL_CODES)) process.on(name, () => stop(name, code));
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    const lost = explainLoss(error);
    if (lost === undefined) return stop("stdout closed", exitCode.done);
    process.stderr.write(`${lost}\n`);
    stop("stdout failed", exitCode.failed);
  });
  // There is nobody left to tell.
  process.stderr.on("error", () => undefined);
  return {
    signal() {
      controller ??= new AbortController();
      return controller.signal;
    },
  };
}

/** A closed pipe means that the reader has seen enough (`pegbot config schema | head -1`): not a failure, nothing to say. */
export function explainLoss(error: NodeJS.ErrnoException): string | undefined {
  return error.code === "EPIPE" ? undefined : `pegbot: the result cannot be written: ${error.message}`;
}
