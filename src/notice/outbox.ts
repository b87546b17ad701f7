// One channel's messages on their way: a bounded queue with the urgent ones first, one at a time, each within a bound of time and
// a few attempts, or for hours where it is told once, and no more in an hour than people bear: then fills are left out, and the rest is kept back until there is room.
// Whatever the channel does, nobody waits for it.

import type { Clock, Mono, Timers } from "../domain/time.ts";
import { createHour, isOneOfMany, rankOf } from "./hour.ts";
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
  /** Without a reason: it was told of one before, and nothing has gone out since. */
  readonly told: (outcome: "sent" | "failed" | "dropped", reason: string | undefined) => void;
};

export interface Outbox {
  put(message: Message): void;
  /** What waits is given up. */
  close(): void;
}

const QUEUE_MAX = 50;
/** Then it has failed: what comes in numbers is given up, the rest is said to have failed and tried on. */
const ATTEMPTS = 3;
/** A stop that nobody heard of is no stop to people, and channels are down for longer than a minute. Later it is no news. */
const TRIED_MS_MAX = 6 * 3_600_000;
const LATE_MS = 60_000;
const SEND_MS_MAX = 10_000;
const REST_MS = 2_000;
const REST_MS_MAX = 60_000;
/** Of those that found no room in the hour. */
const KEPT_MAX = 50;

/** `tries`: it has had; `isTold`: that it has failed so far. */
type Waiting = { readonly message: Message; readonly since: Mono; tries: number; isTold: boolean };

