// How a bot ended that did not trade to the end, in words: the first thing to know of its figures.

import type { RunRecord } from "../record/run-record.ts";
import { duration, second } from "./format.ts";

/** Undefined where it did, or where nobody looked. */
export function endedText({ ended, settings }: Pick<RunRecord, "ended" | "settings">): string | undefined {
  if (ended === undefined || ended.state === "ACTIVE") return undefined;
  const { state, since, reason } = ended;
  const { from, to } = settings;
  const what = state === "REDUCED" ? "the bot only reduced exposure at the end" : "the bot did not trade to the end";
  const when = `after ${duration(Math.max(0, since - from))} of ${duration(to - from)}`;
  return `${what}: ${state} since ${second(since)} UTC, ${when} (figures count the whole time): ${reason}`;
}
