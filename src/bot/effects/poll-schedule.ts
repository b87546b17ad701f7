// Which reads are wanted when, besides those that a request asks for: always one of the quotes, balances after fills and now and
// then, the histories and pairs regularly; and what each is worth when its slot may have come. Live and backtest poll alike.

import { type Millis, type Mono, mono } from "../../domain/time.ts";
import { classWorth, PRESSING_WORTH, type Want, type WantClass } from "../../exchange/port.ts";

export type Read = "quotes" | "balances" | "trades" | "orders" | "pairs" | "addresses";

export type PollSettings = {
  /** Between two reads of the quotes; 0 spends every slot that nothing better wants on them. */
  readonly quotesMs: number;
  /** At least so often; after a fill at once. */
  readonly balancesMs: number;
  /** Both histories, for what our journal does not know. */
  readonly historiesMs: number;
  readonly pairsMs: number;
  /** The whitelist, where wallets of ours depend on it; absent: never. */
  readonly addressesMs?: number;
  /** After a read that failed; the exchange has its own rests beyond that. */
  readonly failedMs: number;
};

export const pollDefaults: PollSettings = {
  quotesMs: 0,
  balancesMs: 10_000,
  historiesMs: 60_000,
  pairsMs: 600_000,
  failedMs: 1_000,
};

/** How urgent each read is. Pairs are asked seldom, and a start waits for them. */
const READ_CLASSES: Readonly<Record<Read, WantClass>> = {
  quotes: "quote",
  balances: "balance",
  trades: "confirmation",
  orders: "confirmation",
  pairs: "balance",
  addresses: "treasury",
};

/** `unusable`: answered, with nothing in it that serves. */
export type ReadEnd = "answered" | "failed" | "unusable" | "not-available";

/** The rest after an answer that is of no use: longer than the venue takes to answer, shorter than after a good one. */
const AGAIN_MS = 10_000;
/** A venue may go on quoting pairs that it does not trade: then its list is asked for once in so long, and no more. */
const QUESTIONED_MS_MAX = 80_000;

const NOTHING: readonly Read[] = Object.freeze([]);
const AT_ONCE = mono(Number.NEGATIVE_INFINITY);
const NEVER = Number.POSITIVE_INFINITY;

type Line = {
  readonly read: Read;
  readonly pauseMs: number;
  /** Whether it is asked at all. */
  readonly isWanted: boolean;
  dueAt: Mono;
  /** When the last one ended, in whatever way. */
  endedAt: Mono;
  isUnderWay: boolean;
};

export class PollSchedule {
  /** In the order in which they are asked. */
  private readonly lines: readonly Line[];
  private readonly balances: Line;
  private readonly failedMs: number;
  private readonly refusedMs: number;
  private hasMoved = false;
  private isQuestioned = false;
  private questionedMs = AGAIN_MS;
  /** Nothing is due before. */
  nextAt: number = AT_ONCE;

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

  /** What is to be asked now; each read is under way until `ended`. A start asks for the pairs here, and for the rest by itself. */
  due(now: Mono, isStarting: boolean): readonly Read[] {
    if (now < this.nextAt) return NOTHING;
    let reads: Read[] | undefined;
    let first = NEVER;
    for (let i = 0; i < this.lines.length; i++) {
      const line = this.lines[i] as Line;
      if (!line.isWanted) continue;
      const { read } = line;
      const isDue = !line.isUnderWay && line.dueAt <= now && (!isStarting || read === "pairs");
      if (isDue) {
        line.isUnderWay = true;
        if (read === "balances") this.hasMoved = false;
        // Most often it is the only one: a list that grows takes room for many.
        if (reads === undefined) reads = [read];
        else reads.push(read);
      }
      if (!line.isUnderWay) first = Math.min(first, line.dueAt);
    }
    this.nextAt = isStarting ? AT_ONCE : first;
    return reads ?? NOTHING;
  }

