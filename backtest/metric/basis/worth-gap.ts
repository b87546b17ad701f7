// Time in which nobody can say what all that is held is worth. A figure of equity over the rest would be read as one of the run.

import type { RunRecord } from "../../record/run-record.ts";
import { duration } from "../../report/format.ts";
import { type Figure, notAvailable } from "./figure.ts";

/** Of the time since the books opened: a moment without a rate moves no figure, hours do. */
const UNKNOWN_MAX = 0.01;

/** Why there is no figure of equity; undefined where it is known nearly all the time, and at the end. */
export function worthGap({ samples, settings }: Pick<RunRecord, "samples" | "settings">): Figure<never> | undefined {
  const { length, time } = samples;
  const isUnknown = (row: number): boolean =>
    Number.isNaN((samples.equity[row] as number) + (samples.benchmark[row] as number));
  let first = 0;
  while (first < length && isUnknown(first)) first++;
  if (first === length) return undefined;
  let unknownMs = 0;
  for (let row = first; row < length; row++)
    if (isUnknown(row)) unknownMs += (time[row + 1] ?? settings.to) - (time[row] as number);
  const allMs = settings.to - (time[first] as number);
  const isLong = unknownMs > UNKNOWN_MAX * allMs;
  if (!isLong && !isUnknown(length - 1)) return undefined;
  const when = isLong ? `for ${duration(unknownMs)} of ${duration(allMs)}` : "at the end";
  return notAvailable(`equity is unknown ${when}: ${unratedText(samples)} has no rate in ${settings.currency}`);
}

function unratedText({ assets }: RunRecord["samples"]): string {
  const unrated = assets.filter(({ held, rate }) =>
    held.some((amount, row) => amount !== 0 && Number.isNaN(rate[row])),
  );
  return unrated.length === 0 ? "something held" : unrated.map(({ asset }) => asset).join(", ");
}
