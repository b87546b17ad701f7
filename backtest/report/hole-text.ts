// Holes in the prices of a run, in words.

import type { Holes } from "../record/run-record.ts";
import { counted, duration, minute, number } from "./format.ts";

export function holeText({ symbol, limitMs, count, totalMs, longest, refused, turnedAway }: Holes): string {
  const times = count === 1 ? "once" : `${number(count, 0)} times`;
  const where = `${minute(longest.from)} to ${minute(longest.to)}`;
  const longestText = count === 1 ? where : `the longest ${where}`;
  const wanted = `${counted(refused, "proposal")} refused meanwhile, ${number(turnedAway, 0)} of its orders not filled`;
  return `${symbol} was closed ${times}, for ${duration(totalMs)} (${longestText}), where rows are more than ${duration(limitMs)} apart; ${wanted}`;
}
