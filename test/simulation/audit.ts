// The questions that are asked after a campaign, of the journal and of the venue's own books: was anything sent twice or
// without a record, was a fill lost or booked twice, is anything still tied up, do the two sides agree to the last digit?

import { Accounts } from "../../src/books/accounts/accounts.ts";
import { Bookings } from "../../src/bot/bookkeeping/bookings.ts";
import { Totals } from "../../src/bot/bookkeeping/reconciled.ts";
import type { Engine } from "../../src/bot/engine.ts";
import type { Asset } from "../../src/domain/asset.ts";
import type { Money } from "../../src/domain/money/money.ts";
import type { Fill } from "../../src/domain/order.ts";
import type { Entry, JournalRecord } from "../../src/journal/record.ts";
import type { SavedCounters } from "../../src/risk/counters.ts";

export type VenueFacts = {
  /** Digests of the orders' bodies as they arrived. */
  readonly arrivals: readonly string[];
  /** The venue's ids of the orders that were filled. */
  readonly filledOrderIds: ReadonlySet<string>;
  readonly totals: ReadonlyMap<Asset, Money>;
};

export type Tally = {
  readonly fills: number;
  /** Doubts that turned out to have happened, and not to. */
  readonly doubtsFilled: number;
  readonly doubtsDead: number;
  readonly halts: readonly string[];
};

/** Signature refused twice in a row: a person looks at the key, and no money is involved. */
const HARMLESS = /the venue refuses (our|the) key/;

export function tally(entries: readonly Entry[]): Tally {
  const answered = new Set(
    of(entries, "outcome").flatMap(({ id, outcome }) => (outcome.kind === "accepted" ? [id] : [])),
  );
  const filled = fillsOf(entries);
  // By the rule alone; what a person closed is not counted.
  const dead = of(entries, "resolution").filter(({ verdict, by }) => verdict.kind === "released" && by === "bot");
  const halts = of(entries, "step").flatMap(({ step: { event } }) =>
    event.kind === "control" && event.control.kind === "halt" ? [event.control.reason] : [],
  );
  return {
    fills: filled.size,
    doubtsFilled: [...filled.keys()].filter((id) => !answered.has(id)).length,
    doubtsDead: new Set(dead.map(({ id }) => id)).size,
    halts,
  };
}

/** Reasons for which a bot that lacks nothing never halts here, but for those that the faults of a campaign deserve. */
export function seriousHalts(entries: readonly Entry[], deserved?: RegExp): readonly string[] {
  return tally(entries).halts.filter((reason) => !HARMLESS.test(reason) && deserved?.test(reason) !== true);
}

export function audit(entries: readonly Entry[], tradingCore: Engine, venue: VenueFacts, deserved?: RegExp): string[] {
  return [
    ...seriousHalts(entries, deserved).map((reason) => `halted: ${reason}`),
    ...[...tradingCore.executor.open()].map(({ id, state }) => `${id} is still open: ${state.kind}`),
    ...sentTwice(entries, venue),
    ...misbooked(entries, tradingCore, venue),
    ...misexported(entries, tradingCore),
  ];
}

/** Every order reached the venue once at most, and exactly as the journal had announced it. */
function sentTwice(entries: readonly Entry[], { arrivals }: VenueFacts): string[] {
  const sent = of(entries, "sending");
  const idOf = new Map(sent.map(({ id, digest }) => [digest, id]));
  const ids = new Set(sent.map(({ id }) => id));
  const said = ids.size === sent.length ? [] : ["an order was recorded as sent twice"];
  const seen = new Set<string>();
  for (const digest of arrivals) {
    const id = idOf.get(digest);
    if (id === undefined) said.push(`an order was sent without a record of exactly this: ${digest}`);
    if (seen.has(digest)) said.push(`${id} was sent twice`);
    seen.add(digest);
  }
  return said;
}

/** Fills, holdings and reservations against the venue's own books. */
function misbooked(entries: readonly Entry[], tradingCore: Engine, { filledOrderIds, totals }: VenueFacts): string[] {
  const said: string[] = [];
  const booked = new Set([...fillsOf(entries).values()].map(({ orderId = "of no id" }) => orderId));
  for (const id of filledOrderIds) if (!booked.has(id)) said.push(`the fill of the venue's order ${id} was lost`);
  for (const id of booked)
    if (!filledOrderIds.has(id)) said.push(`the venue's order ${id} was booked and never filled`);
  const { accounts } = tradingCore.books;
  for (const [asset, total] of totals) {
    const held = accounts.held(asset);
    if (held === undefined ? !total.isZero() : !held.equals(total))
      said.push(`${asset}: the books say ${held}, the venue ${total}`);
    if (held !== undefined && !accounts.heldAtLeast(asset)?.equals(held)) said.push(`${asset} is still reserved`);
    if (held !== undefined && !accounts.heldAtMost(asset)?.equals(held)) said.push(`${asset} is still expected`);
  }
  return said;
}

/** What a bookkeeper gets of the journal against the bot's own books: holdings, profit, and each fill once. */
function misexported(entries: readonly Entry[], tradingCore: Engine): string[] {
  const { accounts, counters } = tradingCore.save().books;
  const bookings = new Bookings(tradingCore.books.pricing.currency);
  const totals = new Totals();
  const filled: unknown[] = [];
  for (const booking of entries.flatMap((entry) => bookings.take(entry))) {
    totals.take(booking);
    if (booking.kind === "trade") filled.push(booking.id);
    if (booking.isWaiting) filled.push(`${booking.id}, without a trade id`);
  }
  const said = [...totals.differences(new Accounts(0, accounts))];
  if (String(filled) !== String([...fillsOf(entries).keys()])) said.push(`the bookings are of ${filled}`);
  const sums = (saved: unknown) => JSON.stringify((saved as SavedCounters).sums?.totals);
  if (sums(bookings.counters.save()) !== sums(counters))
    said.push("turnover, fees and profit of the bookings are others");
  return said;
}

/** By client order id, as first reported. */
function fillsOf(entries: readonly Entry[]): ReadonlyMap<string, Fill> {
  const fills = new Map<string, Fill>();
  for (const { step } of of(entries, "step")) {
    const { event } = step;
    if (event.kind !== "report" || event.report.kind !== "filled") continue;
    if (!fills.has(event.clientOrderId)) fills.set(event.clientOrderId, event.report.fill);
  }
  return fills;
}

function of<K extends JournalRecord["kind"]>(
  entries: readonly Entry[],
  kind: K,
): Extract<JournalRecord, { kind: K }>[] {
  return entries.flatMap(({ record }) => (record.kind === kind ? [record as Extract<JournalRecord, { kind: K }>] : []));
}