export function createOutbox(channel: Channel, parts: OutboxParts): Outbox {
  const queue: Waiting[] = [];
  const hour = createHour(parts.clock, parts.perHourMax);
  const kept: Message[] = [];
  let cancelRelease = (): void => {};
  let leftOut = 0;
  let isBusy = false;
  let isClosed = false;
  /** Between two attempts of it. */
  let resting: Waiting | undefined;
  let giveUp = (): void => {};

  function accept(message: Message): void {
    if (!hasPlace(rankOf(message))) {
      leaveOut();
      return;
    }
    hour.take();
    enqueue({ message, since: parts.clock.monotonic(), tries: 0, isTold: false });
    if (!isBusy) void drain();
    else if (resting !== undefined && isOvertaken(resting)) giveUp();
  }

  /** Where all places are taken, the last of the least urgent gives way to what is more urgent, and the first stop to the last. */
  function hasPlace(rank: number): boolean {
    if (queue.length < QUEUE_MAX) return true;
    const last = queue.at(-1);
    if (last !== undefined && rankOf(last.message) > rank) queue.pop();
    else if (rank === 0) queue.shift();
    else return false;
    leaveOut();
    return true;
  }

  /** What is told once, and found no room, would never be told: a payment to be made, a stop. Of too many the oldest of the least urgent go. */
  function keepBack(message: Message): void {
    const { at, text } = message;
    const time = new Date(at).toISOString().slice(11, 16);
    const why = `(of ${time} UTC, kept back: more than ${parts.perHourMax} messages in an hour)`;
    const place = kept.findIndex((one) => rankOf(one) > rankOf(message));
    kept.splice(place === -1 ? kept.length : place, 0, { ...message, text: `${text}\n${why}` });
    if (kept.length > KEPT_MAX) {
      const least = Math.max(...kept.map(rankOf));
      kept.splice(
        kept.findIndex((one) => rankOf(one) === least),
        1,
      );
      leaveOut();
    }
    release();
  }

  /** Those of them that have room now; the next ones when they will have. */
  function release(): void {
    cancelRelease();
    for (let [first] = kept; first !== undefined && hour.hasRoom(first); [first] = kept) {
      kept.shift();
      accept(first);
    }
    const [next] = kept;
    if (next !== undefined) cancelRelease = parts.timers.after(hour.roomInMs(next), release);
  }

  function leaveOut(): void {
    leftOut++;
    const why = `more than ${parts.perHourMax} messages in an hour, or ${QUEUE_MAX} waiting`;
    parts.told("dropped", leftOut === 1 ? why : undefined);
  }

  /** Behind its equals; what was begun before goes in front of them. */
  function enqueue(waiting: Waiting, isBegun = waiting.tries > 0): void {
    const rank = rankOf(waiting.message);
    const place = queue.findIndex((one) => (isBegun ? rankOf(one.message) >= rank : rankOf(one.message) > rank));
    queue.splice(place === -1 ? queue.length : place, 0, waiting);
  }

  function isOvertaken({ message }: Waiting): boolean {
    const [first] = queue;
    return first !== undefined && rankOf(first.message) < rankOf(message);
  }

  async function drain(): Promise<void> {
    isBusy = true;
    for (let next = queue.shift(); next !== undefined && !isClosed; next = queue.shift()) await deliver(next);
    isBusy = false;
  }

  async function deliver(waiting: Waiting): Promise<void> {
    const { message } = waiting;
    const unsaid = leftOut;
    const more = unsaid === 0 ? "" : `\n(${unsaid} more ${unsaid === 1 ? "message was" : "messages were"} left out)`;
    leftOut = 0;
    let reason = "";
    let isPassed = false;
    while (isTried(waiting) && !isClosed) {
      waiting.tries++;
      const refusal = await attemptOf({ ...message, text: message.text + more + lateness(waiting) });
      if (refusal === undefined) return parts.told("sent", message.title);
      reason = refusal.reason;
      if (refusal.isFinal || isPassed) break;
      if (waiting.tries === ATTEMPTS && isTried(waiting)) {
        waiting.isTold = true;
        parts.told("failed", `${reason}; it is tried again for ${TRIED_MS_MAX / 3_600_000} h`);
      }
      // The service takes others, and has one more attempt for this one: those behind it do not wait for hours.
      isPassed = waiting.tries > ATTEMPTS && refusal.retryAfterMs === undefined && (await takesNext());
      if (isPassed) continue;
      // What is more urgent does not wait for a rest of ours, only for one that the service asked for.
      if (isTried(waiting) && !isClosed) await restAfter(refusal, waiting);
      if (isTried(waiting) && isOvertaken(waiting)) {
        leftOut += unsaid;
        return enqueue(waiting);
      }
    }
    leftOut += unsaid;
    if (waiting.isTold) parts.told("dropped", `given up after ${waiting.tries} attempts: ${reason}`);
    else parts.told("failed", reason);
  }

  /** Right after one that has failed again, so that they stay in their order where the channel was down for both. */
  async function takesNext(): Promise<boolean> {
    const next = queue.shift();
    if (next === undefined) return false;
    const refusal = await attemptOf({ ...next.message, text: next.message.text + lateness(next) });
    if (refusal === undefined) parts.told("sent", next.message.title);
    else if (!isClosed) enqueue(next, true);
    return refusal === undefined;
  }

  function isTried({ message, since, tries }: Waiting): boolean {
    return tries < ATTEMPTS || (!isOneOfMany(message) && parts.clock.monotonic() - since < TRIED_MS_MAX);
  }

  function lateness({ message, since }: Waiting): string {
    if (parts.clock.monotonic() - since < LATE_MS) return "";
    return `\n(of ${new Date(message.at).toISOString().slice(0, 16).replace("T", " ")} UTC, late: this channel had failed)`;
  }

  async function restAfter({ retryAfterMs }: Refusal, waiting: Waiting): Promise<void> {
    if (retryAfterMs !== undefined) return rest(Math.min(REST_MS_MAX, retryAfterMs));
    if (isOvertaken(waiting)) return;
    resting = waiting;
    await rest(Math.min(REST_MS_MAX, REST_MS * 4 ** (waiting.tries - 1)));
    resting = undefined;
  }

  function attemptOf(message: Message): Promise<Refusal | undefined> {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const end = (refusal: Refusal): void => {
        resolve(refusal);
        abort.abort();
      };
      const late = (): void => end({ reason: `no answer within ${SEND_MS_MAX} ms`, isFinal: false });
      const cancel = parts.timers.after(SEND_MS_MAX, late);
      giveUp = () => {
        cancel();
        end({ reason: "given up before it was answered: the bot stopped", isFinal: true });
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
      // What was kept back comes first: a stop and its end stay in their order.
      if (kept.length > 0) release();
      if (hour.hasRoom(message)) accept(message);
      else if (message.urgency === "info") leaveOut();
      else keepBack(message);
    },
    close() {
      isClosed = true;
      cancelRelease();
      queue.length = 0;
      giveUp();
      channel.close();
    },
  };
}
