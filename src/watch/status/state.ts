// How the bot stands in one word, with what would free it, and what a person should know until it has ended: stops, unknown outcomes, requests that the venue holds, payments to make,
// plans to approve, and what the bot leaves undone. Screen, page and `status` list it; a message tells of each once.

import { groupedText } from "../../domain/amount-text.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import type { Millis } from "../../domain/time.ts";
import { timeText } from "../../domain/time-text.ts";
import { RUN } from "../../execution/remediation.ts";
import { ACKNOWLEDGE } from "../../risk/rail-guard.ts";
import { keyOf } from "../../risk/trading-state.ts";
import {
  type Need,
  offlineText,
  type ShownAwaited,
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
  RC01: "a smaller order, or a higher risk.orderValueMax",
  RC03: "less of that asset: a sale, a conversion (pegbot rebalance), or a higher risk.assetExposureMax",
  RC04: "less of everything but the currency: sales, or a higher risk.grossExposureMax",
  RC10: "a minute without orders, or midnight UTC",
  RC11: "an hour with less turnover, or midnight UTC",
  RC17: "more of the asset that pays: a trade the other way, a conversion (pegbot rebalance), a deposit",
  RC18: "midnight UTC, or a higher risk.feesPerDayMax",
  RC34: "fewer of the venue's coins: a sale, a redemption, or a higher risk.depegLossBpsMax",
  RC37: "less at the venue: a withdrawal, or a higher risk.issuerLossBpsMax",
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
  "at" | "standing" | "phase" | "open" | "treasury" | "offline" | "freshStart" | "otherLimits" | "unlogged" | "damage"
>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINT_HOURS: readonly number[] = [4, 8, 24];
const PAYMENT_HOURS: readonly number[] = [4, 24, 72];
const WRITE = "write to the venue's support";
const FRESH = 'pegbot halt "..." where what it counted must not begin at zero; docs/STRATEGY.md#state says more';

export function needsOf(status: Seen): readonly Need[] {
  const { at, standing, open, offline = [], freshStart, otherLimits, unlogged, damage } = status;
  const stops = standing.state === "ACTIVE" ? [] : [standing, ...standing.also];
  const machine = (id: string, what: string, wayOut: string): Need => ({
    ...{ id: `machine:${id}`, matter: id, kind: "machine", urgency: "warning", isAsked: false, what, wayOut },
  });
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
    ...(unlogged === undefined ? [] : [machine("log", unlogged, "make room where the log leads")]),
  ];
  const rankOf = ({ urgency, isAsked }: Need): number => (urgency === "critical" ? 2 : 0) + (isAsked ? 1 : 0);
  return needs.toSorted((one, other) => rankOf(other) - rankOf(one));
}

function stopped(stop: ShownStop): Need {
  const { state, by, cause, reason, wayOut, since } = stop;
  const urgency = state === "REDUCED" ? "warning" : "critical";
  const what = `${state} by ${by}${cause === undefined ? "" : ` (${cause})`}: ${reason}`;
  const id = `stop:${state}:${keyOf(stop)}`;
  return { id, matter: id, kind: "stop", urgency, what, since, wayOut, isAsked: true };
}

/** The engine learns of no stop while the journal takes no record. */
function unwritable({ phase }: Seen): readonly Need[] {
  if (phase.kind !== "unwritable") return [];
  const wayOut = phase.wayOut ?? "mend the cause; pegbot status says more";
  const what = `HALTED by bot (journal): ${phase.text}`;
  return [
    {
      id: `stop:${phase.text}`,
      matter: "stop:journal",
      kind: "stop",
      urgency: "critical",
      what,
      wayOut,
      isAsked: true,
    },
  ];
}

function doubted({ id, kind, what, cause = "unknown", since, decide }: ShownSubmission, isUnwatched: boolean): Need {
  const title = titleOf({ kind, what });
  const common = { kind: "doubt", matter: `doubt:${id}`, urgency: "critical", since } as const;
  if (decide !== undefined)
    return {
      ...common,
      id: `asked:${id}:${cause}`,
      what: `${id} waits for a person (${title}): ${cause}`,
      wayOut: decide,
      isAsked: true,
    };
  const asks = isUnwatched ? `only a running bot asks the venue (${RUN})` : "the bot asks the venue";
  const wayOut = `${asks}; what that does not tell it asks a person, who decides with pegbot resolve ${id}`;
  return { ...common, id: `doubt:${id}`, what: `${id} may have happened (${title}): ${cause}`, wayOut, isAsked: false };
}

