// How the bot stands in one word, with what would free it, and what a person should know until it has ended: stops, unknown outcomes, requests that the venue holds, payments to make,
// plans to approve, and what the bot leaves undone. Screen, page and `status` list it; a message tells of each once.

import { amountText, groupedText } from "../../domain/amount-text.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import type { Millis } from "../../domain/time.ts";
import { timeText, utcText } from "../../domain/time-text.ts";
import { RUN } from "../../execution/remediation.ts";
import { ACKNOWLEDGE } from "../../risk/rail-guard.ts";
import { keyOf } from "../../risk/trading-state.ts";
import {
  type Need,
  offlineText,
  type ShownAwaited,
  type ShownConversionUnderWay,
  type ShownPlan,
  type ShownState,
  type ShownStop,
  type ShownSubmission,
  type Status,
  titleOf,
} from "../status.ts";
import { isAllFrozen, unsaidReasons } from "../text/status-text.ts";

type Standing = Pick<
  Status,
  "at" | "startedAt" | "phase" | "standing" | "unready" | "frozen" | "idle" | "equity" | "budget" | "unheard"
>;

/** Refusals by limits that fill up, and what makes room under each. */
const ROOM: Readonly<Record<string, string>> = {
  RC01: "you, by a higher risk.orderValueMax",
  RC03: "the bot, by selling that asset; you, by pegbot rebalance or a higher risk.assetExposureMax",
  RC04: "the bot, by sales for the currency of the limits; you, by pegbot rebalance or a higher risk.grossExposureMax",
  RC10: "time: a minute without orders, or midnight UTC",
  RC11: "time: an hour with less turnover, or midnight UTC",
  RC17: "the bot, by a trade the other way; you, by pegbot rebalance or a deposit of the asset that pays",
  RC18: "midnight UTC; or you, by a higher risk.feesPerDayMax",
  RC34: "the bot, by selling the venue's coins at a gain; you, by pegbot rebalance or a higher risk.depegLossBpsMax",
  RC37: "you, by a withdrawal or a higher risk.issuerLossBpsMax",
};

/** `since` is absent where only the caller, who has seen the change, can know it. */
export function stateOf(status: Standing): ShownState {
  const { phase, standing, frozen, idle, startedAt } = status;
  const { state, since, reason: why, wayOut: frees } = standing;
  if (state === "HALTED") return { word: "HALTED", since, why, frees };
  if (phase.kind === "ended") return { word: "STOPPED", why: phase.text, frees: RUN };
  if (phase.kind === "running" || phase.kind === "unknown")
    return { word: "UNKNOWN", why: phase.text, frees: "pegbot status, once the bot answers" };
  if (phase.kind === "stopping") return { word: "STOPPING", why: phase.text, frees: RUN };
  if (phase.kind === "unwritable")
    return { word: "PAUSED", why: phase.text, frees: "mend the cause; pegbot status says more" };
  if (phase.kind !== "trading")
    return { word: "STARTING", since: startedAt, why: phase.text, frees: "nothing is needed" };
  if (isAllFrozen({ frozen })) return { word: "FROZEN", why: frozen ?? "", frees: "the outcome of what is open" };
  const [reason] = unsaidReasons(status);
  if (reason !== undefined) return { word: "PAUSED", why: reason, frees: pauseEnd(status) };
  if (state === "REDUCED") return { word: "REDUCED", since, why, frees };
  if (idle === undefined) return { word: "ACTIVE", why: "", frees: "" };
  const room = ROOM[idle.rule ?? ""];
  if (room !== undefined) return { word: "CAPPED", since: idle.since, why: idle.reason, frees: room };
  const market = "a price that the strategy wants and the limits allow";
  return { word: "IDLE", since: idle.since, why: idle.reason, frees: market };
}

function pauseEnd({ budget, unheard, equity }: Standing): string {
  if (budget?.paused !== undefined) return `by itself at ${timeText(budget.paused.until)} UTC`;
  if (unheard !== undefined) return "pegbot heartbeat";
  if (equity.now === undefined) return "a balance and a price of everything that is held";
  return "a good answer of the venue; pegbot doctor says more";
}

