// Notices of the treasury: requests and payments that the venue holds, slow mints, payments to be made and payments
// that are overdue, frozen rails, plans that wait for an approval, holdings without a plan. Each age is reported once,
// when it is reached.

import { groupedText } from "../../domain/amount-text.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import type { Millis } from "../../domain/time.ts";
import { Memory } from "../memory.ts";
import type { ShownAwaited, ShownSubmission, ShownTreasury, Status } from "../status.ts";
import type { Notice } from "./notice.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINT_HOURS: readonly number[] = [4, 8, 24];
const PAYMENT_HOURS: readonly number[] = [4, 24, 72];

/** A notice without its time. */
type Draft = Pick<Notice, "kind" | "key" | "fields" | "about" | "ends"> & { readonly urgency?: Notice["urgency"] };
type Hold = Draft & { readonly id: string; readonly since: Millis | undefined };

export function createTreasuryNotices(): (status: Status) => readonly Notice[] {
  const sent = new Memory<true>();
  let holds: readonly Hold[] = [];
  return (status) => {
    const { at, treasury, open } = status;
    const before = holds;
    // Before the first treasury status the earlier holds remain.
    if (treasury !== undefined) holds = holdsOf(status);
    const over = before.filter(({ id }) => !holds.some((one) => one.id === id));
    const { awaited = [], plans = [], rest, left = [], expired = [], railsFrozen, railsFrozenAt } = treasury ?? {};
    const drafts: readonly Draft[] = [
      ...holds,
      ...over.map((hold) => released(hold, status)),
      ...open.flatMap((one) => (one.kind === "mint" && !one.isDoubt ? slowMint(one, at) : [])),
      ...awaited.flatMap((one) => unpaid(one, at)),
      ...(rest === undefined ? [] : resting(rest, at)),
      // Informs the other people who were asked to approve. Declines older than an hour are not sent.
      ...expired.flatMap(({ id, at: since, why: what, declinedBy }) =>
        declinedBy === undefined || at - since > HOUR_MS
          ? []
          : plan(
              `declined:${id}`,
              { id, status: `was declined by ${declinedBy}`, what, wayOut: DECLINED },
              { ends: `plan:${id}` },
            ),
      ),
      ...plans.flatMap(({ id, steps, expiresAt, persons, approvedBy }) => {
        const until = `${new Date(expiresAt).toISOString().slice(0, 16)}Z`;
        const status = `wants ${Math.max(0, persons - approvedBy.length)} more to approve it until ${until}`;
        const wayOut = `pegbot approve ${id}, or pegbot decline ${id} --reason "..."`;
        return plan(`plan:${id}`, { id, status, what: steps.join("; "), wayOut }, { about: `plan:${id}` });
      }),
      // Sent once per wording: reasons that come and go with the market are on `status`.
      ...left.flatMap(({ holding, why: what }) =>
        plan(`left:${holding}:${what}`, { id: `for ${holding}`, status: "is not made now", what, wayOut: LEFT }),
      ),
      ...(railsFrozen === undefined ? [] : frozen(railsFrozen, railsFrozenAt, at)),
    ];
    return drafts.flatMap(({ urgency = "warning", key, ...draft }) => {
      const isNews = sent.get(key) === undefined;
      sent.set(key, true);
      return isNews ? [{ ...draft, urgency, key, at }] : [];
    });
  };
}

function plan(key: string, fields: Notice["fields"], matter: Pick<Notice, "about" | "ends"> = {}): readonly Draft[] {
  return [{ kind: "plan", key, fields, ...matter }];
}

const DECLINED = "none is needed; pegbot status says until when the bot makes no plan";
const LEFT = "pegbot rebalance shows every holding; treasury.targets names them";
const WRITE = "write to the venue's support";
const NOTHING_HERE = "nothing of the bot is needed";

/** A second hold of the same request has another key, so it is sent again. */
function holdsOf({ open, treasury, at }: Status): readonly Hold[] {
  const requests = open.flatMap((one): readonly Hold[] => {
    const { id, kind, venueId, heldSince: since } = one;
    if (!isHeld(one.venueWord) || one.isDoubt || (kind !== "mint" && kind !== "rail")) return [];
    const [what, support, effect] =
      kind === "mint"
        ? [one.what, "the request id", "the money of the mint is tied up"]
        : [`rail ${one.what}`, "the id of the rail", "payments on it wait"];
    const wayOut = `${WRITE} with ${support}; ${NOTHING_HERE}, and ${effect} until then`;
    const named = venueId === undefined ? id : `${id}, ${kind === "mint" ? "request" : "rail"} ${venueId} at the venue`;
    const fields = { what, id: named, status: wordText(one), age: heldText(since, at), wayOut };
    return [{ id, since, kind, key: `${kind}:${id}:held:${since}`, fields }];
  });
  const payments = (treasury?.held ?? []).map(({ id, venueId, amount, since }): Hold => {
    const wayOut = `${WRITE} with the id of the payment, ${venueId}; ${NOTHING_HERE}, and its money is in flight until then`;
    const what = `payment of ${groupedText(amount)}`;
    const fields = { what, id, status: "held", age: heldText(since, at), wayOut };
    return { id, since, kind: "rail", key: `payment:${id}:held:${since}`, fields };
  });
  return [...requests, ...payments];
}

