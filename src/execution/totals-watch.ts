// Differences between venue and ledger over time. One that nothing explains freezes its asset at once. It halts the bot
// when a second answer shows it too, or three show three amounts, late balances can no longer be the reason, and neither is a
// stranger's trade nor a payment on a rail of ours: those are asked first, so that one cause is one stop.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { emptyList } from "../domain/empty-list.ts";
import type { Money } from "../domain/money/money.ts";
import type { Mono } from "../domain/time.ts";
import type { Nonce } from "../exchange/port.ts";
import type { Likeness } from "./likeness/likeness.ts";
import type { Conflict } from "./submission.ts";
import type { Totals } from "./totals.ts";
import type { Stop } from "./way-out.ts";

const NONE: readonly never[] = Object.freeze([]);

/** One asset that differs. */
type Mismatch = {
  readonly difference: Money;
  /** When the asset began to differ, by whatever amount. */
  readonly since: Mono;
  /** When just this amount was first shown, and how many answers have shown it. */
  readonly shownAt: Mono;
  readonly answers: number;
  /** How many answers in a row had another amount than the one before. */
  readonly others: number;
};

export type SeenBalances = {
  readonly rows: readonly Balance[];
  readonly nonce: Nonce | undefined;
  /** Assets that strangers may have moved: the bot is stopped for that already. */
  readonly foreign: ReadonlySet<Asset>;
  readonly likeness?: Likening;
  /** Payments on a rail of ours may move coins without any request. */
  readonly hasRails?: boolean;
};

const NEVER = Number.NEGATIVE_INFINITY;

const NO_MISMATCHES: ReadonlyMap<Asset, Mismatch> = new Map();
const NEVER_UNJUDGED: ReadonlyMap<Asset, Mono> = new Map();

export class TotalsWatch {
  private readonly seen = new Set<Asset>();
  /** When each asset last moved, as far as we know. */
  private readonly movedAt = new Map<Asset, Mono>();
  private mismatches: ReadonlyMap<Asset, Mismatch> = NO_MISMATCHES;
  private unknown: readonly Asset[] = NONE;
  /** Assets that we hold and the venue lists no longer, and since when. */
  private unlisted: ReadonlyMap<Asset, Mono> = new Map();
  /** Assets that differ in a way that nobody can judge yet, and since when. */
  private unjudged: ReadonlyMap<Asset, Mono> = NEVER_UNJUDGED;
  /** Nothing is frozen. */
  isClear = true;
  /** When the last trades that were answered were asked for, and the last payments. */
  private tradesAskedAt: number = NEVER;
  private paymentsAskedAt: number = NEVER;
  /** The nonce of the last answer that was compared as a whole. */
  private nonce: Nonce | undefined;
  /** The rows that were last found to agree, and the ledger's amounts beside them. */
  private agreed: readonly Balance[] = NONE;
  private readonly ledgers = emptyList<Money | undefined>();
  /** The assets in the order of the last answer; empty where one was named twice. */
  private names: readonly Asset[] = NONE;

  /** Assets that the venue has named. */
  get expected(): ReadonlySet<Asset> {
    return this.seen;
  }

  /** Some difference was shown once only: a second answer must show it too before anything follows. */
  get isToBeSeenAgain(): boolean {
    for (const { answers } of this.mismatches.values()) if (answers === 1) return true;
    return false;
  }

  /** A person took over what differed. It stays frozen until balances are read; what those differ by counts as seen for the first time. */
  takenOver(): void {
    this.mismatches = new Map([...this.mismatches].map(([asset, one]) => [asset, { ...one, answers: 0 }]));
  }

  moved(asset: Asset, at: Mono): void {
    this.movedAt.set(asset, at);
  }

