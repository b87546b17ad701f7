// The progress of long work in one line, redrawn in place on a terminal: the part done, the rate, the time left.

import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { printable } from "../../domain/sanitise.ts";
import type { Clock } from "../../domain/time.ts";
import type { Shell } from "../shell.ts";
import type { Terminal } from "./terminal.ts";

interface Progress {
  /** `done` of the total; `before` of it was done before this work began. */
  at(done: number, before?: number): void;
  /** Clears the line. */
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
  terminal.renote(progressLine(work, { done: 0, before: 0 }, 0));
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

const MIB = 2 ** 20;

export function readingProgress({ terminal, clock }: Shell, path: string, more: readonly string[] = []): Progress {
  const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
  return openProgress(terminal, clock, {
    what: `reading ${printable(basename(path), 60)}${more.length === 0 ? "" : ` and ${more.length} more`}`,
    total: [path, ...more].reduce((sum, file) => sum + sizeOf(file), 0),
    rateText: (bytes) => `${(bytes / MIB).toFixed(0)} MiB/s`,
  });
}
