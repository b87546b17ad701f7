// The outgoing messages of one channel: one send at a time, in order, those that wait for a person first. A message is tried three
// times; one that waits for a person is then tried each minute until it is delivered or its matter has ended. The bot never waits for a
// channel.

import { errorMessage } from "../../domain/error-message.ts";
import type { Clock, Mono, Timers } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import type { Channel, Refusal } from "./channel.ts";
import type { Message } from "./notice.ts";

/** Without a reason: a repeated drop with nothing sent in between. */
export type Told = (outcome: "sent" | "failed" | "dropped", reason: string | undefined) => void;

export type OutboxParts = {
  readonly clock: Pick<Clock, "monotonic">;
  readonly timers: Timers;
  readonly perHourMax: number;
  readonly told: Told;
};

type Waiting = { readonly message: Message; readonly since: Mono; tries: number; dueAt: number };

const QUEUE_MAX = 100;
const SEND_MS_MAX = 10_000;
const TRIES = 3;
const RETRY_MS = [2_000, 8_000] as const;
const LATER_MS = 60_000;
const LATE_MS = 60_000;
const HOUR_MS = 3_600_000;

export function createOutbox(channel: Channel, { clock, timers, perHourMax, told }: OutboxParts) {
  let queue: Waiting[] = [];
  /** Of messages that wait for no person, within the last hour. */
  let sentAt: readonly Mono[] = [];
  let dropped = 0;
  let pausedUntil = 0;
  let isSending = false;
  let isClosed = false;
  let cancelTimer = (): void => {};

  function drop(why: string): void {
    dropped++;
    told("dropped", dropped === 1 ? why : undefined);
  }

  function remove(waiting: Waiting): void {
    queue = queue.filter((one) => one !== waiting);
  }

  async function attempt(waiting: Waiting): Promise<void> {
    const { message, since } = waiting;
    const named = dropped;
    const more = named === 0 ? "" : `\n(${named} more ${named === 1 ? "message was" : "messages were"} left out)`;
    waiting.tries++;
    const text = message.text + more + lateText(message, clock.monotonic() - since);
    const refusal = await sendWithin({ ...message, text });
    if (isClosed) return;
    if (refusal === undefined) {
      dropped -= named;
      remove(waiting);
      return told("sent", message.title);
    }
    const { reason, isFinal, retryAfterMs } = refusal;
    const now = clock.monotonic();
    if (retryAfterMs !== undefined) pausedUntil = now + Math.min(LATER_MS, retryAfterMs);
    waiting.dueAt = now + (RETRY_MS[waiting.tries - 1] ?? LATER_MS);
    const isLast = waiting.tries >= TRIES || isFinal;
    if (isLast && !isForPerson(message)) remove(waiting);
    if (isLast && (waiting.tries === TRIES || !isForPerson(message))) told("failed", reason);
    if (isFinal) waiting.dueAt = now + LATER_MS;
  }

  function sendWithin(message: Message): Promise<Refusal | undefined> {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const cancel = timers.after(SEND_MS_MAX, () => {
        resolve({ reason: `no answer within ${SEND_MS_MAX} ms`, isFinal: false });
        abort.abort();
      });
      cancelTimer = () => {
        cancel();
        resolve({ reason: "the bot stopped", isFinal: true });
        abort.abort();
      };
      void channel
        .send(message, abort.signal)
        .catch((error: unknown) => ({ reason: errorMessage(error), isFinal: false }))
        .then(resolve)
        .finally(() => {
          cancel();
          cancelTimer = () => {};
        });
    });
  }

  function next(): void {
    if (isSending || isClosed || queue.length === 0) return;
    cancelTimer();
    const now = clock.monotonic();
    const due = queue.filter(({ dueAt }) => dueAt <= now);
    const first = due.find(({ message }) => isForPerson(message)) ?? due[0];
    if (first === undefined || pausedUntil > now) {
      const at = Math.max(pausedUntil, Math.min(...queue.map(({ dueAt }) => dueAt)));
      cancelTimer = timers.after(at - now, next);
      return;
    }
    isSending = true;
    void attempt(first).finally(() => {
      isSending = false;
      next();
    });
  }

  function withdraw(about: string): void {
    queue = queue.filter((one) => one.message.about !== about);
  }

  return {
    /** Drops what still waits about a matter. */
    withdraw,
    /** A message that ends a matter withdraws what still waits about it. */
    put(message: Message) {
      if (isClosed) return;
      const now = clock.monotonic();
      if (message.ends !== undefined) withdraw(message.ends);
      if (!isForPerson(message)) {
        sentAt = sentAt.filter((at) => now - at < HOUR_MS);
        if (sentAt.length >= perHourMax) return drop(`more than ${perHourMax} messages in an hour`);
        sentAt = [...sentAt, now];
      }
      if (queue.length >= QUEUE_MAX) {
        remove(queue.find((one) => !isForPerson(one.message)) ?? (queue[0] as Waiting));
        drop(`${QUEUE_MAX} messages waiting`);
      }
      queue.push({ message, since: now, tries: 0, dueAt: now });
      next();
    },
    /** Drops all waiting messages. */
    close() {
      isClosed = true;
      for (const { message } of queue) if (isForPerson(message)) told("dropped", `not sent: ${message.title}`);
      queue = [];
      cancelTimer();
      channel.close();
    },
  };
}

/** The end of a matter is of the same class, so that the last message read is how it stands. */
function isForPerson({ about, ends }: Message): boolean {
  return about !== undefined || ends !== undefined;
}

/** Tells the reader of a late message that the situation may have changed. */
function lateText({ at }: Message, ageMs: number): string {
  if (ageMs < LATE_MS) return "";
  return `\n(of ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC, sent ${durationText(ageMs)} later)`;
}
