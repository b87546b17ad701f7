// Seam: how a command is asked to end. Signals and a closed stdout end the process at once, unless the running command
// has said that it ends itself.

export interface Stop {
  /** From now on the wish to stop only aborts this signal. */
  signal(): AbortSignal;
}

/** Shells report a process that a signal ended as 128 and the signal's number. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function watchForStop(): Stop {
  let controller: AbortController | undefined;
  const stop = (cause: string, code: number): void => {
    if (controller === undefined) process.exit(code);
    controller.abort(cause);
  };
  for (const [name, code] of Object.entries(SIGNAL_CODES)) process.on(name, () => stop(name, code));
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader has seen enough (`pegbot config schema | head -1`): not a failure.
    if (error.code !== "EPIPE") throw error;
    stop("stdout closed", 0);
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    signal() {
      controller ??= new AbortController();
      return controller.signal;
    },
  };
}
