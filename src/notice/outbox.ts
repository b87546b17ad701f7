// One channel's messages on their way: a bounded line with the urgent ones first, one at a time, each within a few attempts, or
// for hours where it is told once, and no more in an hour than people bear: then fills are left out, and the rest is kept back.
// Whatever the channel does, nobody waits for it.

import type { Clock, Timers } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import { createAttempts } from "./attempts.ts";
import type { Channel, Refusal } from "./channel/channel.ts";
import { createHour, isOneOfMany, rankOf } from "./hour.ts";
import { createKeptBack } from "./kept-back.ts";
import type { Message } from "./notice.ts";
import { createWaitingLine, type Waiting } from "./waiting-line.ts";

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
const REST_MS = 2_000;
const REST_MS_MAX = 60_000;

export function createOutbox(channel: Channel, parts: OutboxParts): Outbox {
  const line = createWaitingLine(QUEUE_MAX);
  const attempts = createAttempts(channel, parts.timers);
  const hour = createHour(parts.clock, parts.perHourMax);
  const { isFullFor } = line;
  const keptBack = createKeptBack({ timers: parts.timers, hour, isFullFor, release: accept, leaveOut });
  let leftOut = 0;
  let isBusy = false;
  let isClosed = false;
  /** Between two attempts of it. */
  let resting: Waiting | undefined;

  function accept(waiting: Waiting): void {
    const { hasOne, gone } = line.placeFor(waiting.message);
    if (!hasOne) {
      giveWay(waiting);
      return;
    }
    hour.take();
    line.put(waiting);
    // Behind it: the place is not free for what is kept back.
    if (gone !== undefined) giveWay(gone);
    if (!isBusy) void drain();
    else if (resting !== undefined && line.overtakes(resting)) attempts.giveUp();
  }

  /** A stop of before that came later than the last would say that it stands. */
  function giveWay(waiting: Waiting): void {
    const { message } = waiting;
    if (isOneOfMany(message) || rankOf(message) === 0) leaveOut(message);
    else keptBack.add(waiting, `${QUEUE_MAX} messages were waiting`);
  }

  /** Each is counted. Of what comes in numbers the first is told; what people must know is named each time, since nobody else will tell them. */
  function leaveOut(message: Message): void {
    leftOut++;
    const why = `more than ${parts.perHourMax} messages in an hour, or ${QUEUE_MAX} waiting`;
    if (!isOneOfMany(message)) parts.told("dropped", `${why}: ${shortOf(message)}`);
    else parts.told("dropped", leftOut === 1 ? why : undefined);
  }

  async function drain(): Promise<void> {
    isBusy = true;
    for (let next = line.next(); next !== undefined && !isClosed; next = line.next()) {
      keptBack.releaseAll();
      await deliver(next);
    }
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
      const refusal = await attempts.send({ ...message, text: message.text + more + lateness(waiting) });
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
      if (isTried(waiting) && line.overtakes(waiting)) {
        leftOut += unsaid;
        return line.put(waiting);
      }
    }
    leftOut += unsaid;
    if (waiting.isTold) parts.told("dropped", `given up after ${waiting.tries} attempts: ${reason}`);
    else parts.told("failed", reason);
  }

  /** Right after one that has failed again, so that they stay in their order where the channel was down for both. */
  async function takesNext(): Promise<boolean> {
    const next = line.next();
    if (next === undefined) return false;
    const refusal = await attempts.send({ ...next.message, text: next.message.text + lateness(next) });
    if (refusal === undefined) parts.told("sent", next.message.title);
    else if (isClosed) leaveBehind(next.message);
    else line.put(next, true);
    return refusal === undefined;
  }

  function leaveBehind(message: Message): void {
    if (!isOneOfMany(message)) parts.told("dropped", `the bot stopped before it was sent: ${shortOf(message)}`);
  }

  function isTried({ message, since, tries }: Waiting): boolean {
    return tries < ATTEMPTS || (!isOneOfMany(message) && parts.clock.monotonic() - since < TRIED_MS_MAX);
  }

  /** Whoever reads it must know that things may have changed since. */
  function lateness({ message, since, because, isTold }: Waiting): string {
    const ageMs = parts.clock.monotonic() - since;
    if (because === undefined && ageMs < LATE_MS) return "";
    const of = new Date(message.at).toISOString().slice(0, 16).replace("T", " ");
    const whys = [
      ...(because === undefined ? [] : [`kept back: ${because}`]),
      ...(because === undefined || isTold ? ["late: this channel had failed"] : []),
    ];
    return `\n(of ${of} UTC, ${durationText(ageMs)} ago, ${whys.join("; ")})`;
  }

  async function restAfter({ retryAfterMs }: Refusal, waiting: Waiting): Promise<void> {
    if (retryAfterMs !== undefined) return attempts.rest(Math.min(REST_MS_MAX, retryAfterMs));
    if (line.overtakes(waiting)) return;
    resting = waiting;
    await attempts.rest(Math.min(REST_MS_MAX, REST_MS * 4 ** (waiting.tries - 1)));
    resting = undefined;
  }

  return {
    put(message) {
      if (isClosed) return;
      // What was kept back comes first: a stop and its end stay in their order.
      keptBack.releaseAll();
      const waiting = { message, since: parts.clock.monotonic(), because: undefined, tries: 0, isTold: false };
      if (hour.hasRoom(message)) accept(waiting);
      else if (message.urgency === "info") leaveOut(message);
      else keptBack.add(waiting, `more than ${parts.perHourMax} messages in an hour`);
    },
    close() {
      isClosed = true;
      for (const one of [...line.clear(), ...keptBack.close()]) leaveBehind(one);
      attempts.giveUp();
      channel.close();
    },
  };
}

const SHORT_MAX = 120;

/** What it is about, for a log: `pegbot paper: plan, plan R-1 was stopped: ...`. */
function shortOf({ title, text }: Message): string {
  const [line = ""] = text.split("\n");
  return `${title}, ${line.length <= SHORT_MAX ? line : `${line.slice(0, SHORT_MAX - 1)}…`}`.toWellFormed();
}