  /** Its request leaves now: what moved before will be in the answer. */
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
    // A key that may not ask for addresses is not asked again every second.
    return end === "failed" && read !== "addresses" ? this.failedMs : this.refusedMs;
  }

  /** A read that was asked for elsewhere was answered: it serves as well. */
  seen(read: Read, now: Mono): void {
    const line = this.line(read);
    if (!line.isUnderWay && line.isWanted) this.next(line, line.pauseMs, now);
  }

  /** Money moved: what the venue says of it is wanted next. */
  moved(): void {
    this.hasMoved = true;
    this.balances.dueAt = AT_ONCE;
    this.nextAt = AT_ONCE;
  }

  /** The list of pairs may be another by now: it is wanted next, unless it has just been read. */
  outdated(): void {
    this.wantPairs(AGAIN_MS);
  }

  /** Something speaks against the list of pairs without proving it wrong: it is wanted soon, and later each time that the next list says the same. */
  questioned(): void {
    this.isQuestioned = true;
    this.wantPairs(this.questionedMs);
  }

  private wantPairs(pauseMs: number): void {
    const pairs = this.line("pairs");
    pairs.dueAt = mono(Math.min(pairs.dueAt, pairs.endedAt + pauseMs));
    this.nextAt = Math.min(this.nextAt, pairs.dueAt);
  }

  private listed(): void {
    this.questionedMs = this.isQuestioned ? Math.min(2 * this.questionedMs, QUESTIONED_MS_MAX) : AGAIN_MS;
    this.isQuestioned = false;
  }

  private line(read: Read): Line {
    return this.lines.find((line) => line.read === read) as Line;
  }

  private next(line: Line, pauseMs: number, now: Mono): void {
    // Money that moved while it was asked may not be in the answer.
    const again = line.read === "balances" && this.hasMoved;
    line.dueAt = again ? AT_ONCE : mono(now + pauseMs);
    line.endedAt = now;
    this.nextAt = Math.min(this.nextAt, line.dueAt);
  }
}

export type ReadWant = Pick<Want, "class" | "worth" | "begins">;

/** What the running strategy says, in the currency of the limits; undefined when it says nothing. */
export type Gains = {
  quotesGain(now: Millis): number | undefined;
  readonly gainOf: unknown;
  /** Halted or killed: no quote leads to an order. */
  isStopped(): boolean;
};

export interface ReadWants {
  of(read: Read): ReadWant;
}

/** Of what a read earns only half is its own: the order that follows needs a slot as well. */
const SLOTS_TO_EARN = 2;
const HUNDREDTHS = 100;
/** Histories that confirm orders go before whatever a read is said to be worth: the money protocol comes first. */
const READ_MAX = classWorth.confirmation - 2;
const PRESSING_MS = 5_000;
/** Of quotes that no order follows: a stopped bot leaves the slots to the person who looks for the reason. */
const IDLE = classWorth.other / 2;

/**
 * What a read is worth when its slot may have come. Where the strategy says what fresh quotes would earn, quotes go before
 * balances and other polls while they earn more than those are worth; but neither waits for long.
 */
export function createReadWants(polls: PollSchedule, gains: () => Gains, now: () => Millis): ReadWants {
  const quotes = (since: Millis, at: Millis): number => {
    if (gains().isStopped()) return IDLE;
    if (gains().gainOf === undefined) return classWorth.quote;
    if (at - since >= PRESSING_MS) return PRESSING_WORTH;
    const gain = gains().quotesGain(at);
    // Whole ones: what changes by less is not worth a line in the key's ledger.
    return gain === undefined ? classWorth.quote : Math.min(READ_MAX, Math.round((gain / SLOTS_TO_EARN) * HUNDREDTHS));
  };
  const balances = (since: Millis, at: Millis): number => {
    const isPressing = at - since >= PRESSING_MS && gains().gainOf !== undefined && !gains().isStopped();
    return isPressing ? PRESSING_WORTH : classWorth.balance;
  };
  return {
    of(read) {
      const want = { class: READ_CLASSES[read], begins: () => polls.began(read) };
      if (read !== "quotes" && read !== "balances") return want;
      if (gains().gainOf === undefined && !gains().isStopped()) return want;
      const since = now();
      const worth = read === "quotes" ? quotes : balances;
      return { ...want, worth: (at) => worth(since, at) };
    },
  };
}
