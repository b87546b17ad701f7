// Which reads are wanted when, beside those that a submission asks for: always one of the quotes, balances after fills and
// now and then, the histories and pairs regularly. Pure: live and backtest ask the same questions at the same times.

import { type Mono, mono } from "../domain/time.ts";
import type { WantClass } from "../exchange/port.ts";

export type Read = "quotes" | "balances" | "trades" | "orders" | "pairs" | "addresses";

export type AgendaSettings = {
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

export const agendaDefaults: AgendaSettings = {
  quotesMs: 0,
  balancesMs: 10_000,
  historiesMs: 60_000,
  pairsMs: 600_000,
  failedMs: 1_000,
};

/** What a slot is worth for them. Pairs are asked seldom, and a start waits for them. */
export const READ_CLASSES: Readonly<Record<Read, WantClass>> = {
  quotes: "quote",
  balances: "balance",
  trades: "confirmation",
  orders: "confirmation",
  pairs: "balance",
  addresses: "treasury",
};

export type ReadEnd = "answered" | "failed" | "not-available";

export interface Agenda {
  /** Nothing is due before. */
  readonly nextAt: number;
  /** What is to be asked now; each is under way until it ended. A start asks for the pairs here, and for the rest by itself. */
  due(now: Mono, isStarting: boolean): readonly Read[];
  /** Its request leaves now: what moved before will be in the answer. */
  began(read: Read): void;
  /** How a read of this agenda ended. */
  ended(read: Read, end: ReadEnd, now: Mono): void;
  /** Somebody else's read was answered: it serves as well. */
  seen(read: Read, now: Mono): void;
  /** Money moved: what the venue says of it is wanted next. */
  moved(): void;
}

const READS: readonly Read[] = ["pairs", "trades", "orders", "balances", "quotes"];
const WITH_ADDRESSES: readonly Read[] = [...READS, "addresses"];
const START: readonly Read[] = ["pairs"];
const NOTHING: readonly Read[] = Object.freeze([]);
const AT_ONCE = mono(Number.NEGATIVE_INFINITY);
const NEVER = Number.POSITIVE_INFINITY;

export function createAgenda(settings: AgendaSettings = agendaDefaults): Agenda {
  const { quotesMs, balancesMs, historiesMs, pairsMs, failedMs, addressesMs } = settings;
  const wanted = addressesMs === undefined ? READS : WITH_ADDRESSES;
  const pauses: Readonly<Record<Read, number>> = {
    quotes: quotesMs,
    balances: balancesMs,
    trades: historiesMs,
    orders: historiesMs,
    pairs: pairsMs,
    addresses: addressesMs ?? NEVER,
  };
  const dueAt = new Map<Read, Mono>(wanted.map((read) => [read, AT_ONCE]));
  const underWay = new Set<Read>();
  let hasMoved = false;
  let nextAt: number = AT_ONCE;
  const due = (read: Read): Mono => dueAt.get(read) ?? AT_ONCE;
  const firstDue = (): number => {
    let first = NEVER;
    for (const read of wanted) if (!underWay.has(read)) first = Math.min(first, due(read));
    return first;
  };
  const next = (read: Read, pauseMs: number, now: Mono): void => {
    // Money that moved while it was asked may not be in the answer.
    const again = read === "balances" && hasMoved;
    const at = again ? AT_ONCE : mono(now + pauseMs);
    dueAt.set(read, at);
    nextAt = Math.min(nextAt, at);
  };
  return {
    get nextAt() {
      return nextAt;
    },
    due(now, isStarting) {
      if (now < nextAt) return NOTHING;
      let reads: Read[] | undefined;
      for (const read of isStarting ? START : wanted) {
        if (underWay.has(read) || due(read) > now) continue;
        underWay.add(read);
        if (read === "balances") hasMoved = false;
        reads ??= [];
        reads.push(read);
      }
      nextAt = isStarting ? AT_ONCE : firstDue();
      return reads ?? NOTHING;
    },
    began(read) {
      if (read === "balances") hasMoved = false;
    },
    ended(read, end, now) {
      underWay.delete(read);
      // A key that may not ask for addresses is not asked again every second.
      const isUrgent = end === "failed" && read !== "addresses";
      next(read, end === "answered" ? pauses[read] : isUrgent ? failedMs : pairsMs, now);
    },
    seen(read, now) {
      if (!underWay.has(read) && dueAt.has(read)) next(read, pauses[read], now);
    },
    moved() {
      hasMoved = true;
      dueAt.set("balances", AT_ONCE);
      nextAt = AT_ONCE;
    },
  };
}
