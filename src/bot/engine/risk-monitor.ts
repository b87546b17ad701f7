// Looks back, at the books and at equity: what opens a day or sets a peak is marked, and what broke a limit stops the bot. It
// is done after everything that can have changed something, and once in each interval of event time in which only prices
// moved, unless it is certain that it would find what it found last: nothing.

import type { Step } from "../../domain/step.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { Moment } from "../../market/moment.ts";
import type { StateCommand } from "../../risk/books.ts";
import type { Gate, RiskContext } from "../../risk/rule.ts";
import { ownAtPar } from "../accounts/statement.ts";
import type { EquityWatch } from "./equity-watch.ts";
import type { Fold } from "./fold.ts";

/** A mark that is due, and what the rules that look back say. */
export type Look = Pick<Step, "mark" | "ownAtPar"> & { readonly commands: readonly StateCommand[] };

const NO_COMMANDS: readonly never[] = Object.freeze([]);
export const NOTHING_SEEN: Look = Object.freeze({ mark: undefined, commands: NO_COMMANDS });

type RiskMonitorParts = {
  readonly gate: Gate;
  readonly fold: Fold;
  readonly context: RiskContext;
  readonly watch: EquityWatch;
  readonly moment: Moment;
  /** How often equity is looked at while nothing but prices moves. */
  readonly everyMs: number;
  /** Leaves no look out. */
  readonly isThorough: boolean;
};

export class RiskMonitor {
  readonly #parts: RiskMonitorParts;
  /** Before this no price is a reason to look. */
  dueAt = Number.NEGATIVE_INFINITY;
  /** The last look found nothing, nor does the next before this time, with the same books and equity within its bounds. */
  #steadyUntil = Number.NEGATIVE_INFINITY;
  #steadyVersion = -1;

  constructor(parts: RiskMonitorParts) {
    this.#parts = parts;
  }

  look(): Look {
    if (this.isSteady()) return NOTHING_SEEN;
    const { gate, context, isThorough } = this.#parts;
    const marked = this.#isUnmarked() ? undefined : this.#mark();
    const found = gate.monitor(context, this.#isAboveFloor());
    const commands = this.accepted(found);
    // Also after a mark: what has just become the peak is not above it.
    if (found.length === 0 && !isThorough) this.#steady();
    return marked === undefined && commands.length === 0 ? NOTHING_SEEN : { mark: undefined, ...marked, commands };
  }

  /** A look would find what the last one found: nothing. */
  isSteady(): boolean {
    return this.#isTimeless() && this.#parts.watch.isBound();
  }

  /** Between trades, when it is due. */
  glance(): Look {
    if (this.#parts.moment.now < this.dueAt) return NOTHING_SEEN;
    this.passed();
    return this.look();
  }

  /** Intervals lie on a grid, so that what is due next follows from the time alone. */
  passed(): void {
    const { everyMs, moment } = this.#parts;
    this.dueAt = everyMs > 0 ? (Math.floor(moment.now / everyMs) + 1) * everyMs : moment.now;
  }

  beforeOrders(): Look {
    if (this.isSteady()) return NOTHING_SEEN;
    const { gate, context } = this.#parts;
    const { day, peak } = context.books;
    // Without a base nothing is approved, and the last look may have come before the last price that it needed.
    if (day.opening === undefined || peak === undefined) return this.look();
    const commands = this.accepted(gate.monitor(context, this.#isAboveFloor()));
    return commands.length === 0 ? NOTHING_SEEN : { mark: undefined, commands };
  }

  /** A state only ever gets stricter here, or has one more reason: what changes nothing is no command. */
  accepted(commands: readonly StateCommand[]): readonly StateCommand[] {
    if (commands.length === 0) return NO_COMMANDS;
    const { fold, context } = this.#parts;
    return commands.filter((command) => {
      const before = context.books.standing;
      fold.command(command, context.now);
      return context.books.standing !== before;
    });
  }

  #isTimeless(): boolean {
    const { moment, context } = this.#parts;
    return moment.now < this.#steadyUntil && context.books.version === this.#steadyVersion;
  }

  /** As floats can tell: then no rule about equity has anything to find. */
  #isAboveFloor(): boolean {
    const { gate, context, watch, isThorough } = this.#parts;
    return !isThorough && watch.isAbove(gate.steadyAbove(context.books));
  }

  /** Equity neither opens a day nor sets a peak, as floats can tell: its digits are not needed. */
  #isUnmarked(): boolean {
    const { context, watch, isThorough } = this.#parts;
    const { peak } = context.books;
    return !isThorough && peak !== undefined && this.#isDayOpen() && watch.isBelow(peak);
  }

  #isDayOpen(): boolean {
    const { context, moment } = this.#parts;
    const { day } = context.books;
    return day.opening !== undefined && day.number === Math.floor(moment.now / DAY_MS);
  }

  #mark(): Pick<Step, "mark" | "ownAtPar"> | undefined {
    const { fold, context } = this.#parts;
    const { books, now, pricing } = context;
    const mark = pricing.equity();
    if (mark === undefined || !books.needsMark(mark, now)) return undefined;
    const base = books.shown.totals.placedAtPar === undefined ? ownAtPar(fold.accounts, pricing) : undefined;
    fold.mark(mark, base, now);
    return base === undefined ? { mark } : { mark, ownAtPar: base };
  }

  /** The books were looked at and nothing found: until they change, only time and equity can have something to find. */
  #steady(): void {
    const { gate, context, watch, moment } = this.#parts;
    const { books } = context;
    watch.bound(gate.steadyAbove(books), this.#isDayOpen() ? books.peak : undefined);
    // A day is opened by the first look in it that knows equity.
    const dayEnd = (Math.floor(moment.now / DAY_MS) + 1) * DAY_MS;
    this.#steadyUntil = Math.min(dayEnd, gate.steadyUntil(books));
    this.#steadyVersion = books.version;
  }
}