type Seen = Pick<
  Status,
  "at" | "standing" | "phase" | "open" | "treasury" | "offline" | "freshStart" | "otherLimits" | "damage"
>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINT_HOURS: readonly number[] = [4, 8, 24];
const PAYMENT_HOURS: readonly number[] = [4, 24, 72];
const WRITE = "write to the venue's support";
const FRESH = 'pegbot halt "..." where what it counted must not begin at zero; docs/guides/strategy.md#state says more';

export function needsOf(status: Seen): readonly Need[] {
  const { at, standing, open, offline = [], freshStart, otherLimits, damage } = status;
  const stops = standing.state === "ACTIVE" ? [] : [standing, ...standing.also];
  const machine = (matter: string, what: string, wayOut: string): Need =>
    need("machine", `machine:${matter}`, what, wayOut, { matter });
  const needs: readonly Need[] = [
    ...(damage === undefined ? [] : [machine("damage", `${damage.verdict}: ${damage.message}`, damage.wayOut)]),
    ...stops.map(stopped),
    ...unwritable(status),
    ...open.flatMap((one) =>
      one.isDoubt
        ? [doubted(one, status.phase.kind === "ended")]
        : isHeld(one.venueWord)
          ? held(one, at)
          : slow(one, at),
    ),
    ...ofTreasury(status),
    ...offline.map((one) =>
      machine(`offline:${one.symbol}`, offlineText([one]), "nothing of it is ordered; ask the venue (pegbot pairs)"),
    ),
    ...(freshStart === undefined ? [] : [fresh(freshStart)]),
    ...(otherLimits === undefined ? [] : [machine("limits", otherLimits, "restart the bot, or put the file back")]),
  ];
  const rankOf = ({ urgency, isAsked }: Need): number => (urgency === "critical" ? 2 : 0) + (isAsked ? 1 : 0);
  return needs.toSorted((one, other) => rankOf(other) - rankOf(one));
}

/** What is known of it, and what to do: a warning that waits for no decision unless `more` says otherwise. */
function need(kind: Need["kind"], id: string, what: string, wayOut: string, more: Partial<Need> = {}): Need {
  return { id, matter: id, kind, urgency: "warning", isAsked: false, what, wayOut, ...more };
}

function stopped(stop: ShownStop): Need {
  const { state, by, cause, reason, wayOut, since } = stop;
  const urgency = state === "REDUCED" ? "warning" : "critical";
  const what = `${state} by ${by}${cause === undefined ? "" : ` (${cause})`}: ${reason}`;
  return need("stop", `stop:${state}:${keyOf(stop)}`, what, wayOut, { urgency, since, isAsked: true });
}

/** The engine learns of no stop while the journal takes no record. */
function unwritable({ phase }: Seen): readonly Need[] {
  if (phase.kind !== "unwritable") return [];
  const wayOut = phase.wayOut ?? "mend the cause; pegbot status says more";
  const more = { matter: "stop:journal", urgency: "critical", isAsked: true } as const;
  return [need("stop", `stop:${phase.text}`, `HALTED by bot (journal): ${phase.text}`, wayOut, more)];
}

function doubted({ id, kind, what, cause = "unknown", since, decide }: ShownSubmission, isUnwatched: boolean): Need {
  const title = titleOf({ kind, what });
  const common = { matter: `doubt:${id}`, urgency: "critical", since } as const;
  if (decide !== undefined) {
    const text = `${id} waits for a person (${title}): ${cause}`;
    return need("doubt", `asked:${id}:${cause}`, text, decide, { ...common, isAsked: true });
  }
  const asks = isUnwatched ? `only a running bot asks the venue (${RUN})` : "the bot asks the venue";
  const wayOut = `${asks}; what that does not tell it asks a person, who decides with pegbot resolve ${id}`;
  return need("doubt", `doubt:${id}`, `${id} may have happened (${title}): ${cause}`, wayOut, common);
}

