// Messages that nobody gets. Each is counted, so that the next one that goes out says how many there were. Of what comes in numbers the
// first is told; what people must know is named each time, since nobody else will tell them.

import { isOneOfMany } from "./hour.ts";
import type { Message } from "./notice.ts";

/** Without a reason: it was told of one before, and nothing has gone out since. */
export type Told = (outcome: "sent" | "failed" | "dropped", reason: string | undefined) => void;

export interface LeftOut {
  add(message: Message): void;
  /** Nothing goes out after it that could say so. */
  atTheEnd(message: Message): void;
  /** How many there were since somebody was told; from now on they are said. */
  claim(): number;
  /** They were not said after all. */
  giveBack(count: number): void;
}

export function createLeftOut(told: Told, why: string): LeftOut {
  let count = 0;
  return {
    add(message) {
      count++;
      if (!isOneOfMany(message)) told("dropped", `${why}: ${shortOf(message)}`);
      else told("dropped", count === 1 ? why : undefined);
    },
    atTheEnd(message) {
      if (!isOneOfMany(message)) told("dropped", `the bot stopped before it was sent: ${shortOf(message)}`);
    },
    claim() {
      const claimed = count;
      count = 0;
      return claimed;
    },
    giveBack(unsaid) {
      count += unsaid;
    },
  };
}

const SHORT_MAX = 120;

/** What it is about, for a log: `pegbot paper: plan, plan R-1 was stopped: ...`. */
function shortOf({ title, text }: Message): string {
  const [line = ""] = text.split("\n");
  return `${title}, ${line.length <= SHORT_MAX ? line : `${line.slice(0, SHORT_MAX - 1)}…`}`.toWellFormed();
}
