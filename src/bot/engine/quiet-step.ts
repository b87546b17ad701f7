// The step of an event that led to nothing: one object for all of them, since there is one for every quote. It shows the
// last event and no more, so whoever keeps it keeps nothing.

import type { Event, TimerEvent } from "../../domain/event.ts";
import type { Command, Decision, Step } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Moment } from "../../market/moment.ts";

const NONE: readonly never[] = Object.freeze([]);
const BEFORE: TimerEvent = Object.freeze({ kind: "timer", receivedAt: millis(0) });

export class QuietStep implements Step {
  readonly decisions: readonly Decision[] = NONE;
  readonly commands: readonly Command[] = NONE;
  readonly mark: undefined = undefined;
  /** The last event: the producer's own object. */
  event: Event = BEFORE;
  readonly #moment: Moment;

  constructor(moment: Moment) {
    this.#moment = moment;
  }

  get sequence(): number {
    return this.#moment.sequence;
  }

  get at(): Millis {
    return millis(this.#moment.now);
  }
}
