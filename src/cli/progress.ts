// How far long work has come, in one line that is drawn in place on a terminal: the part done, the rate, the time left.

import type { Clock } from "../domain/time.ts";
import type { Terminal } from "./terminal.ts";

export interface Progress {
  /** So much of the total is done. */
  at(done: number): void;
  /** The line goes away. */
  end(): void;
}

export type Work = {
  /** `reading prices.csv`. */
  readonly what: string;
  readonly total: number;
  /** `40 MiB/s`, from the total's unit per second. */
  readonly rateText: (perSecond: number) => string;
};

const REDRAW_MS = 200;

export function openProgress(terminal: Pick<Terminal, "renote">, clock: Clock, work: Work): Progress {
  const began = clock.monotonic();
  let drawnAt: number = began;
  return {
    at(done) {
      const now = clock.monotonic();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      terminal.renote(progressLine(work, done, (now - began) / 1_000));
    },
    end: () => terminal.renote(""),
  };
}

function progressLine({ what, total, rateText }: Work, done: number, seconds: number): string {
  const part = Math.min(1, done / total);
  const left = Math.max(0, Math.ceil((seconds * (total - done)) / done));
  return `${what}  ${Math.floor(part * 100)} %  ${rateText(done / seconds)}  ${left} s left`;
}
