// Looks back, at the books and at equity: what opens a day or sets a peak is marked, and what broke a limit stops the bot. It
// is done after everything that can have changed something, unless it is certain that it would find what it found last:
// nothing.

import type { Money } from "../../domain/money/money.ts";
import type { Moment } from "../../market/moment.ts";
import type { StateCommand } from "../../risk/books.ts";
import type { Gate, RiskContext } from "../../risk/rule.ts";
import type { EquityWatch } from "./equity-watch.ts";
import type { Fold } from "./fold.ts";

const DAY_MS = 86_400_000;

/** A mark that is due, and what the rules that look back say. */
export type Look = { readonly mark: Money | undefined; readonly commands: readonly StateCommand[] };

const NO_COMMANDS: readonly never[] = Object.freeze([]);
export const NOTHING_SEEN: Look = Object.freeze({ mark: undefined, commands: NO_COMMANDS });

type LookoutParts = {
  readonly gate: Gate;
  readonly fold: Fold;
  readonly context: RiskContext;
  readonly watch: EquityWatch;
  readonly moment: Moment;
  /** Leaves no look out. */
  readonly isThorough: boolean;
};

export class Lookout {
  readonly #gate: Gate;
  readonly #fold: Fold;
  readonly #context: RiskContext;
  readonly #watch: EquityWatch;
  readonly #moment: Moment;
  readonly #isThorough: boolean;
  /** The last look found nothing, nor does the next before this time, with the same books and equity within its bounds. */
  #steadyUntil = Number.NEGATIVE_INFINITY;
  #steadyVersion = -1;

  constructor({ gate, fold, context, watch, moment, isThorough }: LookoutParts) {
    this.#gate = gate;
    this.#fold = fold;
    this.#context = context;
    this.#watch = watch;
    this.#moment = moment;
    this.#isThorough = isThorough;
  }

  look(): Look {
    if (this.isSteady()) return NOTHING_SEEN;
    const mark = this.#isUnmarked() ? undefined : this.#mark();
    const found = this.#gate.monitor(this.#context);
    const commands = this.accepted(found);
    // Also after a mark: what has just become the peak is not above it.
    if (found.length === 0 && !this.#isThorough) this.#steady();
    return mark === undefined && commands.length === 0 ? NOTHING_SEEN : { mark, commands };
  }

  /** A look would find what the last one found: nothing. */
  isSteady(): boolean {
    return (
      this.#moment.now < this.#steadyUntil &&
      this.#context.books.version === this.#steadyVersion &&
      this.#watch.isBound()
    );
  }

  /** Before this a look finds nothing while only prices of the venue come, of pairs that are known; minus infinity where that is not sure. */
  idleUntil(): number {
    return this.isSteady() && this.#watch.isUnmovable() ? this.#steadyUntil : Number.NEGATIVE_INFINITY;
  }

  /** Between trades, when it is worth it. */
  glance(): Look {
    return this.#moment.now >= this.#watch.dueAt && this.#watch.isWorthALook() ? this.look() : NOTHING_SEEN;
  }

  beforeOrders(): Look {
    if (this.isSteady()) return NOTHING_SEEN;
    const { day, peak } = this.#context.books;
    // Without a base nothing is approved, and the last look may have come before the last price that it needed.
    if (day.opening === undefined || peak === undefined) return this.look();
    const commands = this.accepted(this.#gate.monitor(this.#context));
    return commands.length === 0 ? NOTHING_SEEN : { mark: undefined, commands };
  }

  /** A state only ever gets stricter here, or has one more reason: what changes nothing is no command. */
  accepted(commands: readonly StateCommand[]): readonly StateCommand[] {
    if (commands.length === 0) return NO_COMMANDS;
    return commands.filter((command) => {
      const before = this.#context.books.standing;
      this.#fold.command(command, this.#context.now);
      return this.#context.books.standing !== before;
    });
  }

  #mark(): Money | undefined {
    const { books, now, pricing } = this.#context;
    const equity = pricing.equity();
    if (equity === undefined) return undefined;
    const isDue = books.needsMark(equity, now);
    if (isDue) this.#fold.mark(equity, now);
    if (books.peak !== undefined) this.#watch.foundAtMost(books.peak);
    return isDue ? equity : undefined;
  }

  /** Equity neither opens a day nor sets a peak, as floats can tell: its digits are not needed. */
  #isUnmarked(): boolean {
    const { peak } = this.#context.books;
    return !this.#isThorough && peak !== undefined && this.#isDayOpen() && this.#watch.isAtMost(peak);
  }

  /** False also when the first look in it did not know equity. */
  #isDayOpen(): boolean {
    const { day } = this.#context.books;
    return day.opening !== undefined && day.number === Math.floor(this.#moment.now / DAY_MS);
  }

  /** The books were looked at and nothing found: until they change, only time and equity can have something to find. */
  #steady(): void {
    const { books } = this.#context;
    this.#watch.bound(this.#gate.steadyAbove(books), this.#isDayOpen() ? books.peak : undefined);
    // A day is opened by the first look in it that knows equity.
    const dayEnd = (Math.floor(this.#moment.now / DAY_MS) + 1) * DAY_MS;
    this.#steadyUntil = Math.min(dayEnd, this.#gate.steadyUntil(books));
    this.#steadyVersion = books.version;
  }
}
