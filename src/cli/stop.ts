// How a command is asked to end. Signals and a closed stdout end the process at once, unless the running command has said
// that it ends itself: then the first signal asks it to, and one that comes later than a second after it does not wait.
// Until then nobody listens, so that the system ends it: a listener is not called while a backtest computes. Only the first
// process of a container listens from its start: the system never ends that one by itself.

import { isatty } from "node:tty";
import { exitCode } from "../app/exit-code.ts";
import { leave } from "../app/system/leave.ts";
import { explainLoss } from "../app/terminal/terminal.ts";
import type { Clock, Mono } from "../domain/time.ts";

interface Stop {
  /**
   * From now on the wish to stop only aborts this signal. With `onHangUp` SIGHUP is no such wish, and calls it; where the process has a
   * terminal, whose end SIGHUP may be, it stays one.
   */
  signal(onHangUp?: () => void): AbortSignal;
}

/** Shells report a process that a signal ended as 128 and the signal's number. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** One wish to stop arrives several times, and by more than one name: a terminal, npm and a supervisor each deliver it. */
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
    // A command that ends itself says it at its end, where its exit code is known.
    if (controller === undefined) process.stderr.write(`${lost}\n`);
    stop("stdout failed", exitCode.failed);
  });
  // There is nobody left to tell.
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
 * Until what it gives back is called, a signal first undoes what is half done. It is heard between turns only, and before the
 * first process of a container, which listens already, leaves.
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
