// How the bot stands, in the words of the bar and the banners. The bot itself says whether it is ready, and why not; one that
// was put back to an older version says nothing of it.

/** A state is one as long as the bot is heard, and green only while it is ready: `tone` is what colours it. */
export function stateShown({ standing, unready = [] }, isHeard) {
  const { state } = standing;
  if (!isHeard) return { text: `was ${state}`, tone: "unheard" };
  return { text: state, tone: state === "ACTIVE" && unready.length > 0 ? "unready" : state };
}

/** The pipeline's own word, unless something says that nothing may leave. */
export function doing({ standing: { state }, phase: { kind, text }, frozen, unready = [] }) {
  if (kind !== "trading") return text;
  if (state === "REDUCED") return "reducing only";
  if (state !== "ACTIVE") return "not trading, reading goes on";
  if (frozen?.startsWith("everything:")) return "not trading, everything is frozen";
  return unready.length === 0 ? text : "not ready";
}

/** Why it is not ready, where no stop and no phase says it already. */
export function unsaidReasons({ unready = [], phase }) {
  return phase.kind === "trading" ? unready.filter((reason) => !/^(REDUCED|HALTED|KILLED): /.test(reason)) : [];
}

/** The strictest first; none in ACTIVE. */
export function stopsOf(standing) {
  return standing === undefined || standing.state === "ACTIVE" ? [] : [standing, ...standing.also];
}

/** `1 plan waits for approval`: whoever does not scroll must know. */
export function waitsText({ plans = [], railsFrozen } = {}) {
  const open = plans.filter(({ approvedBy, persons }) => approvedBy.length < persons).length;
  const waiting = open === 0 ? [] : [`${open} plan${open === 1 ? " waits" : "s wait"} for approval`];
  return [...waiting, ...(railsFrozen === undefined ? [] : ["rails are frozen"])].join(", ");
}

/** Why there is no curve of it: not known, or not long enough. */
export function equityGap({ now, missing }) {
  if (now !== undefined) return "equity is known: its curve begins with the next points";
  return `equity is not known yet: ${missing ?? "it needs balances and a price for each asset held"}`;
}
