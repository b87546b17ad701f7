// How the bot stands, in the words of the bar and the banners. The bot itself says what it does, whether it is ready and what a
// resume accepts; one that was put back to an older version says nothing of it.

import { count, moment } from "./format.js";

/** A state is one as long as the bot is heard, and green only while it is ready: `tone` is what colours it. */
export function stateShown({ standing, unready = [] }, isHeard) {
  const { state } = standing;
  if (!isHeard) return { text: `was ${state}`, tone: "unheard" };
  return { text: state, tone: state === "ACTIVE" && unready.length > 0 ? "unready" : state };
}

/** What the bot says of itself; of an older one, which says nothing, what its pipeline does. */
export function wordsOf({ words, phase }) {
  return { again: [], ...(words ?? { doing: phase.text, unsaid: [], accepts: [], forgiven: "" }) };
}

/** The strictest first; none in ACTIVE. */
export function stopsOf(standing) {
  return standing === undefined || standing.state === "ACTIVE" ? [] : [standing, ...standing.also];
}

/** In brackets, for a reason may end in any way. */
export function whoseText({ cause, by, since }, now) {
  return `(${cause === undefined ? "" : `${cause}, `}by ${by}, ${moment(since, now)} UTC)`;
}

/** `1 plan waits for approval`: visible without scrolling. */
export function waitsText({ plans = [], railsFrozen, held = [] } = {}, open = []) {
  const asked = open.filter(({ decide }) => decide !== undefined);
  const kept = [...open.filter(({ heldSince }) => heldSince !== undefined), ...held.map(() => ({ kind: "payment" }))];
  const wanted = plans.filter(({ approvedBy, persons }) => approvedBy.length < persons).length;
  return [
    ...(asked.length === 0 ? [] : [`${kindsOf(asked)} ${asked.length === 1 ? "waits" : "wait"} for a person's word`]),
    ...(kept.length === 0 ? [] : [`${kindsOf(kept)} ${kept.length === 1 ? "is" : "are"} held by the venue`]),
    ...(wanted === 0 ? [] : [`${wanted} plan${wanted === 1 ? " waits" : "s wait"} for approval`]),
    ...(railsFrozen === undefined ? [] : ["rails are frozen"]),
  ].join(", ");
}

/** `1 order, 2 mints`: the limits count orders only. */
export function kindsOf(open) {
  return ["order", "mint", "rail", "payment"]
    .map((kind) => [kind, open.filter((one) => one.kind === kind).length])
    .filter(([, times]) => times > 0)
    .map(([kind, times]) => `${count(times)} ${kind}${times === 1 ? "" : "s"}`)
    .join(", ");
}

const LANE_TONES = {
  settled: "gain",
  arrived: "gain",
  returned: "loss",
  rejected: "loss",
  "not-sent": "quiet",
  "presumed-dead": "quiet",
  // A person has to see to these.
  ...{ doubt: "loss", fenced: "loss", escalated: "loss", held: "loss" },
};

/** A rail is there when the venue has confirmed it; the coins of a mint are on their way then. */
export function laneTone({ kind, state }) {
  return LANE_TONES[state] ?? (kind === "rail" && state === "confirmed" ? "gain" : "warn");
}

/** Why there is no curve of it: not known, or not long enough. */
export function equityGap({ now, missing }) {
  if (now !== undefined) return "equity is known: its curve begins with the next points";
  return `equity is not known yet: ${missing ?? "it needs balances and a price for each asset held"}`;
}
