// How far our clock is from the venue's, in words.

/** The venue's Date is cut to the second, and its answers take their way: less than these is no skew. PegbotClockSkew has the same. */
const BEHIND_MS_MAX = 1_000;
const AHEAD_MS_MAX = 2_000;

/** `skewMs`: our clock less the venue's. Undefined where they agree, or nobody has compared them. */
export function clockText(skewMs: number | undefined): string | undefined {
  if (skewMs === undefined || (skewMs >= -BEHIND_MS_MAX && skewMs <= AHEAD_MS_MAX)) return undefined;
  const how = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs < 0 ? "behind" : "ahead of"} the venue's`;
  return `${how}: mend this machine's time service`;
}
