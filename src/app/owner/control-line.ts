// Controls from people and from the bot's own checks on their way to the pipeline, which may not exist yet because a
// live start waits for the venue. Stops are queued until then; heartbeats are refused.

import { type Observable, ReplaySubject } from "rxjs";
import type { Control } from "../../domain/event.ts";
import { STOPS_MAX } from "../../risk/trading-state.ts";

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
