// An answer that is costly to make, made once for all who ask within a moment: whoever asks again and again, as every user of
// this machine may, takes no more of the bot's time than one who asks now and then.

import type { Timers } from "../../domain/time.ts";

export type Lasting<T> = { readonly get: () => Promise<T>; readonly close: () => void };

export function lasting<T>(make: () => Promise<T>, forMs: number, timers: Timers): Lasting<T> {
  let made: Promise<T> | undefined;
  let cancel = (): void => undefined;
  return {
    get() {
      if (made === undefined) {
        made = make();
        cancel = timers.after(forMs, () => {
          made = undefined;
        });
      }
      return made;
    },
    close: () => cancel(),
  };
}