  /** Whether every asset that was ever named is listed, in full, and equals the ledger to the last digit. If not, `see` says what follows. */
  agree(rows: readonly Balance[], held: (asset: Asset) => Money | undefined): boolean {
    const { agreed, ledgers, names } = this;
    this.agreed = NONE;
    if (rows.length !== names.length || rows.length !== this.seen.size) return false;
    // Never read beyond the end of a list: it makes the runtime slow for all lists.
    const hasAgreed = agreed.length === rows.length;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as Balance;
      const ledger = held(row.asset);
      // A venue in process gives the same row again while nothing of the asset has moved, and so does the ledger.
      if (hasAgreed && row === agreed[i] && ledger === ledgers[i]) continue;
      ledgers[i] = ledger;
      if (row.asset !== names[i] || !isExact(row, ledger)) return false;
    }
    this.agreed = rows;
    this.unjudged = NEVER_UNJUDGED;
    if (!this.isClear) this.found(NO_MISMATCHES, NONE);
    return true;
  }

  /** Why the bot must stop, if it must. */
  see(
    { unexplained, unjudged, unknown, unlisted, negative }: Totals,
    { rows, nonce, foreign, likeness, hasRails = false }: SeenBalances,
    now: Mono,
    patienceMs: number,
  ): Stop | undefined {
    for (const { asset } of rows) this.seen.add(asset);
    const names = rows.map(({ asset }) => asset);
    this.names = new Set(names).size === names.length ? names : NONE;
    // What agreed was in the order of the earlier names.
    this.agreed = NONE;
    // Several callers may have asked for one answer, and each hands it in: it counts once.
    const more = nonce !== undefined && nonce === this.nonce ? 0 : 1;
    this.nonce = nonce;
    const differing = [...unexplained, ...this.overdue(unjudged, now, patienceMs)];
    const mismatches = differing.map((difference): [Asset, Mismatch] => {
      const before = this.mismatches.get(difference.asset);
      // Another amount is another difference, and nobody was asked about it yet.
      const isSame = before?.difference.equals(difference) === true && before.answers > 0;
      const [answers, shownAt] = isSame ? [before.answers + more, before.shownAt] : [1, now];
      const others = isSame || before === undefined || before.answers === 0 ? 0 : before.others + more;
      return [difference.asset, { difference, since: before?.since ?? now, shownAt, answers, others }];
    });
    this.found(new Map(mismatches), unknown);
    this.unlisted = new Map(unlisted.map((asset) => [asset, this.unlisted.get(asset) ?? now]));
    const [below] = negative;
    if (below !== undefined) {
      const reason = `balances must not be negative, were ${below.available} available and ${below.pending ?? "an unknown amount"} pending of ${below.asset}`;
      return { cause: "balances", subject: `negative ${below.asset}`, reason };
    }
    const due = [...this.mismatches.values()].filter(
      (one) => !foreign.has(one.difference.asset) && this.isDue(one, hasRails, now, patienceMs),
    );
    if (due.length === 0) return undefined;
    const stop = unexplainedStop(
      due.map(({ difference }) => difference),
      likeness,
    );
    const isUnread = hasRails && due.some(({ shownAt }) => this.paymentsAskedAt < shownAt);
    // Where one of these is named already, nobody has to guess.
    return isUnread && !stop.finding ? { ...stop, reason: `${stop.reason}${PAYMENTS_UNREAD}` } : stop;
  }

  /** Trades were answered. True where a difference waits for them: the balances at hand are older than what these trades booked, so that the next ones decide. */
  seeTrades(askedAt: Mono): boolean {
    const before = this.tradesAskedAt;
    this.tradesAskedAt = askedAt;
    for (const { since, answers } of this.mismatches.values())
      if (answers > 1 && before < since && since <= askedAt) return true;
    return false;
  }

  /** The same for payments: another amount may be another payment. */
  seePayments(askedAt: Mono): boolean {
    const before = this.paymentsAskedAt;
    this.paymentsAskedAt = askedAt;
    for (const { shownAt, answers } of this.mismatches.values())
      if (answers > 1 && before < shownAt && shownAt <= askedAt) return true;
    return false;
  }

  frozen(): { readonly assets: readonly Asset[]; readonly reason: string } | undefined {
    if (this.isClear) return undefined;
    const [unknown] = this.unknown;
    const mismatches = [...this.mismatches.values()];
    const assets = [...this.mismatches.keys(), ...this.unknown];
    const reason =
      mismatches.length === 0 ? unsaidText(unknown) : differText(mismatches.map(({ difference }) => difference));
    return { assets, reason };
  }

  /** For so long a coin that is not listed is worth what the books say; after that it may be gone. */
  goneFor(now: Mono, patienceMs: number): Conflict | undefined {
    for (const [asset, since] of this.unlisted) if (now - since >= patienceMs) return unsaidStop(asset);
    return undefined;
  }

  /** What nobody could judge for so long counts as unexplained. */
  private overdue(unjudged: readonly Money[], now: Mono, patienceMs: number): readonly Money[] {
    const before = this.unjudged;
    this.unjudged = new Map(unjudged.map(({ asset }) => [asset, before.get(asset) ?? now]));
    return unjudged.filter(({ asset }) => now - (before.get(asset) ?? now) >= patienceMs);
  }

  private found(mismatches: ReadonlyMap<Asset, Mismatch>, unknown: readonly Asset[]): void {
    this.mismatches = mismatches;
    this.unknown = unknown;
    this.isClear = mismatches.size + unknown.length === 0;
  }

  private isDue(one: Mismatch, hasRails: boolean, now: Mono, patienceMs: number): boolean {
    const { difference, since, answers, others } = one;
    // A difference that changes with every answer would never be shown twice, and payments would never have been read since.
    const isMoving = others >= 2;
    if (answers < 2 && !isMoving) return false;
    const shownAt = isMoving ? since : one.shownAt;
    // A venue that does not answer these questions delays a stop no longer than `patienceMs`.
    if (this.tradesAskedAt < since && now - since < patienceMs) return false;
    if (hasRails && this.paymentsAskedAt < shownAt && now - shownAt < patienceMs) return false;
    const movedAt = this.movedAt.get(difference.asset);
    return movedAt === undefined || now - movedAt >= patienceMs || now - since >= patienceMs;
  }
}