/** A second hold of the same request is another matter. */
function held(one: ShownSubmission, at: Millis): readonly Need[] {
  const { id, kind, what, venueId, venueReason, venueWord = "held", heldSince: since } = one;
  const name = kind === "mint" ? "request" : "rail";
  const named = venueId === undefined ? id : `${id}, ${name} ${venueId} at the venue`;
  const why = venueReason === undefined ? "" : ` (${venueReason})`;
  const text = `${kind} ${what} is ${venueWord}${why} ${ageText(since, at)}: ${named}`;
  const letter = `our ${kind} ${what}${venueId === undefined ? "" : `, ${name} id ${venueId},`} has been ${venueWord}${why} since ${since === undefined ? "its request" : utcText(since)}. Which document or statement do you need from us to release it?`;
  const wayOut = `${WRITE}: "${letter}"; the bot goes on with it then`;
  const more = { matter: `hold:${id}`, since, isAsked: true };
  return [need(kind === "mint" ? "mint" : "rail", `hold:${id}:${since}`, text, wayOut, more)];
}

/** At the highest of the ages that the mint has reached. */
function slow(
  { id, kind, what, since = undefined, state, venueWord = state, venueId }: ShownSubmission,
  at: Millis,
): readonly Need[] {
  const hours = kind === "mint" ? reached(MINT_HOURS, since, at) : undefined;
  if (hours === undefined) return [];
  const named = venueId === undefined ? id : `${id}, request ${venueId} at the venue`;
  const text = `mint ${what} is ${venueWord} ${ageText(since, at)}: ${named}`;
  const wayOut = `some take that long, and nothing is needed; after a day ${WRITE} with the request id`;
  const more = { matter: `mint:${id}`, urgency: urgencyOf(MINT_HOURS, hours), since };
  return [need("mint", `mint:${id}:${hours}`, text, wayOut, more)];
}

function ofTreasury({ treasury, at }: Seen): readonly Need[] {
  if (treasury === undefined) return [];
  const { plans, awaited, held = [], railsFrozen, railsFrozenAt: since } = treasury;
  const { rest, left = [], expired = [], conversions = [] } = treasury;
  const unfreeze = `was it you? ${ACKNOWLEDGE}; if not: pegbot halt REASON, and call the venue`;
  const frozen = need("rail", `rails:${since}:${railsFrozen}`, `rails are frozen: ${railsFrozen}`, unfreeze, {
    ...{ matter: "rails", urgency: "critical", since, isAsked: true },
  });
  return [
    ...(railsFrozen === undefined ? [] : [frozen]),
    ...plans.filter(({ approvedBy, persons }) => approvedBy.length < persons).map(asked),
    ...awaited.flatMap((one) => unpaid(one, at)),
    ...held.map(({ id, venueId, amount, since }) => {
      const what = `payment of ${groupedText(amount)} is held by the venue ${ageText(since, at)}: ${id}`;
      const letter = `our payment ${venueId} of ${groupedText(amount)} has been held since ${utcText(since)}. What do you need from us to release it?`;
      const wayOut = `${WRITE}: "${letter}"; its money is in flight until then`;
      return need("rail", `hold:${id}:${since}`, what, wayOut, { matter: `hold:${id}`, since, isAsked: true });
    }),
    ...expired.map(({ id, why, declinedBy }) => {
      const end = declinedBy === undefined ? "was approved and not begun" : `was declined by ${declinedBy}`;
      return need("plan", `ended:${id}`, `plan ${id} ${end}: ${why}`, "pegbot rebalance shows what is needed now");
    }),
    // Not for an order: one without a counterpart is normal. A decline has a message of its own.
    ...(rest === undefined || rest.until - at < HOUR_MS / 2 || / declined: /.test(rest.why)
      ? []
      : [need("plan", `rest:${rest.until}`, `no plan of the bot's own for now: ${rest.why}`, REST_OUT)]),
    ...conversions.map(converting),
    ...left.map(({ holding, why }) => {
      const what = `${holding} is not rebalanced now: ${why}`;
      return need("plan", `left:${holding}:${why}`, what, "pegbot rebalance shows every holding");
    }),
  ];
}

