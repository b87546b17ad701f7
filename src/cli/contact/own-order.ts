// Looks for an order of ours in the list of trades, and for the switches of the profile under which its row says what
// happened. That is known from the answer or from the balances, so a switch is found and not guessed.

import { parse } from "yaml";
import type { Fill } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { WireExchange } from "../../exchange/client.ts";
import { type OrderRecord, type TradeRecord, unreadText, type Want } from "../../exchange/port.ts";
import type { Profile } from "../../exchange/profile.ts";
import { judgeFills, receiptDifference } from "../../execution/evidence.ts";

export type Line = { speaking(profile: Profile): WireExchange };

export type OwnOrder = {
  readonly request: OrderIntent;
  /** Its answer; undefined after a lost one. */
  readonly receipt: Fill | undefined;
  /** By its answer or by the balances. */
  readonly isFilled: boolean;
  /** Our time of its answer. */
  readonly at: Millis;
};

type Odd = {
  readonly kind: "odd";
  readonly cause: string;
  readonly row?: TradeRecord;
  /** Of a row that cannot be read: lines of the profile under which it may be. */
  readonly lines?: readonly string[];
};
type Fits = {
  readonly kind: "fits";
  readonly profile: Profile;
  readonly readAt: Millis;
  readonly at: Millis | undefined;
};
type Seen = Fits | Odd | { readonly kind: "absent"; readonly cause: string };

/** `others`: profiles under which the row fits as well. */
type Found = Seen & { readonly others: readonly Profile[] };

const CHANGES_MAX = 5;
const APART_MS_MAX = 120_000;
export const WANT: Want = { class: "confirmation" };

export async function findTrade(line: Line, configured: Profile, order: OwnOrder): Promise<Found> {
  const seen = await seenIn(line, configured, order);
  const [fits, ...others] = await fitting(line, configured, order, seen, CHANGES_MAX);
  return { ...(fits === undefined ? seen : await dated(line, order, fits)), others: others.map((one) => one.profile) };
}

/** A time without a zone is UTC where that makes it the time of our order. */
async function dated(line: Line, order: OwnOrder, fits: Fits): Promise<Fits> {
  if (fits.at !== undefined) return fits;
  const seen = await seenIn(line, { ...fits.profile, timesWithoutZone: "utc" }, order);
  return seen.kind === "fits" && Math.abs((seen.at ?? 0) - order.at) <= APART_MS_MAX ? seen : fits;
}

/** One trouble of its row after the other, each by every value that could mend it. */
async function fitting(line: Line, profile: Profile, order: OwnOrder, seen: Seen, left: number): Promise<Fits[]> {
  if (seen.kind === "fits") return [seen];
  if (seen.kind === "absent" || left === 0) return [];
  const tried: (readonly [Profile, Seen])[] = [];
  for (const other of candidates(profile, order, seen)) tried.push([other, await seenIn(line, other, order)]);
  const found = tried.flatMap(([, then]) => (then.kind === "fits" ? [then] : []));
  if (found.length > 0) return found;
  for (const [other, then] of tried)
    if (then.kind === "odd" && then.cause !== seen.cause)
      found.push(...(await fitting(line, other, order, then, left - 1)));
  return found;
}

async function seenIn(line: Line, profile: Profile, order: OwnOrder): Promise<Seen> {
  const reading = await line.speaking(profile).trades(WANT);
  if (reading.kind === "dropped") return { kind: "absent", cause: reading.reason };
  if (reading.kind === "failed") return { kind: "absent", cause: reading.failure.message };
  const row = reading.value.find((one) => isIts(one, order));
  if (row === undefined) {
    const ids = [order.request.clientOrderId, order.receipt?.orderId];
    const unread = reading.problems?.find(({ words }) => ids.some((id) => id !== undefined && words.includes(id)));
    if (unread === undefined) return { kind: "absent", cause: "the list of trades does not show it" };
    return { kind: "odd", cause: unreadText(unread), lines: unread.lines };
  }
  const finding = judgeFills(order.request, [row], { receipt: order.receipt });
  if (finding.kind !== "landed") return { kind: "odd", cause: "reason" in finding ? finding.reason : "", row };
  const cause = order.receipt && receiptDifference("order", order.receipt, finding.receipt);
  if (cause !== undefined) return { kind: "odd", cause, row };
  return { kind: "fits", profile, readAt: reading.receivedAt, at: row.at };
}

export function isIts(row: Pick<OrderRecord, "clientOrderId" | "orderId">, { request, receipt }: OwnOrder): boolean {
  if (row.clientOrderId !== undefined) return row.clientOrderId === request.clientOrderId;
  return row.orderId !== undefined && row.orderId === receipt?.orderId;
}

/** The values of the switches that the trouble names, and the lines that it proposes. */
function candidates(profile: Profile, { isFilled }: OwnOrder, { cause, row, lines = [] }: Odd): readonly Profile[] {
  const isNamed = (name: keyof Profile): boolean => cause.includes(`venue.profile.${name}`);
  const changes: Partial<Profile>[] = lines.map((line) => {
    const { profile: change = {} }: { readonly profile?: Partial<Profile> } = parse(line);
    return change.fields === undefined ? change : { ...change, fields: { ...profile.fields, ...change.fields } };
  });
  if (isNamed("feeMissing")) changes.push({ feeMissing: "zero" });
  if (isNamed("feeCurrencyMissing"))
    for (const feeCurrencyMissing of ["base", "quote", "bought", "sold"] as const) changes.push({ feeCurrencyMissing });
  // Where the leg as it stands is beyond the limit, its fee may be inside.
  if (row?.fee.isZero() === false) for (const feeInside of ["quote", "base"] as const) changes.push({ feeInside });
  if (isNamed("statuses") && row?.status !== undefined && isFilled && mayBeLast(row.status))
    changes.push({ statuses: { ...profile.statuses, [row.status]: "Filled" } });
  return changes.map((change) => ({ ...profile, ...change }));
}

/** Of an order in progress or of a part of it: such a word is not learnt as an end, even if the order has ended. */
const UNFINISHED = /part|pend|held|hold|new|open|process|progress|accept|submit|work|active|wait|queue|online/i;

export function mayBeLast(status: string): boolean {
  return !UNFINISHED.test(status);
}
