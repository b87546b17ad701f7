// Refusals in the log. A strategy that proposes at every quote what a rule refuses would fill a disk with one sentence: the same refusal
// (rule, side and pair) is logged when it first comes, and after that once a minute, with their number. Journal, metrics and page have
// all of them.

import type { Mono } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import type { Log, LogLine } from "../../watch/log.ts";

const EVERY_MS = 60_000;
/** Told apart up to this many; of more, as when a strategy makes up pairs, only the rules. */
const KINDS_MAX = 1_000;

type Echo = { readonly since: Mono; last: LogLine; more: number };

export class RefusalEcho {
  readonly #now: () => Mono;
  readonly #log: Log;
  readonly #echoes = new Map<string, Echo>();

  constructor(now: () => Mono, log: Log) {
    this.#now = now;
    this.#log = log;
  }

  /** Logs the line at once, or counts it where the same refusal was logged in the last minute. */
  log(line: LogLine): void {
    const key = this.#keyOf(line);
    const echo = line.event === "decision.refused" ? this.#echoes.get(key) : undefined;
    if (echo !== undefined) {
      echo.last = line;
      echo.more++;
      return;
    }
    if (line.event === "decision.refused") this.#echoes.set(key, { since: this.#now(), last: line, more: 0 });
    this.#log(line);
  }

  /** Logs what was counted for so long; to be called every few seconds, and with 0 at the end. */
  look(ageMs = EVERY_MS): void {
    const at = this.#now();
    for (const [key, { since, last, more }] of this.#echoes) {
      if (at - since < ageMs) continue;
      this.#echoes.delete(key);
      if (more === 0) continue;
      const text = `${last.text} (the last of ${more} more in ${durationText(at - since)})`;
      this.#log({ ...last, text, fields: { ...last.fields, more } });
      this.#echoes.set(key, { since: at, last, more: 0 });
    }
  }

  #keyOf({ fields }: LogLine): string {
    const key = [fields?.rule, fields?.side, fields?.symbol].join(" ");
    return this.#echoes.size < KINDS_MAX || this.#echoes.has(key) ? key : String(fields?.rule);
  }
}
