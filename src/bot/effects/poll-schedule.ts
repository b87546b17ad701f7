// Schedules the reads that no request asks for: quotes always, balances after fills and at an interval, histories and
// pairs at an interval. Live and backtest poll alike.

import { type Mono, mono } from "../../domain/time.ts";
import type { Want, WantClass } from "../../exchange/port.ts";

export type Read = "quotes" | "balances" | "trades" | "orders" | "pairs" | "addresses";

export type PollSettings = {
  /** The interval between two quote reads; 0 spends every otherwise unused slot on quotes; undefined: never. */
  readonly quotesMs: number | undefined;
  /** The maximum interval; after a fill balances are read at once. */
  readonly balancesMs: number;
  /** Both histories, to find activity that is not in our journal. */
  readonly historiesMs: number;
  readonly pairsMs: number;
  /** The address whitelist, if our wallets depend on it; absent: never. */
  readonly addressesMs?: number;
  /** The pause after a failed read; the exchange adds its own backoff. */
  readonly failedMs: number;
};

export const pollDefaults: PollSettings = {
  quotesMs: 0,
  balancesMs: 10_000,
  historiesMs: 60_000,
  pairsMs: 600_000,
  failedMs: 1_000,
};

/** The urgency of each read. Pairs are read rarely, and a start waits for them. */
const READ_CLASSES: Readonly<Record<Read, WantClass>> = {
  quotes: "quote",
  balances: "balance",
  trades: "confirmation",
  orders: "confirmation",
  pairs: "balance",
  addresses: "treasury",
};

/** `unusable`: answered, but without any usable row; `absent`: not available, and never was. */
export type ReadEnd = "answered" | "failed" | "unusable" | "not-available" | "absent";

/** The pause after an unusable answer: longer than the venue takes to answer, shorter than after a good one. */
const AGAIN_MS = 10_000;
/** A venue may keep quoting pairs that it does not trade; the list is then read at most this often. */
const QUESTIONED_MS_MAX = 80_000;

/** A venue without quotes is asked again so soon: a 403 or 404 may be a hiccup of its gateway, and prices are missed. */
const ABSENT_MS = 60_000;

const AT_ONCE = mono(Number.NEGATIVE_INFINITY);
const NEVER = Number.POSITIVE_INFINITY;

type Line = {
  readonly read: Read;
  readonly pauseMs: number;
  /** False for a read that this bot never makes. */
  readonly isWanted: boolean;
  dueAt: Mono;
  /** The end of the last read, whatever its result. */
  endedAt: Mono;
  isUnderWay: boolean;
};

export class PollSchedule {
  /** In polling order. */
  private readonly lines: readonly Line[];
  private readonly balances: Line;
  private readonly failedMs: number;
  private readonly refusedMs: number;
  private hasMoved = false;
  private isQuestioned = false;
  private questionedMs = AGAIN_MS;

  constructor({ quotesMs, balancesMs, historiesMs, pairsMs, failedMs, addressesMs }: PollSettings = pollDefaults) {
    const line = (read: Read, pauseMs: number | undefined): Line => {
      const isWanted = pauseMs !== undefined;
      return { read, pauseMs: pauseMs ?? NEVER, isWanted, dueAt: AT_ONCE, endedAt: AT_ONCE, isUnderWay: false };
    };
    const histories = [line("trades", historiesMs), line("orders", historiesMs)];
    this.balances = line("balances", balancesMs);
    const rest = [line("quotes", quotesMs), line("addresses", addressesMs)];
    this.lines = [line("pairs", pairsMs), ...histories, this.balances, ...rest];
    this.failedMs = failedMs;
    this.refusedMs = pairsMs;
  }

  /**
   * The reads to make now; each is in flight until `ended`. During a start this schedules only the pairs, because the
   * start makes the other reads itself.
   */
  due(now: Mono, isStarting: boolean): readonly Read[] {
    const due = this.lines.filter(({ isWanted, isUnderWay, dueAt, read }) => {
      return isWanted && !isUnderWay && dueAt <= now && (!isStarting || read === "pairs");
    });
    for (const line of due) line.isUnderWay = true;
    if (due.includes(this.balances)) this.hasMoved = false;
    return due.map(({ read }) => read);
  }

  /** No read is due before this. */
  get nextAt(): number {
    let first = NEVER;
    for (const { isWanted, isUnderWay, dueAt } of this.lines)
      if (isWanted && !isUnderWay) first = Math.min(first, dueAt);
    return first;
  }

  /** The request leaves now, so its answer will include all earlier movements. */
  began(read: Read): void {
    if (read === "balances") this.hasMoved = false;
  }

  ended(read: Read, end: ReadEnd, now: Mono): void {
    const line = this.line(read);
    line.isUnderWay = false;
    if (read === "pairs" && end === "answered") this.listed();
    this.next(line, end === "answered" ? line.pauseMs : this.againMs(read, end), now);
  }

  private againMs(read: Read, end: ReadEnd): number {
    if (end === "unusable") return AGAIN_MS;
    if (end === "absent") return ABSENT_MS;
    // A key without permission to read addresses is not retried every second.
    return end === "failed" && read !== "addresses" ? this.failedMs : this.refusedMs;
  }

  /** A read made elsewhere was answered; it counts as this one. */
  seen(read: Read, now: Mono): void {
    const line = this.line(read);
    if (!line.isUnderWay && line.isWanted) this.next(line, line.pauseMs, now);
  }

  /** Money moved, so balances are due at once. */
  moved(): void {
    this.hasMoved = true;
    this.balances.dueAt = AT_ONCE;
  }

  /** The list of pairs may have changed: it is due at once, unless it was just read. */
  outdated(): void {
    this.wantPairs(AGAIN_MS);
  }

  /**
   * An observation contradicts the list of pairs without proving it wrong: it is due soon, and later each time the next
   * list is the same.
   */
  questioned(): void {
    this.isQuestioned = true;
    this.wantPairs(this.questionedMs);
  }

  private wantPairs(pauseMs: number): void {
    const pairs = this.line("pairs");
    pairs.dueAt = mono(Math.min(pairs.dueAt, pairs.endedAt + pauseMs));
  }

  private listed(): void {
    this.questionedMs = this.isQuestioned ? Math.min(2 * this.questionedMs, QUESTIONED_MS_MAX) : AGAIN_MS;
    this.isQuestioned = false;
  }

  private line(read: Read): Line {
    return this.lines.find((line) => line.read === read) as Line;
  }

  private next(line: Line, pauseMs: number, now: Mono): void {
    // Money that moved during the read may be missing from the answer.
    const again = line.read === "balances" && this.hasMoved;
    line.dueAt = again ? AT_ONCE : mono(now + pauseMs);
    line.endedAt = now;
  }
}

export type ReadWant = Pick<Want, "class" | "begins">;

/** The read's want: it is under way once its slot is granted. */
export function readWant(polls: PollSchedule, read: Read): ReadWant {
  return { class: READ_CLASSES[read], begins: () => polls.began(read) };
}
