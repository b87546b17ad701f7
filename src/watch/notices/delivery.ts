// One message on its way through a channel: a few attempts with rests between them, or for hours where it is told once. What is more
// urgent goes before it meanwhile.

import type { Clock, Timers } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import { createAttempts } from "./attempts.ts";
import type { Channel, Refusal } from "./channel/channel.ts";
import { isOneOfMany } from "./hour.ts";
import type { LeftOut, Told } from "./left-out.ts";
import type { Waiting, WaitingLine } from "./waiting-line.ts";

export type DeliveryParts = {
  readonly clock: Pick<Clock, "monotonic">;
  readonly timers: Timers;
  readonly told: Told;
  /** What waits behind it. */
  readonly line: WaitingLine;
  readonly leftOut: LeftOut;
};

export interface Delivery {
  /** Ends when it was sent or given up, or waits again behind something more urgent. */
  deliver(waiting: Waiting): Promise<void>;
  /** Something was put into the line: what rests between two attempts gives way to what is more urgent. */
  hurry(): void;
  close(): void;
}

/** Then it has failed: what comes in numbers is given up, the rest is said to have failed and tried on. */
const ATTEMPTS = 3;
/** A stop that nobody heard of is no stop to people, and channels are down for longer than a minute. Later it is no news. */
const TRIED_MS_MAX = 6 * 3_600_000;
const LATE_MS = 60_000;
const REST_MS = 2_000;
const REST_MS_MAX = 60_000;

export function createDelivery(channel: Channel, { clock, timers, told, line, leftOut }: DeliveryParts): Delivery {
  const attempts = createAttempts(channel, timers);
  let isClosed = false;
  /** Between two attempts of it. */
  let resting: Waiting | undefined;

  function isTried({ message, since, tries }: Waiting): boolean {
    return tries < ATTEMPTS || (!isOneOfMany(message) && clock.monotonic() - since < TRIED_MS_MAX);
  }

  function send(waiting: Waiting, more = ""): Promise<Refusal | undefined> {
    const { message, since } = waiting;
    const late = latenessOf(waiting, clock.monotonic() - since);
    return attempts.send({ ...message, text: message.text + more + late });
  }

  async function deliver(waiting: Waiting): Promise<void> {
    const unsaid = leftOut.claim();
    let reason = "";
    let isPassed = false;
    while (isTried(waiting) && !isClosed) {
      waiting.tries++;
      const refusal = await send(waiting, moreText(unsaid));
      if (refusal === undefined) return told("sent", waiting.message.title);
      reason = refusal.reason;
      if (refusal.isFinal || isPassed) break;
      if (waiting.tries === ATTEMPTS && isTried(waiting)) {
        waiting.isTold = true;
        told("failed", `${reason}; it is tried again for ${TRIED_MS_MAX / 3_600_000} h`);
      }
      // The service takes others, and has one more attempt for this one: those behind it do not wait for hours.
      isPassed = waiting.tries > ATTEMPTS && refusal.retryAfterMs === undefined && (await takesNext());
      if (isPassed) continue;
      // What is more urgent does not wait for a rest of ours, only for one that the service asked for.
      if (isTried(waiting) && !isClosed) await restAfter(refusal, waiting);
      if (isTried(waiting) && line.overtakes(waiting)) {
        leftOut.giveBack(unsaid);
        return line.put(waiting);
      }
    }
    leftOut.giveBack(unsaid);
    if (waiting.isTold) told("dropped", `given up after ${waiting.tries} attempts: ${reason}`);
    else told("failed", reason);
  }

  /** Right after one that has failed again, so that they stay in their order where the channel was down for both. */
  async function takesNext(): Promise<boolean> {
    const next = line.next();
    if (next === undefined) return false;
    const refusal = await send(next);
    if (refusal === undefined) told("sent", next.message.title);
    else if (isClosed) leftOut.atTheEnd(next.message);
    else line.put(next, true);
    return refusal === undefined;
  }

  async function restAfter({ retryAfterMs }: Refusal, waiting: Waiting): Promise<void> {
    if (retryAfterMs !== undefined) return attempts.rest(Math.min(REST_MS_MAX, retryAfterMs));
    if (line.overtakes(waiting)) return;
    resting = waiting;
    await attempts.rest(Math.min(REST_MS_MAX, REST_MS * 4 ** (waiting.tries - 1)));
    resting = undefined;
  }

  return {
    deliver,
    hurry() {
      if (resting !== undefined && line.overtakes(resting)) attempts.giveUp();
    },
    close() {
      isClosed = true;
      attempts.giveUp();
    },
  };
}

function moreText(unsaid: number): string {
  return unsaid === 0 ? "" : `\n(${unsaid} more ${unsaid === 1 ? "message was" : "messages were"} left out)`;
}

/** Whoever reads it must know that things may have changed since. */
function latenessOf({ message, because, isTold }: Waiting, ageMs: number): string {
  if (because === undefined && ageMs < LATE_MS) return "";
  const of = new Date(message.at).toISOString().slice(0, 16).replace("T", " ");
  const whys = [
    ...(because === undefined ? [] : [`kept back: ${because}`]),
    ...(because === undefined || isTold ? ["late: this channel had failed"] : []),
  ];
  return `\n(of ${of} UTC, ${durationText(ageMs)} ago, ${whys.join("; ")})`;
}
