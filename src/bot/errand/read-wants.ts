// What a read of the agenda is worth when its slot may have come. Where the strategy says what fresh quotes would earn,
// quotes go before balances and polls while they earn more than those are worth; but neither waits for long.

import type { Millis } from "../../domain/time.ts";
import { classWorth, PRESSING_WORTH, type Want } from "../../exchange/port.ts";
import { type Agenda, READ_CLASSES, type Read } from "./agenda.ts";

export type ReadWant = Pick<Want, "class" | "worth" | "begins">;

/** What the strategy at the desk says, in the currency of the limits; undefined when it says nothing. */
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

export function createReadWants(agenda: Agenda, gains: () => Gains, now: () => Millis): ReadWants {
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
    begins: () => agenda.began(read),
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
