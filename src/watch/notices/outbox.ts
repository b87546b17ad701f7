// One channel's messages on their way: a bounded line with the urgent ones first, one at a time, and no more in an hour than people
// bear: then fills are left out, and the rest is kept back. Whatever the channel does, nobody waits for it.

import type { Clock, Timers } from "../../domain/time.ts";
import type { Channel } from "./channel/channel.ts";
import { createDelivery } from "./delivery.ts";
import { createHour, isOneOfMany, rankOf } from "./hour.ts";
import { createKeptBack } from "./kept-back.ts";
import { createLeftOut, type Told } from "./left-out.ts";
import type { Message } from "./notice.ts";
import { createWaitingLine, type Waiting } from "./waiting-line.ts";

export type OutboxParts = {
  readonly clock: Pick<Clock, "monotonic">;
  readonly timers: Timers;
  readonly perHourMax: number;
  readonly told: Told;
};

export interface Outbox {
  put(message: Message): void;
  /** What waits is given up. */
  close(): void;
}

const QUEUE_MAX = 50;

export function createOutbox(channel: Channel, { clock, timers, perHourMax, told }: OutboxParts): Outbox {
  const crowd = `more than ${perHourMax} messages in an hour`;
  const line = createWaitingLine(QUEUE_MAX);
  const leftOut = createLeftOut(told, `${crowd}, or ${QUEUE_MAX} waiting`);
  const delivery = createDelivery(channel, { clock, timers, told, line, leftOut });
  const hour = createHour(clock, perHourMax);
  const { isFullFor } = line;
  const keptBack = createKeptBack({ timers, hour, isFullFor, release: accept, leaveOut: leftOut.add });
  let isBusy = false;
  let isClosed = false;

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
    if (isBusy) delivery.hurry();
    else void drain();
  }

  /** A stop of before that came later than the last would say that it stands. */
  function giveWay(waiting: Waiting): void {
    const { message } = waiting;
    if (isOneOfMany(message) || rankOf(message) === 0) leftOut.add(message);
    else keptBack.add(waiting, `${QUEUE_MAX} messages were waiting`);
  }

  async function drain(): Promise<void> {
    isBusy = true;
    for (let next = line.next(); next !== undefined && !isClosed; next = line.next()) {
      keptBack.releaseAll();
      await delivery.deliver(next);
    }
    isBusy = false;
  }

  return {
    put(message) {
      if (isClosed) return;
      // What was kept back comes first: a stop and its end stay in their order.
      keptBack.releaseAll();
      const waiting = { message, since: clock.monotonic(), because: undefined, tries: 0, isTold: false };
      if (hour.hasRoom(message)) accept(waiting);
      else if (message.urgency === "info") leftOut.add(message);
      else keptBack.add(waiting, crowd);
    },
    close() {
      isClosed = true;
      for (const one of [...line.clear(), ...keptBack.close()]) leftOut.atTheEnd(one);
      delivery.close();
      channel.close();
    },
  };
}
