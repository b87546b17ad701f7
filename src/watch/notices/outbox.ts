// The outgoing messages of one channel: one queue with the most urgent first, one send at a time, an hourly limit, and
// retries. There are two classes: routine messages (fills) are dropped beyond the limit and after three attempts;
// important ones wait, and are retried for six hours. The bot never waits for a channel.

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

export interface Outbox {
  put(message: Message): void;
  /** Drops all waiting messages. */
  close(): void;
}

type Waiting = { readonly message: Message; readonly since: Mono; tries: number };

const QUEUE_MAX = 100;
const SEND_MS_MAX = 10_000;
/**
 * The number of attempts for a routine message. For an important one these come quickly, and the later ones a minute
 * apart.
 */
const ATTEMPTS = 3;
const RETRY_MS_MAX = 6 * 3_600_000;
const REST_MS = 2_000;
const REST_MS_MAX = 60_000;
const LATE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The hourly limit of each rank as a multiple of `perHourMax`: other messages cannot keep a stop back. */
const SHARE = [3, 2, 1, 1] as const;

/** Stops and resumes have the same rank, so they stay in order and the last one read is the current state. */
function rankOf({ kind, urgency }: Message): 0 | 1 | 2 | 3 {
  if (kind === "stop" || kind === "resume") return 0;
  if (urgency === "critical") return 1;
  return urgency === "warning" || kind === "summary" ? 2 : 3;
}

function isRoutine(message: Message): boolean {
  return rankOf(message) === 3;
}

