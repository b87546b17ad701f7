// One channel's messages on their way: a bounded queue, one at a time, each within a bound of time and a few attempts, and
// no more in an hour than people bear. Whatever the channel does, nobody waits for it.

import type { Clock, Mono, Timers } from "../domain/time.ts";
import type { Message } from "./notice.ts";

/** What a channel could not do. */
export type Refusal = {
  readonly reason: string;
  /** Asking again changes nothing. */
  readonly isFinal: boolean;
  readonly retryAfterMs?: number | undefined;
};

export interface Channel {
  readonly name: "webhook" | "telegram" | "email";
  /** Undefined when it is on its way to a person. May throw; may hang, then the signal gives up. */
  send(message: Message, signal: AbortSignal): Promise<Refusal | undefined>;
  close(): void;
}

export type OutboxParts = {
  readonly clock: Pick<Clock, "monotonic">;
  readonly timers: Timers;
  readonly perHourMax: number;
  readonly told: (outcome: "sent" | "failed" | "dropped", reason: string) => void;
};

export interface Outbox {
  put(message: Message): void;
  /** What waits is given up. */
  close(): void;
}

const QUEUE_MAX = 50;
const ATTEMPTS = 3;
const SEND_MS_MAX = 10_000;
const REST_MS = 2_000;
const REST_MS_MAX = 60_000;
const HOUR_MS = 3_600_000;

export function createOutbox(channel: Channel, parts: OutboxParts): Outbox {
  const queue: Message[] = [];
  const accepted: Mono[] = [];
  let leftOut = 0;
  let isBusy = false;
  let isClosed = false;
  let giveUp = (): void => {};

  /** What is critical has as much room again. */
  function hasRoom({ urgency }: Message): boolean {
    const now = parts.clock.monotonic();
    while (accepted[0] !== undefined && now - accepted[0] > HOUR_MS) accepted.shift();
    const most = urgency === "critical" ? 2 * parts.perHourMax : parts.perHourMax;
    if (accepted.length >= most || queue.length >= QUEUE_MAX) return false;
    accepted.push(now);
    return true;
  }

  async function drain(): Promise<void> {
    isBusy = true;
    for (let next = queue.shift(); next !== undefined && !isClosed; next = queue.shift()) await deliver(next);
    isBusy = false;
  }

  async function deliver(message: Message): Promise<void> {
    const unsaid = leftOut;
    const more = unsaid === 0 ? "" : `\n(${unsaid} more ${unsaid === 1 ? "message was" : "messages were"} left out)`;
    leftOut = 0;
    let reason = "";
    for (let attempt = 1; attempt <= ATTEMPTS && !isClosed; attempt++) {
      const refusal = await attemptOf({ ...message, text: message.text + more });
      if (refusal === undefined) return parts.told("sent", message.title);
      reason = refusal.reason;
      if (refusal.isFinal) break;
      if (attempt < ATTEMPTS) await rest(Math.min(REST_MS_MAX, refusal.retryAfterMs ?? REST_MS * 4 ** (attempt - 1)));
    }
    leftOut += unsaid;
    parts.told("failed", reason);
  }

  function attemptOf(message: Message): Promise<Refusal | undefined> {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const late = (): void => {
        resolve({ reason: `no answer within ${SEND_MS_MAX} ms`, isFinal: false });
        abort.abort();
      };
      const cancel = parts.timers.after(SEND_MS_MAX, late);
      giveUp = () => {
        cancel();
        late();
      };
      void channel
        .send(message, abort.signal)
        .catch((error: unknown) => ({ reason: error instanceof Error ? error.message : String(error), isFinal: false }))
        .then(resolve)
        .finally(cancel);
    });
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = parts.timers.after(ms, resolve);
      giveUp = () => {
        cancel();
        resolve();
      };
    });
  }

  return {
    put(message) {
      if (isClosed) return;
      if (!hasRoom(message)) {
        leftOut++;
        parts.told("dropped", `more than ${parts.perHourMax} messages in an hour, or ${QUEUE_MAX} waiting`);
        return;
      }
      queue.push(message);
      if (!isBusy) void drain();
    },
    close() {
      isClosed = true;
      queue.length = 0;
      giveUp();
      channel.close();
    },
  };
}
