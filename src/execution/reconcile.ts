// Venue against journal, as a whole: what must be read for it, and what differs. Pure: the shells read and show.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import { assetsIn, DOUBTS_MAX, explainsAll, likeliest, subsetsOf, totalOf } from "./balance-vote.ts";
import type { Answer, Ask, ExecutorSight } from "./executor.ts";
import type { HistoryRow } from "./history/foreign.ts";
import type { OwnMoney } from "./likeness/likeness.ts";
import { costsWithin, type MintCost, touches, type Uncosted } from "./mint-cost.ts";
import { moverSets } from "./mover-sets.ts";
import { ONE_SIDED_MS_MAX } from "./one-sided.ts";
import type { Arriving } from "./payment/arrivals.ts";
import type { Moment, Submission } from "./submission.ts";
import { fillMovements, type Mover } from "./totals.ts";

/** What has to be read before anything is said: all histories, and the balances last, so that they are the youngest. */
export function reconcileAsks(mintable: readonly Asset[], hasRails = false): readonly Ask[] {
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
  /** Available and pending together; undefined when the venue does not say both. */
  readonly venue: Money | undefined;
  readonly ledger: Money | undefined;
};

/** `dueAt`: when the balances must show what it moved. */
export type Unclear = { readonly submission: Submission; readonly dueAt: Millis | undefined };

/** `dueAt`: when the balances must show that it left. */
export type LatePayment = { readonly id: string; readonly asset: Asset; readonly dueAt: Millis | undefined };

export type Comparison = {
  readonly differences: readonly Difference[];
  /** What left for mints of ours of which only the list is known: in `differences` the ledger is without it. */
  readonly costs: readonly MintCost[];
  /** Rows of history that the journal does not account for. */
  readonly rows: readonly HistoryRow[];
  /** What of ours the differences are like, in words; only where somebody is about to take over. */
  readonly likeness?: string;
  /** What of the differences is money of ours, which must not be taken over; only where somebody is about to take over. */
  readonly own?: readonly OwnMoney[];
  /** Orders that were given up and may have filled after all, which no history shows; only where somebody is about to take over. */
  readonly filled?: readonly string[];
  /** Whose outcome is not known, or whose fill the balances may not show yet. */
  readonly unclear: readonly Unclear[];
  /** Payments of what differs that left so lately that the balances may not show it; only where somebody is about to take over. */
  readonly late?: readonly LatePayment[];
  /** How long evidence is given to decide about them. */
  readonly escalateAfterMs: number;
  readonly receivedAt: Millis;
};

type Ledger = { readonly assets: Iterable<Asset>; settled(asset: Asset): Money | undefined };

/** `answers`: one to each of `reconcileAsks`. `takesOver`: for a person who is about to, in `adopt`. */
export function compareWithVenue(
  executor: ExecutorSight,
  answers: readonly Answer[],
  ledger: Ledger,
  now: Moment,
  { takesOver = false }: { readonly takesOver?: boolean } = {},
): Result<Comparison> {
  const missing = (["trades", "orders", "rails", "balances"] as const).find(
    (witness) => !answers.some((answer) => answer.witness === witness),
  );
  if (missing !== undefined) return err(`the venue's ${missing} must be read, and were not`);
  const balances = answers.flatMap((answer) => (answer.witness === "balances" ? answer.rows : []));
  const assets = new Set([...balances.map(({ asset }) => asset), ...ledger.assets]);
  const rows = [
    ...answers.flatMap((answer) => executor.histories.strangers(answer)),
    ...executor.histories.contested(answers),
  ];
  const costs: MintCost[] = [];
  const differences = [...assets].sort().map((asset): Difference => {
    const balance = balances.find((one) => one.asset === asset) ?? nothingOf(asset, ledger.settled(asset));
    const venue = totalOf(balance);
    const coming = comingOf(executor, balance, asset, now);
    // What the list has called settled for so long is there, or will not come: a person who takes over says that it is over.
    const overdue = takesOver ? coming.filter(({ isOverdue = false }) => isOverdue) : [];
    const settled = ledger.settled(asset);
    const books = expected(
      venue,
      overdue.length === 0 ? settled : sumOf(overdue, asset).plus(settled ?? Money.zero(asset)),
      coming.filter((one) => !overdue.includes(one)),
    );
    const left = leftForMints({ asset, venue, ledger: books }, executor.movements.uncosted(asset), rows);
    costs.push(...left);
    const spent = left.map((cost) => cost.spent);
    return { asset, venue, ledger: left.length === 0 ? books : books?.minus(Money.sum(spent, asset)) };
  });
  const waiting = executor.balances.unclear(now);
  const seen = takesOver ? shownFills(waiting, differences) : [];
  const unclear = waiting.filter(({ id }) => !seen.includes(id));
  const likeness = takesOver ? executor.balances.likeness(changesOf(differences, rows), { at: now.at }) : undefined;
  return ok({
    differences,
    costs,
    rows,
    likeness: likeness?.text ?? "",
    own: likeness?.own.filter((one) => isOurs(one, answers)) ?? [],
    filled: likeness?.filled ?? [],
    unclear: unclear.map((submission) => ({ submission, dueAt: executor.balances.dueAt(submission.id) })),
    late: takesOver ? latePayments(executor, differences, now) : [],
    escalateAfterMs: executor.terms.escalateAfterMs,
    receivedAt: answers.reduce((latest, { receivedAt }) => (receivedAt > latest ? receivedAt : latest), 0 as Millis),
  });
}

