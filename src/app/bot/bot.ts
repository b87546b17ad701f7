// The parts of a bot that server, notices and pipeline are built from.

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

/** The opened parts of a bot, before its pipeline exists. */
export type Bot = {
  readonly shell: Shell;
  /** Never ahead of the venue's clock. */
  readonly clock: Clock;
  readonly order: BotOrder;
  readonly inForce: LimitsInForce;
  readonly strategy: Strategy;
  /** The name of this process in ledger and journal. */
  readonly instance: string;
  readonly codeVersion: string;
  readonly metrics: Metrics;
  /** The slots spent on requests. */
  readonly slots$: Observable<SpentSlot>;
  readonly venue: OpenedVenue;
  readonly books: Books;
  readonly view: BotView;
  readonly controls: ControlLine;
  readonly killSwitch: KillSwitch;
};

// Controls from people and from the bot's own checks on their way to the pipeline, which may not exist yet because a
// live start waits for the venue. Stops are queued until then; heartbeats are refused.

const NOT_YET =
  "the bot does not trade yet, and a heartbeat counts from when it is said: pegbot heartbeat writes it down, or say it again later";

export class ControlLine {
  /** Room for every stop that can stand at once, from people and from the bot. */
  readonly #controls = new ReplaySubject<Control>(2 * STOPS_MAX);

  get control$(): Observable<Control> {
    return this.#controls;
  }

  readonly tell = (control: Control): void => this.#controls.next(control);

  /**
   * Returns why the heartbeat was refused. A queued one would count only from the venue's answer on, and many would
   * take the room of a stop.
   */
  readonly heartbeat = (by: string): string | undefined => {
    if (!this.#controls.observed) return NOT_YET;
    this.tell({ kind: "heartbeat", by });
    return undefined;
  };
}
