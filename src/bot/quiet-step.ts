// The step of an event that led to nothing: one object for all of them, since there is one for every quote. It shows the
// last event and no more, so whoever keeps it keeps nothing.

import type { Event, TimerEvent } from "../domain/event.ts";
import type { Command, Decision, Step } from "../domain/step.ts";
import { type Millis, millis } from "../domain/time.ts";

const NONE: readonly never[] = Object.freeze([]);
const BEFORE: TimerEvent = Object.freeze({ kind: "timer", receivedAt: millis(0) });

export class QuietStep implements Step {
  readonly decisions: readonly Decision[] = NONE;
  readonly commands: readonly Command[] = NONE;
  readonly mark: undefined = undefined;
  #sequence = 0;
  #at = 0.5;
  #event: Event = BEFORE;

  get sequence(): number {
    return this.#sequence;
  }

  get at(): Millis {
    return millis(this.#at);
  }

  get event(): Event {
    return this.#event;
  }

  of(sequence: number, at: number, event: Event): this {
    this.#sequence = sequence;
    this.#at = at;
    this.#event = event;
    return this;
  }
}