/** Payments that left lately, in assets that differ; where an asset does not differ, the balances show them already. */
function latePayments(
  { balances }: ExecutorSight,
  differences: readonly Difference[],
  now: Moment,
): readonly LatePayment[] {
  const differing = differences.filter(({ venue, ledger }) => venue !== undefined && ledger?.equals(venue) !== true);
  return balances
    .paidLately(now)
    .flatMap((payment) =>
      differing.flatMap(({ asset }) =>
        touches(payment, asset) ? [{ id: payment.id, asset, dueAt: balances.dueAt(payment.id) }] : [],
      ),
    );
}

/** Where the history shows its fills, the balances are only behind. A fill that a person stated may never have happened. */
function isOurs({ fills = [] }: OwnMoney, answers: readonly Answer[]): boolean {
  const trades = answers.flatMap((answer) => (answer.witness === "trades" ? answer.rows : []));
  return fills.every((fill) => trades.some(({ orderId }) => orderId === fill.orderId));
}

/** Fills that the balances show beside what else differs: without one of them more assets would differ. */
function shownFills(waiting: readonly Submission[], differences: readonly Difference[]): readonly string[] {
  const fills = waiting.flatMap(({ id, kind, request, state }) =>
    kind === "order" && "receipt" in state
      ? [{ id, movements: fillMovements(request as OrderIntent, state.receipt as Fill) }]
      : [],
  );
  const booked = fills.flatMap(({ movements }) => movements.map(({ least }) => least));
  const changes = [...assetsIn(fills)].flatMap((asset) => {
    const { venue, ledger } = differences.find((one) => one.asset === asset) ?? {};
    // Against the ledger without them: each may be there or not.
    const own = booked.filter((one) => one.asset === asset);
    return venue === undefined ? [] : [venue.minus(ledger ?? Money.zero(asset)).plus(Money.sum(own, asset))];
  });
  return likeliest(fills, changes).map(({ id }) => id);
}

/**
 * A list without an asset says that there is nothing of it only where that is what we think too: some venues leave such rows out. Less
 * than nothing is what the books have while coins that were taken over as missing are in flight.
 */
function nothingOf(asset: Asset, settled: Money | undefined): Balance | undefined {
  const zero = Money.zero(asset);
  return settled?.atMost(zero) ? { asset, available: zero, pending: zero } : undefined;
}

/** On its way to the account: a fee may be off a payment, and none is off a mint. */
type Coming = Arriving & { readonly isOverdue?: boolean };

function comingOf(
  { movements }: ExecutorSight,
  balance: Balance | undefined,
  asset: Asset,
  now: Moment,
): readonly Coming[] {
  const flights = movements.inFlight(asset);
  const arriving = movements.arriving(asset);
  const minted = flights.map(({ coins, isSettled, listedAt }) => ({
    least: coins,
    most: coins,
    isSettled,
    isOverdue: isSettled && listedAt !== undefined && now.at - listedAt >= ONE_SIDED_MS_MAX,
  }));
  // Taken over with another difference, coins that are counted as pending would be in the books twice.
  if (balance?.pending?.atLeast(sumOf(minted, asset)) !== true) return [...minted, ...arriving];
  return [...minted.map((one) => ({ ...one, isSettled: true })), ...arriving];
}

function sumOf(coming: readonly Coming[], asset: Asset): Money {
  return Money.sum(
    coming.map(({ most }) => most),
    asset,
  );
}

/**
 * What is on its way may be among the venue's totals, or not be there at all: both are as they should be. Beside another difference
 * that counts as there which is pending, or has settled by the list, and of the rest what leaves the least over, as in the stop that
 * a person reads. What is wrongly left out would be taken over and be in the books twice, for good; what is wrongly counted differs
 * again when it comes.
 */
function expected(venue: Money | undefined, settled: Money | undefined, coming: readonly Coming[]): Money | undefined {
  if (venue === undefined || coming.length === 0) return settled;
  const change = settled === undefined ? venue : venue.minus(settled);
  if (change.isZero()) return settled;
  const movers = coming.map((one, index): Mover => {
    return { id: String(index), booked: false, isSettled: one.isSettled, movements: [one] };
  });
  if (moverSets(movers).likely.some((some) => explainsAll(some, [change]))) return venue;
  const [there, perhaps] = [coming.filter(({ isSettled }) => isSettled), coming.filter(({ isSettled }) => !isSettled)];
  const { asset } = venue;
  const counts = (coming.length > DOUBTS_MAX ? [[]] : subsetsOf(perhaps)).map((some) =>
    sumOf([...there, ...some], asset),
  );
  const nearest = counts.reduce((best, one) =>
    change.minus(one).size().moreThan(change.minus(best).size()) ? best : one,
  );
  return nearest.isZero() ? settled : nearest.plus(settled ?? Money.zero(asset));
}

/** Taken over with the rest it would be nobody's, and the books would neither have the coins nor what paid for them. */
function leftForMints(
  { asset, venue, ledger }: Difference,
  mints: readonly Uncosted[],
  rows: readonly HistoryRow[],
): readonly MintCost[] {
  if (mints.length === 0 || venue === undefined || ledger === undefined) return [];
  return costsWithin(ledger.minus(venue).plus(movedBy(rows, asset)), mints);
}

function movedBy(rows: readonly HistoryRow[], asset: Asset): Money {
  const moved = rows.flatMap((row) => (row.moved ?? []).filter((one) => one.asset === asset));
  return Money.sum(moved, asset);
}

/** What differs, apart from what rows of history say that they moved. */
function changesOf(differences: readonly Difference[], rows: readonly HistoryRow[]): readonly Money[] {
  return differences.flatMap(({ asset, venue, ledger = Money.zero(asset) }) =>
    venue === undefined ? [] : [venue.minus(ledger).minus(movedBy(rows, asset))],
  );
}