export function createOutbox(channel: Channel, { clock, timers, perHourMax, told }: OutboxParts): Outbox {
  const queue: Waiting[] = [];
  const sentAt: Mono[] = [];
  let dropped = 0;
  let isBusy = false;
  let isClosed = false;
  /** Ends the current send or rest. */
  let interrupt = (): void => {};
  let restsFor = -1;

  function enqueue(waiting: Waiting): void {
    const place = queue.findIndex(({ message }) => rankOf(message) > rankOf(waiting.message));
    queue.splice(place < 0 ? queue.length : place, 0, waiting);
    if (queue.length <= QUEUE_MAX) return;
    // The message that is being sent stays in the queue.
    const untried = queue.filter(({ tries }) => tries === 0);
    const least = untried.at(-1) ?? waiting;
    const oldest = untried.find(({ message }) => rankOf(message) === rankOf(least.message)) ?? waiting;
    queue.splice(queue.indexOf(oldest), 1);
    drop(oldest.message);
  }

  function drop(message: Message): void {
    dropped++;
    const why = `more than ${perHourMax} messages in an hour, or ${QUEUE_MAX} waiting`;
    if (!isRoutine(message)) told("dropped", `${why}: ${shortOf(message)}`);
    else told("dropped", dropped === 1 ? why : undefined);
  }

  /** The time until the hourly limit has room for this message, if nothing else is sent. */
  function roomInMs({ message, tries }: Waiting): number {
    const inTheWay = tries > 0 ? undefined : sentAt.at(-SHARE[rankOf(message)] * perHourMax);
    return inTheWay === undefined ? 0 : Math.max(0, inTheWay + HOUR_MS + 1 - clock.monotonic());
  }

  function ready(but?: Waiting): Waiting | undefined {
    return queue.find((one) => one !== but && roomInMs(one) === 0);
  }

  function send(message: Message): Promise<Refusal | undefined> {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const end = (reason: string, isFinal: boolean): void => {
        resolve({ reason, isFinal });
        abort.abort();
      };
      const cancel = timers.after(SEND_MS_MAX, () => end(`no answer within ${SEND_MS_MAX} ms`, false));
      interrupt = () => {
        cancel();
        end("the bot stopped", true);
      };
      void channel
        .send(message, abort.signal)
        .catch((error: unknown) => ({ reason: errorMessage(error), isFinal: false }))
        .then(resolve)
        .finally(cancel);
    });
  }

  /** A new message of a rank below `yieldsTo` ends the rest. */
  async function rest(ms: number, yieldsTo: number): Promise<void> {
    restsFor = yieldsTo;
    await new Promise<void>((resolve) => {
      const cancel = timers.after(ms, resolve);
      interrupt = () => {
        cancel();
        resolve();
      };
    });
    restsFor = -1;
  }

  async function restForRoom(): Promise<void> {
    const routine = queue.findIndex(({ message }) => isRoutine(message));
    if (routine >= 0) for (const { message } of queue.splice(routine)) drop(message);
    const [first] = queue;
    if (first !== undefined) await rest(roomInMs(first), SHARE.length);
  }

  /** A rest that the service asks for is kept in full; our own gives way to more urgent messages. */
  async function restAfter({ retryAfterMs }: Refusal, { message, tries }: Waiting): Promise<void> {
    if (retryAfterMs !== undefined) return rest(Math.min(REST_MS_MAX, retryAfterMs), -1);
    if (queue.some((one) => rankOf(one.message) < rankOf(message) && roomInMs(one) === 0)) return;
    await rest(Math.min(REST_MS_MAX, REST_MS * 4 ** (tries - 1)), rankOf(message));
  }

  /** Returns the refusal if the message is to be retried. */
  async function attempt(waiting: Waiting): Promise<Refusal | undefined> {
    const { message, since } = waiting;
    const named = dropped;
    const more = named === 0 ? "" : `\n(${named} more ${named === 1 ? "message was" : "messages were"} left out)`;
    if (waiting.tries++ === 0) sentAt.push(clock.monotonic());
    if (sentAt.length > SHARE[0] * perHourMax) sentAt.shift();
    const ageMs = clock.monotonic() - since;
    const refusal = await send({ ...message, text: message.text + more + lateText(message, ageMs) });
    if (isClosed) return undefined;
    if (refusal === undefined) {
      dropped -= named;
      return end(waiting, "sent", message.title);
    }
    const { reason, isFinal } = refusal;
    const isRetried = waiting.tries < ATTEMPTS || (!isRoutine(message) && clock.monotonic() - since < RETRY_MS_MAX);
    if (isFinal || !isRetried) {
      const isTold = waiting.tries > ATTEMPTS;
      return isTold
        ? end(waiting, "dropped", `given up after ${waiting.tries} attempts: ${reason}`)
        : end(waiting, "failed", reason);
    }
    if (waiting.tries === ATTEMPTS) told("failed", `${reason}; retried for ${RETRY_MS_MAX / HOUR_MS} h`);
    return refusal;
  }

  function end(waiting: Waiting, outcome: "sent" | "failed" | "dropped", reason: string): undefined {
    queue.splice(queue.indexOf(waiting), 1);
    told(outcome, reason);
  }

  async function drain(): Promise<void> {
    isBusy = true;
    while (queue.length > 0 && !isClosed) {
      const next = ready();
      if (next === undefined) {
        await restForRoom();
        continue;
      }
      let refusal = await attempt(next);
      // The service may refuse only this message, so one other is tried before the rest.
      const isPassed = refusal?.retryAfterMs === undefined && next.tries >= ATTEMPTS;
      const other = refusal && isPassed ? ready(next) : undefined;
      if (other !== undefined) refusal = await attempt(other);
      if (refusal !== undefined && !isClosed) await restAfter(refusal, next);
    }
    isBusy = false;
  }

  return {
    put(message) {
      if (isClosed) return;
      const waiting = { message, since: clock.monotonic(), tries: 0 };
      if (isRoutine(message) && roomInMs(waiting) > 0) return drop(message);
      enqueue(waiting);
      if (!isBusy) void drain();
      else if (rankOf(message) < restsFor) interrupt();
    },
    close() {
      isClosed = true;
      for (const { message } of queue.splice(0))
        if (!isRoutine(message)) told("dropped", `the bot stopped before it was sent: ${shortOf(message)}`);
      interrupt();
      channel.close();
    },
  };
}

/** Tells the reader of a late message that the situation may have changed. */
function lateText({ at }: Message, ageMs: number): string {
  if (ageMs < LATE_MS) return "";
  return `\n(of ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC, sent ${durationText(ageMs)} later)`;
}

const SHORT_MAX = 120;

/** For the log: `pegbot paper: plan, plan R-1 was stopped: ...`. */
function shortOf({ title, text }: Message): string {
  const [line = ""] = text.split("\n");
  return `${title}, ${line.length <= SHORT_MAX ? line : `${line.slice(0, SHORT_MAX - 1)}…`}`.toWellFormed();
}
