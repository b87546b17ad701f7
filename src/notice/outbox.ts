// One channel's messages on their way: a bounded queue with the urgent ones first, one at a time, each within a bound of time and
// a few attempts, and no more in an hour than people bear. Whatever the channel does, nobody waits for it.

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
  /** Without a reason: it was told of one before, and nothing has gone out since. */
  readonly told: (outcome: "sent" | "failed" | "dropped", reason: string | undefined) => void;
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

/** `tries`: it has had. */
type Waiting = { readonly message: Message; tries: number };

/** The first goes first. A stop and its end stay in their order: who reads the last of them knows how things are. */
function rankOf({ kind, urgency }: Message): 0 | 1 | 2 | 3 {
  if (kind === "stop" || kind === "resume") return 0;
  if (urgency === "critical") return 1;
  // There is one a day, and people wait for it: fills do not.
  return urgency === "warning" || kind === "summary" ? 2 : 3;
}

/** How much of an hour's messages each rank may use, in times of what all may: no number of others keeps a stop out. */
const ROOM = [3, 2, 1, 1] as const;

export function createOutbox(channel: Channel, parts: OutboxParts): Outbox {
  const queue: Waiting[] = [];
  const accepted: Mono[] = [];
  let leftOut = 0;
  let isBusy = false;
  let isClosed = false;
  /** Between two attempts of it. */
  let resting: Waiting | undefined;
  let giveUp = (): void => {};

  function hasRoom(message: Message): boolean {
    const now = parts.clock.monotonic();
    while (accepted[0] !== undefined && now - accepted[0] > HOUR_MS) accepted.shift();
    const rank = rankOf(message);
    const isUsedUp = message.kind !== "summary" && accepted.length >= ROOM[rank] * parts.perHourMax;
    if (isUsedUp || !hasPlace(rank)) return false;
    accepted.push(now);
    return true;
  }

  /** Where all places are taken, the last of the least urgent gives way to what is more urgent. */
  function hasPlace(rank: number): boolean {
    if (queue.length < QUEUE_MAX) return true;
    const last = queue.at(-1);
    if (last === undefined || rankOf(last.message) <= rank) return false;
    queue.pop();
    leaveOut();
    return true;
  }

  function leaveOut(): void {
    leftOut++;
    const why = `more than ${parts.perHourMax} messages in an hour, or ${QUEUE_MAX} waiting`;
    parts.told("dropped", leftOut === 1 ? why : undefined);
  }

  /** Behind its equals; what was begun before goes in front of them. */
  function enqueue(waiting: Waiting): void {
    const rank = rankOf(waiting.message);
    const place = queue.findIndex((one) =>
      waiting.tries === 0 ? rankOf(one.message) > rank : rankOf(one.message) >= rank,
    );
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
    while (waiting.tries < ATTEMPTS && !isClosed) {
      waiting.tries++;
      const refusal = await attemptOf({ ...message, text: message.text + more });
      if (refusal === undefined) return parts.told("sent", message.title);
      reason = refusal.reason;
      if (refusal.isFinal) break;
      // What is more urgent does not wait for a rest of ours, only for one that the service asked for.
      if (waiting.tries < ATTEMPTS) await restAfter(refusal, waiting);
      if (waiting.tries < ATTEMPTS && isOvertaken(waiting)) {
        leftOut += unsaid;
        return enqueue(waiting);
      }
    }
    leftOut += unsaid;
    parts.told("failed", reason);
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
      if (!hasRoom(message)) return leaveOut();
      enqueue({ message, tries: 0 });
      if (!isBusy) void drain();
      else if (resting !== undefined && isOvertaken(resting)) giveUp();
    },
    close() {
      isClosed = true;
      queue.length = 0;
      giveUp();
      channel.close();
    },
  };
}
