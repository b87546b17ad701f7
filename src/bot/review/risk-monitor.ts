// The retrospective checks of counters and equity: marks the opening of a day or a new peak, and halts the bot when a
// limit is broken. They run after every event that can have changed something, and once per interval of event time in
// which only prices moved.

import { ownAtPar } from "../../books/accounts/statement.ts";
import type { Books } from "../../books/books.ts";
import type { Event } from "../../domain/event.ts";
import type { Step } from "../../domain/step.ts";
import { MARKOUT_MS } from "../../risk/counters/markouts.ts";
import type { StateCommand } from "../../risk/counters.ts";
import type { Gate } from "../../risk/rule.ts";

/** The due mark, and the commands of the retrospective rules. */
export type Findings = Pick<Step, "mark" | "ownAtPar" | "mids"> & { readonly commands: readonly StateCommand[] };

const NO_COMMANDS: readonly never[] = Object.freeze([]);
export const NOTHING_FOUND: Findings = Object.freeze({ mark: undefined, commands: NO_COMMANDS });

export class RiskMonitor {
  readonly #gate: Gate;
  readonly #books: Books;
  /** The interval of equity checks while only prices move. */
  readonly #everyMs: number;
  /** Before this time no price triggers a check. */
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(gate: Gate, books: Books, everyMs = 10_000) {
    this.#gate = gate;
    this.#books = books;
    this.#everyMs = everyMs;
  }

  /** A price triggers a check only where one is due. */
  monitor({ kind }: Event): Findings {
    const { now } = this.#books.prices.moment;
    if (kind !== "quote" && kind !== "bar") return this.#check();
    if (now < this.#dueAt) return NOTHING_FOUND;
    // Intervals lie on a grid, so that the next one follows from the time alone.
    this.#dueAt = this.#everyMs > 0 ? (Math.floor(now / this.#everyMs) + 1) * this.#everyMs : now;
    return this.#check();
  }

  /** A contradiction with the books halts the bot before any rule is checked. */
  contradicted(problem: StateCommand): Findings {
    const commands = this.#accepted([problem]);
    const found = this.#check();
    return { ...found, commands: [...commands, ...found.commands] };
  }

  beforeOrders(): Findings {
    const { day, peak } = this.#books.counters;
    // Without a base nothing is approved, and the last check may have preceded the last price that it needed.
    if (day.opening === undefined || peak === undefined) return this.#check();
    const commands = this.#monitored();
    return commands.length === 0 ? NOTHING_FOUND : { mark: undefined, commands };
  }

  #check(): Findings {
    const mids = this.#mids();
    const marked = this.#mark();
    const commands = this.#monitored();
    if (mids === undefined && marked === undefined && commands.length === 0) return NOTHING_FOUND;
    return { mark: undefined, ...marked, ...mids, commands };
  }

  #monitored(): readonly StateCommand[] {
    return this.#accepted(this.#gate.monitor(this.#books));
  }

  /** A state only gets stricter here or gains a reason; a command without effect is dropped. */
  #accepted(commands: readonly StateCommand[]): readonly StateCommand[] {
    if (commands.length === 0) return NO_COMMANDS;
    const { counters } = this.#books;
    return commands.filter((command) => {
      const before = counters.tradingState;
      this.#books.command(command);
      return counters.tradingState !== before;
    });
  }

  /** The mids that fills wait for. */
  #mids(): Pick<Step, "mids"> | undefined {
    const books = this.#books;
    const { waiting } = books.counters.markouts;
    if (waiting.length === 0) return undefined;
    const mids = waiting.flatMap(({ symbol, at }) => {
      const prices = books.prices.pairs.get(symbol);
      // Without quotes fair value is the price that may turn; par never does, and our own next fill takes its place.
      const isFair = books.prices.isBlind && !books.prices.isParAlone(symbol) && books.now >= at + MARKOUT_MS;
      const fair = isFair ? prices?.value() : undefined;
      if (fair !== undefined) return [{ symbol, mid: fair }];
      const venue = prices?.venue;
      const isAfter = venue?.seen === "good" && venue.since >= at + MARKOUT_MS;
      return isAfter ? [{ symbol, mid: (venue.bid + venue.ask) / 2 }] : [];
    });
    if (mids.length === 0) return undefined;
    books.mids(mids);
    return { mids };
  }

  #mark(): Pick<Step, "mark" | "ownAtPar"> | undefined {
    const books = this.#books;
    const { accounts, counters, pricing } = books;
    if (counters.isUnmarked(pricing, books.now)) return undefined;
    const mark = pricing.equity();
    if (mark === undefined || !counters.needsMark(mark, books.now)) return undefined;
    const base = counters.shown.totals.placedAtPar === undefined ? ownAtPar(accounts, pricing) : undefined;
    books.mark(mark, base);
    return base === undefined ? { mark } : { mark, ownAtPar: base };
  }
}
