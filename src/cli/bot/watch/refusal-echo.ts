// Refusals in the log. A strategy that proposes at every quote what a rule refuses would fill a disk with one sentence: the same refusal
// (rule, side and pair) is said when it first comes, and after that once a minute, with how many there were. Journal, metrics and
// page have all of them.

import type { PairSymbol } from "../../../domain/asset.ts";
import type { Mono } from "../../../domain/time.ts";
import { durationText } from "../../../domain/time-text.ts";
import type { Log, LogLine } from "../../../telemetry/log.ts";

const SAID_EVERY_MS = 60_000;

type Echo = {
  readonly since: Mono;
  last: LogLine;
  more: number;
};

type EchoParts = {
  readonly now: () => Mono;
  readonly log: Log;
  /** Nothing more is said of the pair for now: everybody knows why it is refused. */
  readonly isQuiet: (symbol: PairSymbol) => boolean;
};

export class RefusalEcho {
  readonly #parts: EchoParts;
  readonly #said = new Map<string, Echo>();

  constructor(parts: EchoParts) {
    this.#parts = parts;
  }

  /** Whether the line is to be said at once. A refusal that was said already is counted instead. */
  isNew(line: LogLine): boolean {
    const { event, fields } = line;
    if (event !== "decision.refused") return true;
    const key = [fields?.rule, fields?.side, fields?.symbol].join(" ");
    const echo = this.#said.get(key);
    if (echo === undefined) {
      this.#said.set(key, { since: this.#parts.now(), last: line, more: 0 });
      return true;
    }
    echo.last = line;
    echo.more++;
    return false;
  }

  /** To be called now and then. */
  look(): void {
    const { now, log, isQuiet } = this.#parts;
    const at = now();
    for (const [key, { since, last, more }] of this.#said) {
      if (at - since < SAID_EVERY_MS || isQuiet(last.fields?.symbol as PairSymbol)) continue;
      this.#said.delete(key);
      if (more === 0) continue;
      const text = `${last.text} (the last of ${more} more in ${durationText(at - since)})`;
      log({ ...last, text, fields: { ...last.fields, more } });
      this.#said.set(key, { since: at, last, more: 0 });
    }
  }
}
