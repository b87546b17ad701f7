// What of the treasury people have to know, as messages: what the venue holds; a mint that is older than it should be; a payment
// that is to be made, and that does not come; rails that are frozen; a plan that waits for an approval; a holding that no plan is made
// for. Each age is sent once, when it is reached.

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
import type { Notice } from "./notice.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINT_HOURS: readonly number[] = [4, 8, 24];
const PAYMENT_HOURS: readonly number[] = [4, 24, 72];

/** A hold by the venue, and the message about it. */
type Hold = { readonly told: Notice; readonly since: Millis | undefined; readonly isPayment: boolean };

export function createTreasuryNotices(): (status: Status) => readonly Notice[] {
  let holds: ReadonlyMap<string, Hold> = new Map();
  const told = new Memory<true>();
  const once = (notices: readonly Notice[]): readonly Notice[] =>
    notices.filter(({ key }) => {
      const isNews = told.get(key) === undefined;
      told.set(key, true);
      return isNews;
    });
  /** A hold that cannot be seen now is as it was. */
  const releasedSince = (held: ReadonlyMap<string, Hold>, status: Status): readonly Notice[] => {
    const gone = [...holds].filter(([id]) => !held.has(id));
    const unsure = gone.filter(([id, one]) => isUnsure(id, one, status));
    holds = new Map([...held, ...unsure]);
    return gone.flatMap(([id, one]) => (holds.has(id) ? [] : [releaseNotice(id, one, status)]));
  };
  return (status) => {
    const mints = status.open.filter(({ kind, isDoubt }) => kind === "mint" && !isDoubt);
    const { awaited = [], plans = [], refused = [], left = [], expired = [] } = status.treasury ?? {};
    const { railsFrozen, railsFrozenAt } = status.treasury ?? {};
    const held = holdsOf(status);
    return once([
      ...Array.from(held.values(), (one) => one.told),
      ...releasedSince(held, status),
      ...mints.flatMap((mint) => slowNotice(mint, status)),
      ...awaited.flatMap((one) => unpaidNotice(one, status)),
      // The message of the decline has all its routes.
      ...refused.filter(({ isDeclined }) => !isDeclined).flatMap((one) => refusedNotice(one, status)),
      ...expired.flatMap((one) => declinedNotice(one, status)),
      ...plans.map((plan) => planNotice(plan, status)),
      ...left.map((one) => leftNotice(one, status)),
      ...(railsFrozen === undefined ? [] : [frozenNotice(railsFrozen, railsFrozenAt, status)]),
    ]);
  };
}

function holdsOf(status: Status): ReadonlyMap<string, Hold> {
  const held = new Map<string, Hold>();
  for (const one of status.open)
    if (isHeld(one.venueWord) && !one.isDoubt && one.kind !== "order") {
      const told = one.kind === "mint" ? heldMintNotice(one, status) : heldRailNotice(one, status);
      held.set(one.id, { told, since: one.heldSince, isPayment: false });
    }
  for (const one of status.treasury?.held ?? [])
    held.set(one.id, { told: heldPaymentNotice(one, status), since: one.since, isPayment: true });
  return held;
}

/** Before the books are read nothing is open. */
function isUnsure(id: string, { isPayment }: Hold, { open, treasury }: Status): boolean {
  if (isPayment) return treasury?.held === undefined;
  return treasury === undefined || open.some((one) => one.id === id && one.isDoubt);
}

function releaseNotice(id: string, { told: before, since }: Hold, { open, at }: Status): Notice {
  const word = open.find((one) => one.id === id)?.venueWord;
  const status = `held no longer${word === undefined ? "" : `, listed as ${word}`}: it was`;
  const { what = "", id: named = id } = before.fields;
  const wayOut = "none is needed; the bot goes on with it";
  const fields = { what, id: named, status, age: heldText({ heldSince: since }, at), wayOut };
  return { ...before, urgency: "warning", key: `${before.key}:over`, at, fields };
}

const WRITE = "write to the venue's support";
const NOTHING_HERE = "nothing of the bot is needed";

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

/** A second hold is sent again. */
function heldKey({ kind, id, heldSince }: ShownSubmission): string {
  return `${kind}:${id}:held:${heldSince}`;
}

/** Since the hold began, not the request. */
function heldText({ heldSince }: Pick<ShownSubmission, "heldSince">, at: Millis): string {
  if (heldSince === undefined) return "an unknown time";
  return at - heldSince < MINUTE_MS ? "less than a minute" : ageText(at - heldSince);
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
  // Only a person pays: a named amount is sent at once.
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
function leftNotice({ holding, why }: ShownLeft, { at }: Status): Notice {
  const fields = {
    id: `for ${holding}`,
    status: "is not made now",
    what: why,
    wayOut: "pegbot rebalance shows every holding; treasury.targets names them",
  };
  return { kind: "plan", urgency: "warning", key: `left:${holding}:${why}`, at, fields };
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
