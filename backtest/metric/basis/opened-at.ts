// When the books of a run open: with its beginning, or later where something held had no price at first. Figures a day and a
// year are of the time from there, since nothing before it is in them.

import { DAY_MS } from "../../../src/domain/time.ts";
import type { RunRecord } from "../../record/run-record.ts";

type Opened = Pick<RunRecord, "settings"> & { readonly samples: Pick<RunRecord["samples"], "time"> };

/** Undefined where they never did. */
export function openedAt({ samples }: Pick<Opened, "samples">): number | undefined {
  return samples.time[0];
}

/** Of the whole run where the books never opened. */
export function daysOpen({ samples, settings: { from, to } }: Opened): number {
  return (to - (openedAt({ samples }) ?? from)) / DAY_MS;
}