const PAYMENTS_UNREAD = "; its payments have not been read since, and one on a rail of ours may be the reason";

/** What the differences are like. */
type Likening = (differences: readonly Money[]) => Likeness;

/** The same at a start and later, so that one cause is one stop. */
export function unexplainedStop(differences: readonly Money[], likeness?: Likening): Stop {
  const inOrder = differences.toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
  const { text = "", finding, own } = likeness?.(differences) ?? {};
  const back = own?.at(-1);
  const isAll = back !== undefined && differences.every(({ asset }) => back.assets.includes(asset));
  const assets = `difference of ${inOrder.map(({ asset }) => asset).join(", ")}`;
  return {
    cause: "balances",
    subject: isAll ? (back.subject ?? assets) : assets,
    finding,
    reason: `${differText(inOrder)}, which no order of ours explains${text}`,
    ...(back === undefined ? {} : { back: { command: back.command, isAll } }),
  };
}

export function unsaidStop(asset: Asset | undefined): Conflict {
  return { cause: "balances", subject: `unsaid ${asset}`, reason: unsaidText(asset) };
}

/** For an asset of which available and pending are not both known. */
export function unsaidText(asset: Asset | undefined): string {
  return `the venue does not say what there is of ${asset}`;
}

function differText(differences: readonly Money[]): string {
  const shown = differences.map((difference) => `${difference} ${difference.asset}`).join(", ");
  return `the venue's balances differ from the ledger by ${shown}`;
}

function isExact({ available, pending }: Balance, ledger: Money | undefined): boolean {
  if (pending === undefined || available.isNegative() || pending.isNegative()) return false;
  const total = pending.isZero() ? available : available.plus(pending);
  return ledger === undefined ? total.isZero() : total.equals(ledger);
}
