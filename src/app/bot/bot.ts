// A running bot as it is opened: what server, notices and pipeline are made of.

import { type Observable, ReplaySubject } from "rxjs";
import type { Control } from "../../domain/event.ts";
import type { Clock } from "../../domain/time.ts";
import type { SpentSlot } from "../../exchange/budget/ledger-status.ts";
import { STOPS_MAX } from "../../risk/trading-state.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import type { Books, OpenedVenue } from "../compose.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import type { BotOrder } from "./bot-order.ts";
import type { LimitsInForce } from "./limits.ts";
import type { BotView } from "./view.ts";

/** What is opened of a bot, before its pipeline. */
export type Bot = {
  readonly shell: Shell;
  /** Ahead of the venue's clock never. */
  readonly clock: Clock;
  readonly order: BotOrder;
  readonly inForce: LimitsInForce;
  readonly strategy: Strategy;
  /** Of this process, in ledger and journal. */
  readonly instance: string;
  readonly codeVersion: string;
  readonly metrics: Metrics;
  /** The slots that requests were spent on. */
  readonly slots$: Observable<SpentSlot>;
  readonly venue: OpenedVenue;
  readonly books: Books;
  readonly view: BotView;
  readonly controls: ControlLine;
  readonly killSwitch: KillSwitch;
};

// What people and the bot's own guards order, on its way to the pipeline, which may not be there yet: a live start waits for the
// venue. Stops wait with it, heartbeats do not.

const NOT_YET =
  "the bot does not trade yet, and a heartbeat counts from when it is said: pegbot heartbeat writes it down, or say it again later";

export class ControlLine {
  /** Room for as many as can stand, of people and of the bot's own. */
  readonly #controls = new ReplaySubject<Control>(2 * STOPS_MAX);

  get control$(): Observable<Control> {
    return this.#controls;
  }

  readonly tell = (control: Control): void => this.#controls.next(control);

  /** Why it is not heard. One that waited would count from the venue's answer on, and many would leave no room for a stop. */
  readonly heartbeat = (by: string): string | undefined => {
    if (!this.#controls.observed) return NOT_YET;
    this.tell({ kind: "heartbeat", by });
    return undefined;
  };
}
