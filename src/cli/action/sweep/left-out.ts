// Parameter sets of a search that are not run, in words.

/** A parameter set that the strategy or the market refuses, and why. */
export type UnmetHoldings = { readonly set: string; readonly reason: string };

/** As many are named of those that are left out. */
const NAMED = 3;

/** The first sets, and each reason once: most sets are refused for the same one. */
export function leftOutText(leftOut: readonly UnmetHoldings[]): string {
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  const others = reasons.slice(NAMED).reduce((sum, [, sets]) => sum + sets.length, 0);
  const texts = reasons.slice(0, NAMED).map(([reason, sets]) => {
    const named = sets.slice(0, NAMED).map(({ set }) => set);
    const rest = sets.length - named.length;
    return `${named.join(", ")}${rest === 0 ? "" : ` and ${rest} more`} (${reason})`;
  });
  return [...texts, ...(others === 0 ? [] : [`${others} more`])].join("; ");
}
