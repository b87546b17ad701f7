// How many messages people bear in an hour, and which of them go first: no number of others keeps a stop out.

import type { Clock, Mono } from "../../domain/time.ts";
import type { Message } from "./notice.ts";

/** The first goes first. A stop and its end stay in their order: who reads the last of them knows how things are. */
export function rankOf({ kind, urgency }: Message): 0 | 1 | 2 | 3 {
  if (kind === "stop" || kind === "resume") return 0;
  if (urgency === "critical") return 1;
  // There is one a day, and people wait for it: fills do not.
  return urgency === "warning" || kind === "summary" ? 2 : 3;
}

/** A fill or the like: others follow, and none is missed for long. */
export function isOneOfMany(message: Message): boolean {
  return rankOf(message) === 3;
}

/** How much of an hour's messages each rank may use, in times of what all may: never less than what comes after it. */
const ROOM = [3, 2, 1, 1] as const;
const HOUR_MS = 3_600_000;

export interface Hour {
  hasRoom(message: Message): boolean;
  /** Whatever it is, it counts. */
  take(): void;
  /** Until there is, if nothing else takes it. */
  roomInMs(message: Message): number;
}

export function createHour(clock: Pick<Clock, "monotonic">, perHourMax: number): Hour {
  const taken: Mono[] = [];
  const mostOf = (message: Message): number => ROOM[rankOf(message)] * perHourMax;
  return {
    hasRoom(message) {
      const now = clock.monotonic();
      while (taken[0] !== undefined && now - taken[0] > HOUR_MS) taken.shift();
      return message.kind === "summary" || taken.length < mostOf(message);
    },
    take: () => void taken.push(clock.monotonic()),
    roomInMs(message) {
      const inTheWay = taken[taken.length - mostOf(message)];
      return inTheWay === undefined ? 0 : Math.max(0, inTheWay + HOUR_MS + 1 - clock.monotonic());
    },
  };
}
