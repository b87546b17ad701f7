// How far long work has come, in one line that is drawn in place on a terminal: the part done, the rate, the time left.

import type { Clock } from "../../domain/time.ts";
import type { Terminal } from "./terminal.ts";

export interface Progress {
  /** So much of the total is done; `before` of it was done before this began. */
  at(done: number, before?: number): void;
  /** The line goes away. */
  end(): void;
}

type Work = {
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
    at(done, before = 0) {
      const now = clock.monotonic();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      terminal.renote(progressLine(work, { done, before }, (now - began) / 1_000));
    },
    end: () => terminal.renote(""),
  };
}

type Done = { readonly done: number; readonly before: number };

function progressLine({ what, total, rateText }: Work, { done, before }: Done, seconds: number): string {
  const part = Math.min(1, done / total);
  const own = done - before;
  const left = Math.max(0, Math.ceil((seconds * (total - done)) / own));
  const pace = own > 0 ? `  ${rateText(own / seconds)}  ${left} s left` : "";
  return `${what}  ${barOf(part)} ${Math.floor(part * 100)} %${pace}`;
}

const BAR = 20;

function barOf(part: number): string {
  const filled = Math.round(part * BAR);
  return `${"\u2588".repeat(filled)}${"\u2591".repeat(BAR - filled)}`;
}