/** A second hold of the same request is another matter. */
function held(one: ShownSubmission, at: Millis): readonly Need[] {
  const { id, kind, what, venueId, venueReason, venueWord = "held", heldSince: since } = one;
  const [name, support] = kind === "mint" ? ["request", "the request id"] : ["rail", "the id of the rail"];
  const named = venueId === undefined ? id : `${id}, ${name} ${venueId} at the venue`;
  const why = venueReason === undefined ? "" : ` (${venueReason})`;
  const text = `${kind} ${what} is ${venueWord}${why} ${ageText(since, at)}: ${named}`;
  const wayOut = `${WRITE} with ${support}; the bot goes on with it then`;
  return [
    {
      id: `hold:${id}:${since}`,
      matter: `hold:${id}`,
      kind: kind === "mint" ? "mint" : "rail",
      urgency: "warning",
      what: text,
      since,
      wayOut,
      isAsked: true,
    },
  ];
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
  return [
    {
      id: `mint:${id}:${hours}`,
      matter: `mint:${id}`,
      kind: "mint",
      urgency: urgencyOf(MINT_HOURS, hours),
      what: text,
      since,
      wayOut,
      isAsked: false,
    },
  ];
}

function ofTreasury({ treasury, at }: Seen): readonly Need[] {
  if (treasury === undefined) return [];
  const { plans, awaited, held = [], railsFrozen, railsFrozenAt, rest, left = [], expired = [] } = treasury;
  const note = (id: string, what: string, wayOut: string): Need => ({
    ...{ id, matter: id, kind: "plan", urgency: "warning", isAsked: false, what, wayOut },
  });
  return [
    ...(railsFrozen === undefined
      ? []
      : [
          {
            id: `rails:${railsFrozenAt}:${railsFrozen}`,
            matter: "rails",
            kind: "rail",
            urgency: "critical",
            what: `rails are frozen: ${railsFrozen}`,
            since: railsFrozenAt,
            wayOut: `was it you? ${ACKNOWLEDGE}; if not: pegbot halt REASON, and call the venue`,
            isAsked: true,
          } as const,
        ]),
    ...plans.filter(({ approvedBy, persons }) => approvedBy.length < persons).map(asked),
    ...awaited.flatMap((one) => unpaid(one, at)),
    ...held.map(
      ({ id, venueId, amount, since }): Need => ({
        ...{ id: `hold:${id}:${since}`, matter: `hold:${id}`, kind: "rail", urgency: "warning", since, isAsked: true },
        what: `payment of ${groupedText(amount)} is held by the venue ${ageText(since, at)}: ${id}`,
        wayOut: `${WRITE} with the id of the payment, ${venueId}; its money is in flight until then`,
      }),
    ),
    ...expired.map(({ id, why, declinedBy }) => {
      const end = declinedBy === undefined ? "was approved and not begun" : `was declined by ${declinedBy}`;
      return note(`ended:${id}`, `plan ${id} ${end}: ${why}`, "pegbot rebalance shows what is needed now");
    }),
    // Not for an order: one without a counterpart is normal. A decline is told by itself.
    ...(rest === undefined || rest.until - at < HOUR_MS / 2 || / declined: /.test(rest.why)
      ? []
      : [
          note(
            `rest:${rest.until}`,
            `no plan of the bot's own for now: ${rest.why}`,
            "mend the cause; pegbot rebalance --execute is tried at once",
          ),
        ]),
    ...left.map(({ holding, why }) =>
      note(
        `left:${holding}:${why}`,
        `${holding} is not rebalanced now: ${why}`,
        "pegbot rebalance shows every holding",
      ),
    ),
  ];
}

function asked({ id, steps, expiresAt, persons, approvedBy }: ShownPlan): Need {
  const until = `${new Date(expiresAt).toISOString().slice(0, 16)}Z`;
  const what = `plan ${id} wants ${persons - approvedBy.length} more to approve it until ${until}: ${steps.join("; ")}`;
  const wayOut = `pegbot approve ${id}, or pegbot decline ${id} --reason "..."`;
  return {
    id: `plan:${id}`,
    matter: `plan:${id}`,
    kind: "plan",
    urgency: "warning",
    what,
    wayOut,
    isAsked: true,
    plan: id,
  };
}

/** Only a person can pay, so a stated amount is told at once. */
function unpaid({ id, rail, over = rail, pays, since }: ShownAwaited, at: Millis): readonly Need[] {
  const hours = reached(PAYMENT_HOURS, since, at) ?? (pays === undefined ? undefined : 0);
  if (hours === undefined) return [];
  const common = {
    id: `unpaid:${id}:${hours}`,
    matter: `unpaid:${id}`,
    kind: "rail",
    urgency: urgencyOf(PAYMENT_HOURS, hours),
    since,
  } as const;
  if (pays === undefined)
    return [
      {
        ...common,
        what: `no payment on rail ${over} ${ageText(since, at)}: ${id}`,
        wayOut: "pay, or leave it; pegbot payments shows what the venue lists",
        isAsked: false,
      },
    ];
  const what = `${groupedText(pays)} ${hours === 0 ? "to be paid" : "not paid"} on rail ${over} ${ageText(since, at)}: ${id}`;
  return [{ ...common, what, wayOut: `pay it, or pegbot resolve ${id} --not-landed --reason "..."`, isAsked: true }];
}

function fresh({ at, text }: NonNullable<Status["freshStart"]>): Need {
  return {
    id: `fresh:${at}:${text}`,
    matter: "fresh",
    kind: "strategy",
    urgency: "warning",
    what: text,
    since: at,
    wayOut: FRESH,
    isAsked: false,
  };
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
