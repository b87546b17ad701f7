// Venue against journal as a whole: what must be read for it, what differs, whether a start may open the books, and what a person
// would adopt so that the books agree with the venue. Pure: the shells read, show and journal.

import type { Asset } from "../domain/asset.ts";
import type { AdoptionEvent } from "../domain/event.ts";
import { Money } from "../domain/money/money.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Millis } from "../domain/time.ts";
import { unreadText } from "../exchange/port.ts";
import type { Adoption, HistoryMark } from "../journal/record.ts";
import { type OfOurs, type OpenItem, totalOf } from "./balance-check.ts";
import type { Answer, Ask } from "./effects.ts";
import type { ExecutorView } from "./executor.ts";
import type { HistoryRow } from "./history.ts";
import { ADOPT } from "./remediation.ts";
import type { Moment } from "./request.ts";

/** Every history is queried first and the balances last, so that the balances are the newest answer. */
export function comparisonAsks(mintable: readonly Asset[], hasRails = false): readonly Ask[] {
  const ask = (witness: Ask["witness"], asset?: Asset): Ask => ({ witness, asset, class: "doubt" });
  return [
    ask("trades"),
    ask("orders"),
    ask("rails"),
    ...(hasRails ? [ask("payments")] : []),
    ...mintable.map((asset) => ask("supply-changes", asset)),
    ask("balances"),
  ];
}

export type Difference = {
  readonly asset: Asset;
  /** Undefined where the venue does not list an asset that the ledger holds. */
  readonly venue: Money | undefined;
  readonly ledger: Money | undefined;
  /** Our own requests and bookings in this asset that are open or young. */
  readonly ours: readonly OfOurs[];
};

export type Comparison = {
  readonly differences: readonly Difference[];
  /** History rows that the journal does not account for. */
  readonly rows: readonly HistoryRow[];
  readonly items: readonly OpenItem[];
  readonly receivedAt: Millis;
};

type Ledger = { readonly assets: Iterable<Asset>; settled(asset: Asset): Money | undefined };

/** `answers` has one answer for each of `comparisonAsks`. */
export function compareWithVenue(
  executor: ExecutorView,
  answers: readonly Answer[],
  ledger: Ledger,
  now: Moment,
): Result<Comparison> {
  const missing = (["trades", "orders", "rails", "balances"] as const).find(
    (witness) => !answers.some((answer) => answer.witness === witness),
  );
  if (missing !== undefined) return err(`the venue's ${missing} must be read, and were not`);
  for (const answer of answers) {
    const unread = executor.histories.unreadOfOurs(answer);
    if (unread !== undefined) return err(`the venue's ${answer.witness} cannot be read: ${unreadText(unread)}`);
  }
  const balances = answers.flatMap((answer) => (answer.witness === "balances" ? answer.rows : []));
  const assets = new Set([...balances.map(({ asset }) => asset), ...ledger.assets]);
  const differences = [...assets].sort().map((asset): Difference => {
    const row = balances.find((one) => one.asset === asset);
    const known = ledger.settled(asset);
    const nothing = known === undefined || known.isZero() ? Money.zero(asset) : undefined;
    return {
      asset,
      venue: row === undefined ? nothing : totalOf(row),
      ledger: known,
      ours: executor.balances.ofOurs([asset], now),
    };
  });
  const rows = [
    ...answers.flatMap((answer) => executor.histories.unattributedIn(answer)),
    ...executor.histories.contested(answers, now.at),
    ...executor.treasury.payments.oddRows(),
  ];
  const receivedAt = answers.reduce((last, one) => (one.receivedAt > last ? one.receivedAt : last), 0 as Millis);
  return ok({ differences, rows, items: executor.balances.openItems(), receivedAt });
}

/** An asset that the ledger has never held counts as zero. */
export function differenceOf({ asset, venue, ledger }: Difference): Money | undefined {
  return venue?.minus(ledger ?? Money.zero(asset));
}

export type AdoptionPlan = {
  readonly record: Adoption;
  readonly event: AdoptionEvent;
  /** Trades of this bot in the asset whose records were lost with part of the journal. */
  readonly lost: number;
  /**
   * Orders whose rows contradict the report that their strategy received: filled after release, a second trade, other
   * amounts.
   */
  readonly odd: readonly string[];
};

/**
 * `beside`: ids of open or young items that a person rules out as the cause. `shown`: how much of what is open the
 * balances show already. `gone`: assets that the venue no longer lists.
 */
export type Adopting = {
  readonly reason: string;
  readonly by: string;
  readonly beside?: readonly string[];
  readonly shown?: Shown | undefined;
  readonly gone?: readonly string[];
};

/** Of what is open. */
export type Shown = "none" | "all";

