// The reports of a run: a log line, a note on the board and, where a person must know, a notice. A failing observer is
// reported as a problem and stops nothing.

import { errorMessage } from "../../domain/error-message.ts";
import type { Clock, Mono } from "../../domain/time.ts";
import type { Log, LogLine } from "../../watch/log.ts";
import { Memory } from "../../watch/memory.ts";

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
// refusal (rule, side and pair) is logged once a minute, with the number of those left out since. Journal, metrics and
// page have all of them.

const EVERY_MS = 60_000;

export function refusalEcho(now: () => Mono, log: Log): Log {
  const logged = new Memory<{ readonly at: Mono; more: number }>();
  return (line) => {
    if (line.event !== "decision.refused") return log(line);
    const { rule, side, symbol } = line.fields ?? {};
    const key = [rule, side, symbol].join(" ");
    const last = logged.get(key);
    if (last !== undefined && now() - last.at < EVERY_MS) {
      last.more++;
      return;
    }
    const more = last?.more ?? 0;
    logged.set(key, { at: now(), more: 0 });
    log(more === 0 ? line : { ...line, text: `${line.text} (and ${more} before)`, fields: { ...line.fields, more } });
  };
}
