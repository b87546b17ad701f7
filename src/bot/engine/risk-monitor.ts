// The retrospective checks of counters and equity: marks the opening of a day or a new peak, and halts the bot when a
// limit is broken. They run after every event that can have changed something, and once per interval of event time in
// which only prices moved.

import type { Step } from "../../domain/step.ts";
import type { Moment } from "../../market/moment.ts";
import type { Pricing } from "../../market/pricing.ts";
import { MARKOUT_MS } from "../../risk/counters/markouts.ts";
import type { StateCommand } from "../../risk/counters.ts";
import type { Gate, RiskContext } from "../../risk/rule.ts";
import { ownAtPar } from "../accounts/statement.ts";
import type { Fold } from "./fold.ts";

/** The due mark, and the commands of the retrospective rules. */
export type Look = Pick<Step, "mark" | "ownAtPar" | "mids"> & { readonly commands: readonly StateCommand[] };

const NO_COMMANDS: readonly never[] = Object.freeze([]);
export const NOTHING_SEEN: Look = Object.freeze({ mark: undefined, commands: NO_COMMANDS });

const NONE_CHECKED = -1;

type RiskMonitorParts = {
  readonly gate: Gate;
  readonly fold: Fold;
  readonly context: RiskContext;
  readonly moment: Moment;
  readonly pricing: Pick<Pricing, "pairs" | "isBlind" | "isParAlone">;
  /** The interval of equity checks while only prices move. */
  readonly everyMs: number;
};

export class RiskMonitor {
  readonly #parts: RiskMonitorParts;
  /** Before this time no price triggers a check. */
  dueAt = Number.NEGATIVE_INFINITY;

  /** The version of the counters that last passed the rules. */
  #checked = NONE_CHECKED;

  constructor(parts: RiskMonitorParts) {
    this.#parts = parts;
  }

  look(): Look {
    const mids = this.#mids();
    const marked = this.#mark();
    const commands = this.#monitored();
    if (mids === undefined && marked === undefined && commands.length === 0) return NOTHING_SEEN;
    return { mark: undefined, ...marked, ...mids, commands };
  }

  /** Runs the check between trades, if due. */
  glance(): Look {
    if (this.#parts.moment.now < this.dueAt) return NOTHING_SEEN;
    const { everyMs, moment } = this.#parts;
    // Intervals lie on a grid, so that the next one follows from the time alone.
    this.dueAt = everyMs > 0 ? (Math.floor(moment.now / everyMs) + 1) * everyMs : moment.now;
    return this.look();
  }

  beforeOrders(): Look {
    const { day, peak } = this.#parts.context.counters;
    // Without a base nothing is approved, and the last check may have preceded the last price that it needed.
    if (day.opening === undefined || peak === undefined) return this.look();
    const commands = this.#monitored();
    return commands.length === 0 ? NOTHING_SEEN : { mark: undefined, commands };
  }

  #monitored(): readonly StateCommand[] {
    const { gate, context } = this.#parts;
    const { version } = context.counters;
    const found = gate.monitor(context, version === this.#checked);
    this.#checked = found.length === 0 ? version : NONE_CHECKED;
    return this.accepted(found);
  }

  /** A state only gets stricter here or gains a reason; a command without effect is dropped. */
  accepted(commands: readonly StateCommand[]): readonly StateCommand[] {
    if (commands.length === 0) return NO_COMMANDS;
    const { fold, context } = this.#parts;
    return commands.filter((command) => {
      const before = context.counters.tradingState;
      fold.command(command, context.now);
      return context.counters.tradingState !== before;
    });
  }

  /** The mids that fills wait for. */
  #mids(): Pick<Step, "mids"> | undefined {
    const { fold, context, pricing } = this.#parts;
    const { waiting } = context.counters.markouts;
    if (waiting.size === 0) return undefined;
    const mids = [...waiting].flatMap(([symbol, { at }]) => {
      const prices = pricing.pairs.get(symbol);
      // Without quotes fair value is the price that may turn; par never does, and our own next fill takes its place.
      const isFair = pricing.isBlind && !pricing.isParAlone(symbol) && context.now >= at + MARKOUT_MS;
      const fair = isFair ? prices?.value() : undefined;
      if (fair !== undefined) return [{ symbol, mid: fair }];
      const venue = prices?.venue;
      const isAfter = venue?.seen === "good" && venue.since >= at + MARKOUT_MS;
      return isAfter ? [{ symbol, mid: (venue.bid + venue.ask) / 2 }] : [];
    });
    if (mids.length === 0) return undefined;
    fold.mids(mids, context.now);
    return { mids };
  }

  #mark(): Pick<Step, "mark" | "ownAtPar"> | undefined {
    const { fold, context } = this.#parts;
    const { counters, now, pricing } = context;
    const mark = pricing.equity();
    if (mark === undefined || !counters.needsMark(mark, now)) return undefined;
    const base = counters.shown.totals.placedAtPar === undefined ? ownAtPar(fold.accounts, pricing) : undefined;
    fold.mark(mark, base, now);
    return base === undefined ? { mark } : { mark, ownAtPar: base };
  }
}
