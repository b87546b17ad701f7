// What an outbox waits for, one thing at a time: a channel's answer, within a bound of time, or a rest. Either can be given up.

import type { Timers } from "../../domain/time.ts";
import type { Channel, Refusal } from "./channel/channel.ts";
import type { Message } from "./notice.ts";

export interface Attempts {
  /** Undefined when it was sent. */
  send(message: Message): Promise<Refusal | undefined>;
  rest(ms: number): Promise<void>;
  /** What is waited for at the moment is over at once. */
  giveUp(): void;
}

const SEND_MS_MAX = 10_000;

export function createAttempts(channel: Channel, timers: Timers): Attempts {
  let giveUp = (): void => {};
  return {
    send(message) {
      const abort = new AbortController();
      return new Promise((resolve) => {
        const end = (refusal: Refusal): void => {
          resolve(refusal);
          abort.abort();
        };
        const late = (): void => end({ reason: `no answer within ${SEND_MS_MAX} ms`, isFinal: false });
        const cancel = timers.after(SEND_MS_MAX, late);
        giveUp = () => {
          cancel();
          end({ reason: "given up before it was answered: the bot stopped", isFinal: true });
        };
        void channel
          .send(message, abort.signal)
          .catch((error: unknown) => ({
            reason: error instanceof Error ? error.message : String(error),
            isFinal: false,
          }))
          .then(resolve)
          .finally(cancel);
      });
    },
    rest(ms) {
      return new Promise((resolve) => {
        const cancel = timers.after(ms, resolve);
        giveUp = () => {
          cancel();
          resolve();
        };
      });
    },
    giveUp: () => giveUp(),
  };
}
