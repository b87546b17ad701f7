// What of the treasury people have to know, as messages: what the venue holds; a mint that is older than it should be; a payment
// that is to be made, and that does not come; rails that are frozen; a plan that waits for an approval; a pot that no plan is made
// for. Each age is told once as it is reached.

import { groupedText } from "../../domain/amount-text.ts";
import type { Millis } from "../../domain/time.ts";
import { isHeld } from "../../domain/venue-word.ts";
import { Memory } from "../memory.ts";
import type {
  ShownAwaited,
  ShownHeldPayment,
  ShownLeft,
  ShownPlan,
  ShownRefusal,
  ShownSubmission,
  ShownUnused,
  Status,
} from "../status.ts";
import type { KeptText } from "./kept-text.ts";
import { createLetGo } from "./let-go.ts";
import type { Notice } from "./notice.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINT_HOURS: readonly number[] = [4, 8, 24];
const PAYMENT_HOURS: readonly number[] = [4, 24, 72];

/** So many declined plans are remembered as told: far more than there are in a day, after which none is shown. */
const DECLINED_MAX = 100;

type TreasuryMemory = {
  /** Which declined plans an earlier process told. By their ids, for a clock may be set back. */
  readonly declineMemory?: KeptText | undefined;
  /** What the venue held when an earlier process told it. */
  readonly heldMemory?: KeptText | undefined;
};

export function createTreasuryNotices({
  declineMemory: memory,
  heldMemory,
}: TreasuryMemory = {}): (status: Status) => readonly Notice[] {
  let declined: readonly string[] | undefined;
  const tellDeclined = (unused: readonly ShownUnused[], status: Status): readonly Notice[] => {
    const before = declined ?? memory?.load()?.trim().split(/\s+/) ?? [];
    const news = unused.filter(({ id, declinedBy }) => declinedBy !== undefined && !before.includes(id));
    declined = [...before, ...news.map(({ id }) => id)].slice(-DECLINED_MAX);
    if (news.length > 0) memory?.save(declined.join("\n"));
    return news.flatMap((one) => declinedNotice(one, status));
  };
  const words = { tellMovement: heldMovementNotice, tellPayment: heldPaymentNotice, ageText: heldForText };
  const letGo = createLetGo(words, heldMemory);
  const told = new Memory<true>();
  const once = (notices: readonly Notice[]): readonly Notice[] =>
    notices.filter(({ key }) => {
      const isNews = told.get(key) === undefined;
      told.set(key, true);
      return isNews;
    });
  return (status) => {
    const known = status.open.filter(({ isDoubt }) => !isDoubt);
    const mints = known.filter(({ kind }) => kind === "mint");
    const { held = [], awaited = [], plans = [], refused = [], left = [], expired = [] } = status.treasury ?? {};
    const { railsFrozen, railsFrozenAt } = status.treasury ?? {};
    return once([
      ...mints.flatMap((mint) => heldMovementNotice(mint, status)),
      ...known.filter(({ kind }) => kind === "rail").flatMap((rail) => heldMovementNotice(rail, status)),
      ...held.map((payment) => heldPaymentNotice(payment, status)),
      ...letGo(status),
      ...mints.flatMap((mint) => slowNotice(mint, status)),
      ...awaited.flatMap((one) => unpaidNotice(one, status)),
      // Whoever said no to a plan was told of all its doors.
      ...refused.filter(({ isDeclined }) => !isDeclined).flatMap((one) => refusedNotice(one, status)),
      ...tellDeclined(expired, status),
      ...plans.map((plan) => planNotice(plan, status)),
      ...left.map((one) => leftNotice(one, status)),
      ...(railsFrozen === undefined ? [] : [frozenNotice(railsFrozen, railsFrozenAt, status)]),
    ]);
  };
}

const WRITE = "write to the venue's support";
const NOTHING_HERE = "nothing of the bot is needed";

