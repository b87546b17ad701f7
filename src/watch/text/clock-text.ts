// How far our clock is from the venue's, in words, and the time that the bot goes by for it.

import { type Millis, millis } from "../../domain/time.ts";

/** The venue's Date is cut to the second, and its answers take their way: less than these is no skew. PegbotClockSkew has the same. */
const BEHIND_MS_MAX = 1_000;
const AHEAD_MS_MAX = 2_000;

/** `skewMs`: our clock less the venue's. Undefined where they agree, or nobody has compared them. */
export function clockText(skewMs: number | undefined): string | undefined {
  if (skewMs === undefined || (skewMs >= -BEHIND_MS_MAX && skewMs <= AHEAD_MS_MAX)) return undefined;
  const how = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs < 0 ? "behind" : "ahead of"} the venue's`;
  return `${how}: mend this machine's time service`;
}

/** Our clock less what it is ahead of the venue's: ages and ends are counted by it, as by the bot itself. */
export function ownTime(at: Millis, skewMs: number | undefined): Millis {
  return millis(at - Math.max(0, Math.floor(skewMs ?? 0)));
}