/** `converts R-12ab 40,000.00 of 105,000.00 VCHF to CHF, 6.1 bp lost, until ...; waits for ...`. */
function converting(one: ShownConversionUnderWay): Need {
  const { id, from, to, amount, isBuy, left, arrived, value, lost, until, paused, waitsFor } = one;
  const whole = `${amountText(isBuy ? arrived : left)} of ${amountText(amount)}`;
  const bps = Number(value) > 0 ? `, ${((Number(lost) / Number(value)) * 1e4).toFixed(1)} bp lost` : "";
  const waits = waitsFor === undefined ? "" : `; waits for ${waitsFor}`;
  const what = `${isBuy ? `${from} to ${whole} ${to}` : `${whole} ${from} to ${to}`}${bps}, until ${utcText(until)}${waits}`;
  const end = `pegbot conversion ${id} --finish --reason "..." ends it`;
  if (paused === undefined) return need("plan", `converts:${id}`, `converts ${id} ${what}`, end);
  const wayOut = `pegbot conversion ${id} --resume --reason "..." goes on with the rest, ${end}`;
  return need("plan", `paused:${id}:${paused}`, `converts ${id} ${what}, paused: ${paused}`, wayOut, { isAsked: true });
}

const REST_OUT = "mend the cause; pegbot rebalance --execute is tried at once";

function asked({ id, steps, expiresAt, persons, approvedBy }: ShownPlan): Need {
  const until = `${new Date(expiresAt).toISOString().slice(0, 16)}Z`;
  const what = `plan ${id} wants ${persons - approvedBy.length} more to approve it until ${until}: ${steps[0]}`;
  const wayOut = `pegbot approve ${id}, or pegbot decline ${id} --reason "..."`;
  return need("plan", `plan:${id}`, what, wayOut, { isAsked: true, plan: id });
}

/** Only a person can pay, so a stated amount is reported at once. */
function unpaid(one: ShownAwaited, at: Millis): readonly Need[] {
  const { id, rail, over = rail, pays, since, reference, conversion, until } = one;
  const hours = reached(PAYMENT_HOURS, since, at) ?? (pays === undefined ? undefined : 0);
  if (hours === undefined) return [];
  const [told, matter, text] = [
    `unpaid:${id}:${hours}`,
    `unpaid:${id}`,
    `on rail ${over} ${ageText(since, at)}: ${id}`,
  ];
  const more = { matter, urgency: urgencyOf(PAYMENT_HOURS, hours), since };
  if (pays === undefined)
    return [
      need("rail", told, `no payment ${text}`, "pay, or leave it; pegbot payments shows what the venue lists", more),
    ];
  const aim = conversion && until && ` for ${conversion}, to arrive by ${utcText(until)}`;
  const what = `${groupedText(pays)} ${hours === 0 ? "to be paid" : "not paid"}${aim ?? ""} ${text}`;
  const wayOut = `pay it in one payment of exactly that${reference === undefined ? "" : `, reference ${reference}`}; or pegbot resolve ${id} --not-landed --reason "..."`;
  return [need("rail", told, what, wayOut, { ...more, isAsked: true })];
}

function fresh({ at, text }: NonNullable<Status["freshStart"]>): Need {
  return need("strategy", `fresh:${at}:${text}`, text, FRESH, { matter: "fresh", since: at });
}

function reached(ages: readonly number[], since: Millis | undefined, at: Millis): number | undefined {
  return since === undefined ? undefined : ages.findLast((hours) => at - since >= hours * HOUR_MS);
}

function urgencyOf(ages: readonly number[], hours: number): Need["urgency"] {
  return hours === ages.at(-1) ? "critical" : "warning";
}

function ageText(since: Millis | undefined, at: Millis): string {
  if (since === undefined) return "for an unknown time";
  const ms = at - since;
  if (ms < MINUTE_MS) return "for less than a minute";
  return `for ${ms < 2 * HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.floor(ms / HOUR_MS)} h`}`;
}