function heldMovementNotice(one: ShownSubmission, status: Status): readonly Notice[] {
  if (!isHeld(one.venueWord) || one.kind === "order") return [];
  return [one.kind === "mint" ? heldMintNotice(one, status) : heldRailNotice(one, status)];
}

function heldMintNotice(mint: ShownSubmission, { at }: Status): Notice {
  const wayOut = `${WRITE} with the request id; ${NOTHING_HERE}, and the money of the mint is tied up until then`;
  const fields = { what: mint.what, id: idText(mint), status: saidText(mint), age: heldText(mint, at), wayOut };
  return { kind: "mint", urgency: "warning", key: heldKey(mint), at, fields };
}

function heldRailNotice(rail: ShownSubmission, { at }: Status): Notice {
  const id = rail.venueId === undefined ? rail.id : `${rail.id}, rail ${rail.venueId} at the venue`;
  const wayOut = `${WRITE} with the id of the rail; ${NOTHING_HERE}, and payments on it wait until then`;
  const fields = { what: `rail ${rail.what}`, id, status: saidText(rail), age: heldText(rail, at), wayOut };
  return { kind: "rail", urgency: "warning", key: heldKey(rail), at, fields };
}

function heldPaymentNotice({ id, venueId, amount, since }: ShownHeldPayment, { at }: Status): Notice {
  const wayOut = `${WRITE} with the id of the payment, ${venueId}; ${NOTHING_HERE}, and its money is in flight until then`;
  const age = heldText({ heldSince: since }, at);
  const fields = { what: `payment of ${groupedText(amount)}`, id, status: "held", age, wayOut };
  return { kind: "rail", urgency: "warning", key: `payment:${id}:held:${since}`, at, fields };
}

/** What is let go and held again is told again. */
function heldKey({ kind, id, heldSince }: ShownSubmission): string {
  return `${kind}:${id}:held:${heldSince}`;
}

/** Since it is held, not since it was asked for. */
function heldText({ heldSince }: Pick<ShownSubmission, "heldSince">, at: Millis): string {
  if (heldSince === undefined) return "an unknown time";
  return heldForText(at - heldSince);
}

function heldForText(ms: number): string {
  return ms < MINUTE_MS ? "less than a minute" : ageText(ms);
}

/** What the venue's support asks for. */
function idText({ id, venueId }: ShownSubmission): string {
  return venueId === undefined ? id : `${id}, request ${venueId} at the venue`;
}

function saidText({ state, venueWord, venueReason }: ShownSubmission): string {
  return `${venueWord ?? state}${venueReason === undefined ? "" : ` (${venueReason})`}`;
}

const SLOW = `some take that long, and ${NOTHING_HERE}; after a day ${WRITE} with the request id`;

/** The last of the ages that it has reached. */
function slowNotice(mint: ShownSubmission, { at }: Status): readonly Notice[] {
  const { id, what, since } = mint;
  const hours = reached(MINT_HOURS, since, at);
  if (hours === undefined || since === undefined) return [];
  const urgency = hours === MINT_HOURS.at(-1) ? "critical" : "warning";
  const fields = { what, id: idText(mint), status: saidText(mint), age: ageText(at - since), wayOut: SLOW };
  return [{ kind: "mint", urgency, key: `mint:${id}:${hours}`, at, fields }];
}

function unpaidNotice({ id, rail, over = rail, pays, since }: ShownAwaited, { at }: Status): readonly Notice[] {
  // Nobody but a person pays: what is named is told at once.
  const hours = reached(PAYMENT_HOURS, since, at) ?? (pays === undefined ? undefined : 0);
  if (hours === undefined) return [];
  const urgency = hours === PAYMENT_HOURS.at(-1) ? "critical" : "warning";
  const what = pays === undefined ? "no payment" : `${groupedText(pays)} ${hours === 0 ? "to be paid" : "not paid"}`;
  const wayOut =
    pays === undefined
      ? "pay, or leave it; pegbot payments shows what the venue lists"
      : `pay it, or pegbot resolve ${id} --not-landed --reason "..."`;
  const fields = { what: `${what} on rail ${over}`, id, status: "awaited", age: ageText(at - since), wayOut };
  return [{ kind: "rail", urgency, key: `unpaid:${id}:${hours}`, at, fields }];
}

