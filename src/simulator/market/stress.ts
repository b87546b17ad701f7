// Stress episodes of a coin: at most one a day, drawn from the day's number, wholly inside that day, so that one look at
// the day tells all. An episode rises fast and calms down slowly.

import { type Stream, uniform } from "./noise.ts";
import type { StressParameters } from "./parameters.ts";

const DAY = 86_400_000;
/** The part of an episode in which it rises. */
const RISE = 0.1;
const LOSS_SHARE = 0.8;

export type Stress = { readonly startAt: number; readonly lengthMs: number; readonly shift: number };

/** The episode of the day that `at` lies in; `shift` is the logarithm of the coin's price at its height. */
export function stressOfDay(stream: Stream, parameters: StressParameters, day: number): Stress | undefined {
  const draw = (part: number): number => uniform(stream, day * 8 + part);
  if (draw(0) >= parameters.chancePerDay) return undefined;
  const lengthMs = parameters.minMs + draw(1) * (parameters.maxMs - parameters.minMs);
  const size = (parameters.minBps + draw(2) * (parameters.maxBps - parameters.minBps)) / 1e4;
  return {
    startAt: day * DAY + draw(3) * (DAY - lengthMs),
    lengthMs,
    shift: draw(4) < LOSS_SHARE ? -size : size,
  };
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY);
}

/** From 0 (none) to 1 (its height). */
export function stressLevel(stress: Stress, at: number): number {
  const part = (at - stress.startAt) / stress.lengthMs;
  if (part <= 0 || part >= 1) return 0;
  return part < RISE ? part / RISE : ((1 - part) / (1 - RISE)) ** 2;
}
