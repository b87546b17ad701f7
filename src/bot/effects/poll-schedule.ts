// Which reads are wanted when, besides those that a request asks for: always one of the quotes, balances after fills and now and
// then, the histories and pairs regularly; and what each is worth when its slot may have come. Live and backtest poll alike.

import { type Millis, type Mono, mono } from "../../domain/time.ts";
import { classWorth, PRESSING_WORTH, type Want, type WantClass } from "../../exchange/port.ts";

// Which reads are wanted when, beside those that a submission asks for: always one of the quotes, balances after fills and
// now and then, the histories and pairs regularly. Pure: live and backtest ask the same questions at the same times.

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
export const READ_CLASSES: Readonly<Record<Read, WantClass>> = {
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

export interface PollSchedule {
  /** Nothing is due before. */
  readonly nextAt: number;
  /** What is to be asked now; each read is under way until `ended`. A start asks for the pairs here, and for the rest by itself. */
  due(now: Mono, isStarting: boolean): readonly Read[];
  /** Its request leaves now: what moved before will be in the answer. */
  began(read: Read): void;
  /** How a read of this polls ended. */
  ended(read: Read, end: ReadEnd, now: Mono): void;
  /** Somebody else's read was answered: it serves as well. */
  seen(read: Read, now: Mono): void;
  /** Money moved: what the venue says of it is wanted next. */
  moved(): void;
  /** The list of pairs may be another by now: it is wanted next, unless it has just been read. */
  outdated(): void;
  /** Something speaks against the list of pairs without proving it wrong: it is wanted soon, and later each time that the next list says the same. */
  questioned(): void;
}

const NOTHING: readonly Read[] = Object.freeze([]);
const AT_ONCE = mono(Number.NEGATIVE_INFINITY);
const NEVER = Number.POSITIVE_INFINITY;

export function createPollSchedule(settings: PollSettings = pollDefaults): PollSchedule {
  return new RegularPolls(settings);
}

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

class RegularPolls implements PollSchedule {
  /** In the order in which they are asked. */
  private readonly lines: readonly Line[];
  private readonly balances: Line;
  private readonly failedMs: number;
  private readonly refusedMs: number;
  private hasMoved = false;
  private isQuestioned = false;
  private questionedMs = AGAIN_MS;
  nextAt: number = AT_ONCE;

  constructor({ quotesMs, balancesMs, historiesMs, pairsMs, failedMs, addressesMs }: PollSettings) {
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

  seen(read: Read, now: Mono): void {
    const line = this.line(read);
    if (!line.isUnderWay && line.isWanted) this.next(line, line.pauseMs, now);
  }

  moved(): void {
    this.hasMoved = true;
    this.balances.dueAt = AT_ONCE;
    this.nextAt = AT_ONCE;
  }

  outdated(): void {
    this.wantPairs(AGAIN_MS);
  }

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

  /** A short list is walked: looking a name up in an object costs more. */
  private line(read: Read): Line {
    let place = 0;
    while ((this.lines[place] as Line).read !== read) place++;
    return this.lines[place] as Line;
  }

  private next(line: Line, pauseMs: number, now: Mono): void {
    // Money that moved while it was asked may not be in the answer.
    const again = line.read === "balances" && this.hasMoved;
    line.dueAt = again ? AT_ONCE : mono(now + pauseMs);
    line.endedAt = now;
    this.nextAt = Math.min(this.nextAt, line.dueAt);
  }
}

// What a read of the polls is worth when its slot may have come. Where the strategy says what fresh quotes would earn,
// quotes go before balances and polls while they earn more than those are worth; but neither waits for long.

export type ReadWant = Pick<Want, "class" | "worth" | "begins">;

/** What the strategy at the trading core says, in the currency of the limits; undefined when it says nothing. */
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
/** Of quotes that nobody may act on: a stopped bot leaves the slots to the person who looks for the reason. */
const IDLE = classWorth.other / 2;

const READS = Object.keys(READ_CLASSES) as readonly Read[];
type Unvalued = ReadWant & { readonly read: Read };

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
  // What it is where nobody says what reads earn: the same each time. In a short list: to look one of several names up in
  // an object costs more.
  const unvalued: readonly Unvalued[] = READS.map((read) => ({
    read,
    class: READ_CLASSES[read],
    begins: () => polls.began(read),
  }));
  return {
    of(read) {
      let place = 0;
      while ((unvalued[place] as Unvalued).read !== read) place++;
      const want = unvalued[place] as Unvalued;
      if (read !== "quotes" && read !== "balances") return want;
      if (gains().gainOf === undefined && !gains().isStopped()) return want;
      const since = now();
      const worth = read === "quotes" ? quotes : balances;
      return { class: want.class, begins: want.begins, worth: (at) => worth(since, at) };
    },
  };
}
