// Books that opened after the run began, in words.

import { openedAt } from "../metric/worth.ts";
import type { RunRecord } from "../record/run-record.ts";
import { duration, minute } from "./format.ts";

/** Undefined where they opened with it, or never did: the figures say that themselves. */
export function openedText(record: Pick<RunRecord, "samples" | "settings">): string | undefined {
  const { from, to } = record.settings;
  const at = openedAt(record);
  if (at === undefined || at <= from) return undefined;
  return `the books open at ${minute(at)} UTC, ${duration(at - from)} after the run begins: before that something held had no price. Profit, return and every figure a day or a year are of the ${duration(to - at)} from there`;
}
