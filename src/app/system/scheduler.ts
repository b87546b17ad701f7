// An RxJS scheduler on our timers: streams use the same clock as everything else, including scaled and virtual ones.

import { type SchedulerAction, type SchedulerLike, Subscription } from "rxjs";
import type { Clock, Timers } from "../../domain/time.ts";

export function timerScheduler(clock: Pick<Clock, "monotonic">, timers: Timers): SchedulerLike {
  return {
    now: () => clock.monotonic(),
    schedule: <T>(work: Work<T>, delayMs = 0, state?: T) => new TimerAction(timers, work).schedule(state, delayMs),
  };
}

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

class TimerAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #timers: Timers;
  readonly #work: Work<T>;
  #cancel: (() => void) | undefined;

  constructor(timers: Timers, work: Work<T>) {
    super();
    this.#timers = timers;
    this.#work = work;
  }

  /** The work repeats by calling this; otherwise it is finished. */
  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#cancel?.();
    this.#cancel = this.#timers.after(delayMs, () => {
      this.#cancel = undefined;
      this.#work.call(this, state);
      if (this.#cancel === undefined) this.unsubscribe();
    });
    return this;
  }

  override unsubscribe(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    super.unsubscribe();
  }
}