function released({ id, kind, key, since, fields }: Hold, { open, at }: Status): Draft {
  const word = open.find((one) => one.id === id)?.venueWord;
  const status = `held no longer${word === undefined ? "" : `, listed as ${word}`}: it was`;
  const wayOut = "none is needed; the bot goes on with it";
  return { kind, key: `${key}:over`, fields: { ...fields, status, age: heldText(since, at), wayOut } };
}

/** Counted from the start of the hold, not of the request. */
function heldText(since: Millis | undefined, at: Millis): string {
  if (since === undefined) return "an unknown time";
  return at - since < MINUTE_MS ? "less than a minute" : ageText(at - since);
}

function wordText({ state, venueWord = state, venueReason }: ShownSubmission): string {
  return venueReason === undefined ? venueWord : `${venueWord} (${venueReason})`;
}

const SLOW = `some take that long, and ${NOTHING_HERE}; after a day ${WRITE} with the request id`;

/** Reports the highest of the ages that the mint has reached. */
function slowMint(mint: ShownSubmission, at: Millis): readonly Draft[] {
  const { id, what, since = at, venueId } = mint;
  const hours = reached(MINT_HOURS, since, at);
  if (hours === undefined) return [];
  const named = venueId === undefined ? id : `${id}, request ${venueId} at the venue`;
  const fields = { what, id: named, status: wordText(mint), age: ageText(at - since), wayOut: SLOW };
  return [{ kind: "mint", urgency: urgencyOf(MINT_HOURS, hours), key: `mint:${id}:${hours}`, fields }];
}

function unpaid({ id, rail, over = rail, pays, since }: ShownAwaited, at: Millis): readonly Draft[] {
  // Only a person can pay, so a stated amount is sent at once.
  const hours = reached(PAYMENT_HOURS, since, at) ?? (pays === undefined ? undefined : 0);
  if (hours === undefined) return [];
  const [what, wayOut] =
    pays === undefined
      ? ["no payment", "pay, or leave it; pegbot payments shows what the venue lists"]
      : [
          `${groupedText(pays)} ${hours === 0 ? "to be paid" : "not paid"}`,
          `pay it, or pegbot resolve ${id} --not-landed --reason "..."`,
        ];
  const fields = { what: `${what} on rail ${over}`, id, status: "awaited", age: ageText(at - since), wayOut };
  const about = pays === undefined ? undefined : id;
  return [{ kind: "rail", urgency: urgencyOf(PAYMENT_HOURS, hours), key: `unpaid:${id}:${hours}`, fields, about }];
}

/** Not for an order: one without a counterpart is normal, because prices move. A decline has a notice of its own. */
function resting({ until, why: what }: NonNullable<ShownTreasury["rest"]>, at: Millis): readonly Draft[] {
  if (until - at < HOUR_MS / 2 || / declined: /.test(what)) return [];
  const wayOut = "mend the cause; pegbot rebalance --execute of a person is tried at once";
  return plan(`rest:${until}`, { id: "of its own", status: `are not made for ${ageText(until - at)}`, what, wayOut });
}

/** The key contains the time: after a person acknowledged the freeze, the same reason is a new one. */
function frozen(what: string, since: Millis | undefined, at: Millis): readonly Draft[] {
  const wayOut =
    'was it you? pegbot rails --acknowledge --reason "..."; if not: pegbot halt REASON, and call the venue';
  const age = `${ageText(at - (since ?? at))}, until a person acknowledges it`;
  const fields = { what, id: "rails", status: "frozen", age, wayOut };
  return [{ kind: "rail", urgency: "critical", key: `frozen:${since}:${what}`, fields, about: "rails" }];
}

function reached(ages: readonly number[], since: number, at: number): number | undefined {
  return ages.findLast((hours) => at - since >= hours * HOUR_MS);
}

function urgencyOf(ages: readonly number[], hours: number): Notice["urgency"] {
  return hours === ages.at(-1) ? "critical" : "warning";
}

function ageText(ms: number): string {
  return ms < 2 * HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.floor(ms / HOUR_MS)} h`;
}