/** An order that finds no counterpart is nothing strange: prices move on. */
const ORDER_TIMES = 3;
const AT_ONCE = "mend the cause; pegbot rebalance --execute of a person is tried at once";

/** Once, however often it is refused in a row: `status` has the rest. */
function refusedNotice({ kind, what, reason, since, times, until }: ShownRefusal, { at }: Status): readonly Notice[] {
  const key = `refused:${kind}:${what}:${since}`;
  const age = ageText(until - at);
  const status = "refused, and left alone";
  const notice = { urgency: "warning", key, at } as const;
  if (kind === "mint") return [{ ...notice, kind, fields: { what, id: reason, status, age, wayOut: AT_ONCE } }];
  if (kind === "rail")
    return [{ ...notice, kind, fields: { what: `rail ${what}`, id: reason, status, age, wayOut: AT_ONCE } }];
  if (times < ORDER_TIMES) return [];
  const made = { id: `over ${what}`, status: `is refused ${times} times, and left alone for ${age}` };
  return [{ ...notice, kind: "plan", fields: { ...made, what: reason, wayOut: AT_ONCE } }];
}

/** Once in the same words: what comes and goes with the market stands on `status`. */
function leftNotice({ pot, why }: ShownLeft, { at }: Status): Notice {
  const fields = {
    id: `for ${pot}`,
    status: "is not made now",
    what: why,
    wayOut: "pegbot rebalance shows every pot; treasury.targets names them",
  };
  return { kind: "plan", urgency: "warning", key: `left:${pot}:${why}`, at, fields };
}

function frozenNotice(reason: string, since: Millis | undefined, { at }: Status): Notice {
  const wayOut =
    'was it you? pegbot rails --acknowledge --reason "..."; if not: pegbot halt REASON, and call the venue';
  // Not an end that is near, but how long it has been so.
  const age = `as long as nobody has looked, ${ageText(since === undefined ? 0 : at - since)} so far`;
  const fields = { what: reason, id: "rails", status: "frozen", age, wayOut };
  // After a person has let them go, the same words are about something new.
  return { kind: "rail", urgency: "critical", key: `frozen:${since}:${reason}`, at, fields };
}

function planNotice({ id, steps, expiresAt, persons, approvedBy }: ShownPlan, { at }: Status): Notice {
  const until = `${new Date(expiresAt).toISOString().slice(0, 16)}Z`;
  const fields = {
    id,
    status: `wants ${Math.max(0, persons - approvedBy.length)} more to approve it until ${until}`,
    what: steps.join("; "),
    wayOut: `pegbot approve ${id}, or pegbot decline ${id} --reason "..."`,
  };
  return { kind: "plan", urgency: "warning", key: `plan:${id}`, at, fields };
}

/** For the others who were asked. What is older is no news any more. */
function declinedNotice({ id, at: since, why, declinedBy }: ShownUnused, { at }: Status): readonly Notice[] {
  if (declinedBy === undefined || at - since > HOUR_MS) return [];
  const wayOut = "none is needed; pegbot status says until when its steps are left alone";
  const fields = { id, status: `was declined by ${declinedBy}`, what: why, wayOut };
  return [{ kind: "plan", urgency: "warning", key: `declined:${id}`, at, fields }];
}

function reached(ages: readonly number[], since: number | undefined, at: number): number | undefined {
  return since === undefined ? undefined : ages.findLast((hours) => at - since >= hours * HOUR_MS);
}

function ageText(ms: number): string {
  return ms < 2 * HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.floor(ms / HOUR_MS)} h`;
}
