// The reference prices of this moment: each feed is heard until it has spoken, or for a moment when it does not.

import { randomInt } from "node:crypto";
import { bufferTime, firstValueFrom } from "rxjs";
import type { QuoteEvent } from "../../../domain/event.ts";
import { createRandom } from "../../../domain/random.ts";
import { referencesOf } from "../../bot/references.ts";
import { venueAddress } from "../../open-exchange.ts";
import { systemTimers } from "../../system-timers.ts";
import { timerScheduler } from "../../timer-scheduler.ts";
import type { Tool } from "../../tool/tool.ts";

/** They are on this machine, and answer in milliseconds. */
const HEARD_MS = 250;

export async function askReferences({ config, clock }: Pick<Tool, "config" | "clock">): Promise<readonly QuoteEvent[]> {
  if (config.mode !== "paper") return [];
  const random = createRandom(randomInt(2 ** 47));
  const quotes$ = referencesOf(config, { base: venueAddress(config), random, clock });
  return firstValueFrom(quotes$.pipe(bufferTime(HEARD_MS, timerScheduler(clock, systemTimers))));
}
