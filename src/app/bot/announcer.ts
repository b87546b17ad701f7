// The reports of a run: a log line, a note on the board and, where a person must know, a notice. A failing observer is
// reported as a problem and stops nothing.

import { errorMessage } from "../../domain/error-message.ts";
import type { Clock, Mono } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import type { Log, LogLine } from "../../watch/log.ts";

export interface Announcer {
  readonly log: Log;
  /** Undefined until the notice channels are open. */
  notices: { readonly look: () => void; readonly warn: (what: string) => void } | undefined;
  say(level: LogLine["level"], event: string, text: string): void;
  /** Like `say`, and sends a notice; level `info` for good news. */
  call(level: "info" | "warn", event: string, text: string): void;
  /** A repeated problem is logged once a minute. */
  problem(code: string, message: string): void;
  /** Runs an observer: an error in it is reported as a problem and does not end the run. */
  aside(work: () => void): void;
}

const PROBLEM_EVERY_MS = 60_000;

export function createAnnouncer(clock: Pick<Clock, "monotonic">, log: Log, note: (text: string) => void): Announcer {
  const problems = new Map<string, Mono>();
  const announcer: Announcer = {
    log,
    notices: undefined,
    say(level, event, text) {
      note(text);
      log({ level, event, text });
    },
    call(level, event, text) {
      announcer.say(level, event, text);
      announcer.notices?.warn(text);
    },
    problem(code, message) {
      const now = clock.monotonic();
      const last = problems.get(code);
      if (last !== undefined && now - last < PROBLEM_EVERY_MS) return;
      problems.set(code, now);
      announcer.say("warn", "problem", `${code}: ${message}`);
    },
    aside(work) {
      try {
        work();
      } catch (error) {
        announcer.problem("watching", errorMessage(error));
      }
    },
  };
  return announcer;
}

// Limits refusals in the log. A strategy that proposes a refused order at every quote would fill the disk: the same
// refusal (rule, side and pair) is logged when it first occurs, and then once a minute with its count. Journal, metrics
// and page have all of them.

const EVERY_MS = 60_000;
/**
 * The maximum number of distinct refusals; beyond it, as when a strategy invents pairs, only rules are distinguished.
 */
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

  /** Logs the line at once, or counts it if the same refusal was logged within the last minute. */
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

  /** Logs the refusals counted for at least `ageMs`; called every few seconds, and with 0 at the end. */
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
