// What a run says: a line of the log and a note on the board, and a message to people where they must know. Whoever only watches
// and fails is told of as a problem, and stops nothing.

import type { Clock, Mono } from "../../domain/time.ts";
import type { Log, LogLine } from "../../watch/log.ts";
import type { Notices } from "../../watch/notices/notices.ts";

/** Who tells people. */
export type Teller = Pick<Notices, "record" | "trouble" | "warn">;

export interface Voice {
  readonly log: Log;
  /** Undefined until there is somebody to tell people. */
  readonly teller: Teller | undefined;
  /** From now on people are told. */
  tell(teller: Teller): void;
  say(level: LogLine["level"], event: string, text: string): void;
  /** Said, and told to people; `info` where what it tells is good. */
  call(level: "info" | "warn", event: string, text: string): void;
  /** The same trouble again and again is one line a minute. */
  problem(code: string, message: string): void;
  /** Does what only watches or tells: when it fails that is a problem, and no end. */
  aside(work: () => void): void;
}

const PROBLEM_EVERY_MS = 60_000;

export function createVoice(clock: Pick<Clock, "monotonic">, log: Log, note: (text: string) => void): Voice {
  const problems = new Map<string, Mono>();
  let teller: Teller | undefined;

  function say(level: LogLine["level"], event: string, text: string): void {
    note(text);
    log({ level, event, text });
  }

  function problem(code: string, message: string): void {
    const now = clock.monotonic();
    const toldAt = problems.get(code);
    if (toldAt !== undefined && now - toldAt < PROBLEM_EVERY_MS) return;
    problems.set(code, now);
    say("warn", "problem", `${code}: ${message}`);
  }

  return {
    log,
    get teller() {
      return teller;
    },
    tell(one) {
      teller = one;
    },
    say,
    call(level, event, text) {
      say(level, event, text);
      teller?.warn(text);
    },
    problem,
    aside(work) {
      try {
        work();
      } catch (error) {
        problem("watching", error instanceof Error ? error.message : String(error));
      }
    },
  };
}
