// How a command is stopped. Signals and a closed stdout end the process at once, unless the running command has asked
// for a stop signal: then the first signal aborts that, and one that comes more than a second later ends the process.
// Until then no listener is installed, so that the system ends the process: a listener is not called while a backtest
// computes. Only the first process of a container listens from its start, because the system never ends it by default.

import { isatty } from "node:tty";
import { leave } from "../app/system/leave.ts";
import { explainLoss } from "../app/terminal/terminal.ts";
import { exitCode } from "../domain/exit-code.ts";
import type { Clock, Mono } from "../domain/time.ts";

interface Stop {
  /**
   * From now on a stop only aborts this signal. With `onHangUp`, SIGHUP calls it and does not stop; if the process has
   * a terminal, whose end SIGHUP may report, it still stops.
   */
  signal(onHangUp?: () => void): AbortSignal;
}

/** Shells report a process ended by a signal as 128 plus the signal's number. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** One stop arrives several times, and as different signals: a terminal, npm and a supervisor each deliver it. */
const SAME_WISH_MS = 1_000;
const FIRST_PID = 1;

export function watchForStop(clock: Pick<Clock, "monotonic">): Stop {
  let controller: AbortController | undefined;
  let hangUp: (() => void) | undefined;
  let firstAt: Mono | undefined;
  const stop = (cause: string, code: number): void => {
    if (controller === undefined) leave(code);
    controller.abort(cause);
  };
  const hear = (name: string, code: number): void => {
    if (name === "SIGHUP" && hangUp !== undefined) {
      hangUp();
      return;
    }
    const now = clock.monotonic();
    firstAt ??= now;
    if (now - firstAt >= SAME_WISH_MS) leave(code);
    stop(name, code);
  };
  const listen = (): void => {
    for (const [name, code] of Object.entries(SIGNAL_CODES)) process.on(name, () => hear(name, code));
  };
  const isFirst = process.pid === FIRST_PID;
  if (isFirst) listen();
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    const lost = explainLoss(error);
    if (lost === undefined) return stop("stdout closed", exitCode.done);
    // A command with a stop signal reports the loss at its end, when its exit code is known.
    if (controller === undefined) process.stderr.write(`${lost}\n`);
    stop("stdout failed", exitCode.failed);
  });
  // No output is left to report this on.
  process.stderr.on("error", () => undefined);
  return {
    signal(onHangUp) {
      if (![0, 1, 2].some((fd) => isatty(fd))) hangUp = onHangUp;
      if (controller === undefined) {
        controller = new AbortController();
        if (!isFirst) listen();
      }
      return controller.signal;
    },
  };
}

/**
 * Until the returned function is called, a signal first runs `undo`. It is handled only between turns of the event
 * loop, and before the listener of a container's first process exits.
 */
export function undoOnSignal(undo: () => void): () => void {
  const listeners = Object.entries(SIGNAL_CODES).map(([name, code]) => {
    const listener = (): void => {
      undo();
      leave(code);
    };
    process.prependListener(name, listener);
    return { name, listener };
  });
  return () => {
    for (const { name, listener } of listeners) process.off(name, listener);
  };
}
