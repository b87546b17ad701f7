// Refusals in the log. A strategy that proposes at every quote what a rule refuses would fill a disk with one sentence: the same refusal
// (rule, side and pair) is said when it first comes, and after that once a minute, with how many there were. Journal, metrics and
// page have all of them.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Mono } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import type { Log, LogLine } from "../../watch/log.ts";

const SAID_EVERY_MS = 60_000;
/** So many are told apart; of more, as when a strategy makes up pairs, only the rules. */
const KINDS_MAX = 1_000;

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
    if (line.event !== "decision.refused") return true;
    const key = this.#keyOf(line);
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
    const { now, isQuiet } = this.#parts;
    const at = now();
    for (const [key, echo] of this.#said) {
      // An answer that is no proposal has no pair.
      const symbol = echo.last.fields?.symbol as PairSymbol | undefined;
      if (at - echo.since < SAID_EVERY_MS || (symbol !== undefined && isQuiet(symbol))) continue;
      this.#said.delete(key);
      if (echo.more === 0) continue;
      this.#sum(echo, at);
      this.#said.set(key, { since: at, last: echo.last, more: 0 });
    }
  }

  /** What was counted and not said yet. */
  end(): void {
    const at = this.#parts.now();
    for (const echo of this.#said.values()) if (echo.more > 0) this.#sum(echo, at);
    this.#said.clear();
  }

  #keyOf({ fields }: LogLine): string {
    const key = [fields?.rule, fields?.side, fields?.symbol].join(" ");
    return this.#said.size < KINDS_MAX || this.#said.has(key) ? key : String(fields?.rule);
  }

  #sum({ since, last, more }: Echo, at: Mono): void {
    const text = `${last.text} (the last of ${more} more in ${durationText(at - since)})`;
    this.#parts.log({ ...last, text, fields: { ...last.fields, more } });
  }
}
