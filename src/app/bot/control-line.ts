// What people and the bot's own guards order, on its way to the pipeline, which may not be there yet: a live start waits for the
// venue. Stops wait with it, heartbeats do not.

import { type Observable, ReplaySubject } from "rxjs";
import type { Control } from "../../domain/event.ts";
import { STOPS_MAX } from "../../risk/standing.ts";

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
