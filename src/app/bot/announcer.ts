// What a run reports: a line of the log and a note on the board, and a message to people where they must know. An observer that
// fails is reported as a problem, and stops nothing.

import { errorMessage } from "../../domain/error-message.ts";
import type { Clock, Mono } from "../../domain/time.ts";
import type { Log, LogLine } from "../../watch/log.ts";
import type { Notices } from "../../watch/notices/notices.ts";

export interface Announcer {
  readonly log: Log;
  /** Undefined until there are channels to people. */
  notices: Pick<Notices, "record" | "trouble" | "warn"> | undefined;
  say(level: LogLine["level"], event: string, text: string): void;
  /** The same with a message to people; `info` where it is good news. */
  call(level: "info" | "warn", event: string, text: string): void;
  /** The same trouble again and again is one line a minute. */
  problem(code: string, message: string): void;
  /** Runs what only observes: where it throws, that is a problem, and no end. */
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
