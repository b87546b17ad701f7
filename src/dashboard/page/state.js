// How the bot stands, in the words of the bar and the banners. The bot itself says whether it is ready, and why not; one that
// was put back to an older version says nothing of it.

import { amount, count, moment } from "./format.js";

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

/** As `pegbot resume` has them (src/telemetry/accepted-text.ts). */
export const ANEW = [
  "daily-loss",
  "drawdown",
  "turnover-hour",
  "turnover-day",
  "fees-day",
  "orders-day",
  "rejects",
  "losses",
];

/** What a resume accepts: of a person's own stop nothing. */
export function acceptedOf({ standing: { state }, limits = [] }) {
  if (state === "KILLED") return [];
  return limits
    .filter(({ key, used, limit }) => ANEW.includes(key) && limit !== undefined && used !== 0)
    .map(({ rule, name, unit, used, limit }) => {
      // Counts are whole, and so are seconds.
      const figure = (value) => (unit === "" || unit === "s" ? count(Math.floor(value)) : amount(value.toFixed(2)));
      const text = (value) => `${figure(value)}${unit === "" ? "" : ` ${unit}`}`;
      const most = limit === null ? "its limit" : `the limit of ${text(limit)}`;
      return `accepts ${name}, ${used === undefined ? "not known now" : text(used)}: ${most} counts anew from now (${rule})`;
    });
}

/** In brackets, for a reason may end in any way. */
export function whoseText({ cause, by, since }, now) {
  return `(${cause === undefined ? "" : `${cause}, `}by ${by}, ${moment(since, now)} UTC)`;
}

/** `1 plan waits for approval`: whoever does not scroll must know. */
export function waitsText({ plans = [], railsFrozen } = {}, open = []) {
  const asked = open.filter(({ decide }) => decide !== undefined);
  const wanted = plans.filter(({ approvedBy, persons }) => approvedBy.length < persons).length;
  return [
    ...(asked.length === 0 ? [] : [`${kindsOf(asked)} ${asked.length === 1 ? "waits" : "wait"} for a person's word`]),
    ...(wanted === 0 ? [] : [`${wanted} plan${wanted === 1 ? " waits" : "s wait"} for approval`]),
    ...(railsFrozen === undefined ? [] : ["rails are frozen"]),
  ].join(", ");
}

/** `1 order, 2 mints`: the limits count orders only. */
export function kindsOf(open) {
  return ["order", "mint", "rail"]
    .map((kind) => [kind, open.filter((one) => one.kind === kind).length])
    .filter(([, times]) => times > 0)
    .map(([kind, times]) => `${count(times)} ${kind}${times === 1 ? "" : "s"}`)
    .join(", ");
}

/** Why there is no curve of it: not known, or not long enough. */
export function equityGap({ now, missing }) {
  if (now !== undefined) return "equity is known: its curve begins with the next points";
  return `equity is not known yet: ${missing ?? "it needs balances and a price for each asset held"}`;
}
