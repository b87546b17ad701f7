// What a person would take over, so that the books say what the venue says. Pure: the shells show it, and journal what comes out of here.

import type { AdoptionEvent } from "../domain/event.ts";
import { Money } from "../domain/money/money.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Millis } from "../domain/time.ts";
import { utcText } from "../domain/time-text.ts";
import type { Adoption, HistoryMark } from "../journal/record.ts";
import type { HistoryRow } from "./history/foreign.ts";
import type { OwnMoney } from "./likeness/likeness.ts";
import type { MintCost } from "./mint-cost.ts";
import type { Comparison, LatePayment, Unclear } from "./reconcile.ts";
import { reservationOf } from "./reservation.ts";
import { unsaidText } from "./totals-watch.ts";
import { wayToKnow } from "./way-out.ts";

export type AdoptionPlan = {
  readonly record: Adoption;
  readonly event: AdoptionEvent;
  /** What mints of ours have cost, booked together with it. */
  readonly costs: readonly MintCost[];
  /** How many trades of this bot are in it whose records were lost with a part of the journal. */
  readonly lost: number;
  /** Orders that were given up and whose trades are in it, one for each trade: their strategies were told that they had not filled. */
  readonly unbooked: readonly string[];
  /** The same for what is not as their strategies were told: a second trade, other amounts. */
  readonly odd: readonly string[];
};

/** `beside`: the ids of money of ours (`OwnMoney`) that a person says the difference is not, though it is just as much. */
export type Adopting = { readonly reason: string; readonly by: string; readonly beside?: readonly string[] };

/** What the books take over so that they say what the venue says. Record and event belong into one transaction. */
export function planAdoption(
  { differences, costs, rows, own = [], filled = [], unclear, late = [], receivedAt, escalateAfterMs }: Comparison,
  { reason, by, beside = [] }: Adopting,
  at: Millis,
): Result<AdoptionPlan> {
  const waiting = waitingFor(unclear, escalateAfterMs);
  if (waiting !== undefined) return err(waiting);
  const ours = own.filter(({ id }) => !beside.includes(id));
  if (ours.length > 0) return err(oursText(ours, beside));
  const left = late.filter(({ id }) => !beside.includes(id));
  if (left.length > 0) return err(leftText(left));
  const unlike = beside.find((id) => !own.some((one) => one.id === id));
  if (unlike !== undefined)
    return err(`nothing that differs is just what ${unlike} took: --beside is for other money of that amount alone`);
  const unknown = differences.find(({ venue }) => venue === undefined);
  if (unknown !== undefined) return err(unsaidText(unknown.asset));
  const negative = differences.find(({ venue }) => venue?.isNegative());
  if (negative !== undefined) return err(`balances must not be negative, was ${negative.venue} ${negative.asset}`);
  const amounts = differences.flatMap(({ asset, venue, ledger }) => {
    const amount = (venue ?? Money.zero(asset)).minus(ledger ?? Money.zero(asset));
    // An asset of which there is nothing is opened too: from then on the ledger knows it.
    return amount.isZero() && ledger !== undefined ? [] : [amount];
  });
  return ok({
    record: { kind: "adoption", at, amounts, history: historyMark(rows, receivedAt), reason, by },
    event: { kind: "adoption", amounts, reason, receivedAt: at },
    costs,
    lost: rows.filter(({ isLost = false }) => isLost).length,
    unbooked: [...beliedIn(rows, true), ...filled],
    odd: [...beliedIn(rows, false), ...own.flatMap(({ id, mayBeUndone }) => (mayBeUndone === true ? [id] : []))],
  });
}

/** How many are put into words: a person reads them. */
const WORDED_MAX = 3;

/** Whoever says that it is other money names all of them at once. */
function oursText(ours: readonly OwnMoney[], beside: readonly string[]): string {
  const latest = ours.toReversed();
  const texts = latest.slice(0, WORDED_MAX).map(({ text, refusal }) => `${text}, and ${refusal}`);
  const more = latest.length > WORDED_MAX ? [`${latest.length - WORDED_MAX} earlier ones are like it too`] : [];
  const ids = [...new Set([...beside, ...latest.map(({ id }) => id)])];
  return `${[...texts, ...more].join("; ")}; if it is other money of just that amount: pegbot adopt --beside ${ids.join(" ")}`;
}

function beliedIn(rows: readonly HistoryRow[], isUnbooked: boolean): readonly string[] {
  return rows.flatMap(({ belied }) => (belied?.isUnbooked === isUnbooked ? [belied.order] : []));
}

/** How many of the newest rows are known by id as well; older ones are never shown again. */
const IDS_MAX = 1_000;

/**
 * Up to where history is taken over: a time of the venue covers all older rows, too. A time ahead of ours is left out, because it would
 * cover rows that are still to come. Rows are also known by id: while the venue's clock is wrong, the same row has another time.
 */
function historyMark(rows: readonly HistoryRow[], receivedAt: Millis): HistoryMark {
  let until: Millis | undefined;
  for (const { at } of rows)
    if (at !== undefined && at <= receivedAt && (until === undefined || at > until)) until = at;
  const covered = (at: Millis | undefined): boolean => at !== undefined && until !== undefined && at <= until;
  const younger = rows.filter(({ at }) => !covered(at));
  const newest = rows.filter(({ at }) => covered(at)).sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
  return { until, ids: [...younger, ...newest.slice(0, IDS_MAX)].map(({ key }) => key) };
}

/** Names the one that the balances may show last: whatever differs after that is none of these. */
function leftText(late: readonly LatePayment[]): string {
  const [last] = late.toSorted((one, other) => (other.dueAt ?? 0) - (one.dueAt ?? 0)) as [LatePayment];
  const others = late.length === 1 ? "" : ` and ${late.length - 1} before it`;
  const until = last.dueAt === undefined ? "" : `, which have until ${utcText(last.dueAt)} to show it`;
  return `what ${last.id}${others} took of ${last.asset} may not be in the venue's balances yet${until}: try again then`;
}

/** First what is of unknown outcome, for nobody can say when that ends; then the late one that the balances may show last. */
function waitingFor(unclear: readonly Unclear[], escalateAfterMs: number): string | undefined {
  const unknown = unclear.find(({ submission }) => reservationOf(submission.state) !== "booked")?.submission;
  if (unknown !== undefined)
    return `the outcome of ${unknown.id} must be known first, was ${unknown.state.kind}: ${wayToKnow(unknown, escalateAfterMs)}`;
  const [last] = unclear.toSorted((one, other) => (other.dueAt ?? 0) - (one.dueAt ?? 0));
  if (last === undefined) return undefined;
  const { submission, dueAt } = last;
  const others = unclear.length === 1 ? "" : ` and ${unclear.length - 1} before it`;
  const until = dueAt === undefined ? "" : `, which have until ${utcText(dueAt)} to show it`;
  return `what ${submission.id}${others} moved may not be in the venue's balances yet${until}: try again then; what differs at that time halts a running bot, and is taken over unless it is just what fills of ours moved`;
}