/** The adoption that makes the ledger agree with the venue. Its record and its event belong in one transaction. */
export function planAdoption(
  { differences: seen, rows, items, receivedAt }: Comparison,
  { reason, by, beside = [], shown, gone = [] }: Adopting,
  at: Millis,
): Result<AdoptionPlan> {
  const listed = gone.find((asset) => !seen.some((one) => one.asset === asset && one.venue === undefined));
  if (listed !== undefined)
    return err(`${listed} must be missing at the venue to be gone: the same command without it`);
  const differences = seen.map((one) => (gone.includes(one.asset) ? { ...one, venue: Money.zero(one.asset) } : one));
  const unlisted = differences.find(({ venue }) => venue === undefined);
  if (unlisted !== undefined)
    return err(
      `the venue does not list ${unlisted.asset}, of which the books have ${unlisted.ledger}; if it confirms that nothing is left: ${ADOPT} --gone ${unlisted.asset}`,
    );
  const negative = differences.find(({ venue }) => venue?.isNegative());
  if (negative !== undefined) return err(`balances must not be negative, was ${negative.venue} ${negative.asset}`);
  const differing = differences.filter((one) => differenceOf(one)?.isZero() === false);
  // Adopting the row of a payment ends the payment.
  const isAdopted = ({ id }: { readonly id: string }): boolean => rows.some(({ key }) => key === id);
  const ours = differing.flatMap((one) =>
    one.ours.filter((own) => !isAdopted(own)).map((own) => ({ ...own, asset: one.asset })),
  );
  const stranger = beside.find((id) => !ours.some((one) => one.id === id));
  if (stranger !== undefined)
    return err(`${stranger} is neither open nor young in what differs: the same command without it`);
  const open = ours.filter(({ id }) => !beside.includes(id));
  if (open.length > 0) return err(openText(open, beside));
  const unadopted = items.filter((item) => !isAdopted(item));
  const reading = (seen: readonly OpenItem[]): readonly Money[] => differences.map((one) => adoptedAmount(one, seen));
  const [none, all] = [reading([]), reading(unadopted)];
  const isOpenToBoth = none.some((amount, place) => !amount.equals(all[place] as Money));
  if (isOpenToBoth && shown === undefined) return err(readingsText(none, all, beside));
  const amounts = (shown === "all" ? all : none).filter(
    // An asset with a zero balance is opened too, so that the ledger knows it from then on.
    (amount, place) => !amount.isZero() || differences[place]?.ledger === undefined,
  );
  return ok({
    record: { kind: "adoption", at, amounts, history: historyMark(rows, receivedAt), reason, by },
    event: { kind: "adoption", amounts, reason, receivedAt: at },
    lost: rows.filter(({ isLost = false }) => isLost).length,
    odd: rows.flatMap(({ contradicts }) => (contradicts === undefined ? [] : [contradicts])),
  });
}

/** What a person adopts of a difference if the balances show these items; where nothing differs, nothing is. */
function adoptedAmount(one: Difference, seen: readonly OpenItem[]): Money {
  const { asset } = one;
  const whole = differenceOf(one) ?? Money.zero(asset);
  const open = seen.flatMap(({ moves }) => moves.flatMap(({ most }) => (most.asset === asset ? [most] : [])));
  return whole.isZero() ? whole : whole.minus(Money.sum(open, asset));
}

function readingsText(none: readonly Money[], all: readonly Money[], beside: readonly string[]): string {
  const textOf = (amounts: readonly Money[]): string => {
    const some = amounts.filter((amount) => !amount.isZero()).map((amount) => `${amount} ${amount.asset}`);
    return some.length === 0 ? "nothing" : some.join(", ");
  };
  const command = `${ADOPT} --beside ${beside.join(" ")} --shown`;
  return `the balances may show what is open or not: say which. If they show none of it, ${textOf(none)} is adopted: ${command} none. If they show all of it, ${textOf(all)}: ${command} all`;
}

function openText(open: readonly (OfOurs & { readonly asset: Asset })[], beside: readonly string[]): string {
  const texts = open.map(({ text, asset }) => `${text} (${asset})`);
  const ids = [...new Set([...beside, ...open.map(({ id }) => id)])];
  return `nothing is adopted while something of ours is open or young where the balances differ: ${texts.join("; ")}. Wait until pegbot status shows it as over; if the difference is other money: ${ADOPT} --beside ${ids.join(" ")}`;
}

/** So many of the newest rows are also remembered by id; older ones are covered by the time mark. */
const IDS_MAX = 1_000;

/**
 * A venue time covers all older rows. A time ahead of our clock is ignored, because it would cover rows that do not
 * exist yet.
 */
function historyMark(rows: readonly HistoryRow[], receivedAt: Millis): HistoryMark {
  let until: Millis | undefined;
  for (const { at } of rows)
    if (at !== undefined && at <= receivedAt && (until === undefined || at > until)) until = at;
  const isCovered = ({ at }: HistoryRow): boolean => at !== undefined && until !== undefined && at <= until;
  const younger = rows.filter((row) => !isCovered(row));
  const newest = rows.filter(isCovered).sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
  return { until, ids: [...younger, ...newest.slice(0, IDS_MAX)].map(({ key }) => key) };
}

export type Start =
  /** The strategy may run. The balance check freezes and halts on any difference. */
  | { readonly kind: "ready" }
  /** An account without history: the first process opens the books. */
  | { readonly kind: "first"; readonly plan: AdoptionPlan; readonly note: string }
  | { readonly kind: "refused"; readonly reason: string; readonly wayOut: string };

export function judgeStart(executor: ExecutorView, comparison: Comparison, now: Moment, by = "bot"): Start {
  if (executor.isOpened) return { kind: "ready" };
  const [row, ...more] = comparison.rows;
  if (row !== undefined) {
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    const reason = `the journal is empty, and the venue shows ${row.text}${others}: the books must not begin at zero`;
    return { kind: "refused", reason, wayOut: ADOPT };
  }
  const plan = planAdoption(comparison, { reason: "opening balances of an untouched account", by }, now.at);
  if (!plan.ok) return { kind: "refused", reason: plan.error, wayOut: ADOPT };
  const shown = plan.value.record.amounts.map((amount) => `${amount} ${amount.asset}`).join(", ");
  const note = `first start: the venue's balances are the opening entry: ${shown === "" ? "none" : shown}`;
  return { kind: "first", plan: plan.value, note };
}
