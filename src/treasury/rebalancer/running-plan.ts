// A plan that is under way: the step that it is at, and how far that is.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Mono } from "../../domain/time.ts";
import type { SupplyChange } from "../../exchange/port.ts";
import type { PlanRecord } from "../../journal/record.ts";
import type { ContentStep } from "../approval/plan-content.ts";
import type { Pots } from "../approval/plan-need.ts";
import type { RailSight } from "./rails.ts";

export type RunningPlan = {
  readonly plan: PlanRecord;
  readonly steps: readonly ContentStep[];
  /** As they were when it began: a pot that is on its way to its target is not there when it is back in its band. */
  readonly bands: Pots["bands"];
  /** When the last order of each pair was done, or refused: the next one waits until there is a price again. */
  readonly tradedAt: Map<PairSymbol, Mono>;
  /** Whoever takes back a stop does not think of what is left of a plan: nothing more of it is begun. */
  stoppedAs: string | undefined;
  index: number;
  /** How far the step at this index is. */
  soFar: SoFar;
};

export type SoFar = {
  readonly submission: string | undefined;
  /** When the lists that a mint or a rail is told apart by were asked for, and what they showed. */
  readonly askedAt: Mono | undefined;
  readonly rows: readonly SupplyChange[] | undefined;
  readonly sight: RailSight;
  /** Of an order that the gate made smaller: what it left of the step. */
  readonly smaller: string | undefined;
  /** Of an order that people approved: how often it was refused. */
  readonly tries: number;
  /** What it waits for, as it was said; of an order that is tried again, why. */
  readonly waitsFor: string | undefined;
  /** Since when the venue does not show it. */
  readonly waitsSince: Mono | undefined;
};

export const NOT_BEGUN: SoFar = {
  submission: undefined,
  askedAt: undefined,
  rows: undefined,
  sight: {},
  smaller: undefined,
  tries: 0,
  waitsFor: undefined,
  waitsSince: undefined,
};

/** A plan that goes on has a step that it is at. */
export function currentStep({ steps, index }: RunningPlan): ContentStep {
  return steps[index] as ContentStep;
}

export function know(running: RunningPlan, news: Partial<SoFar>): void {
  running.soFar = { ...running.soFar, ...news };
}

/** What it waits for now, for people to see; undefined where the next look goes on. */
export function waitsForOf({ soFar }: RunningPlan): string | undefined {
  if (soFar.submission !== undefined) return `the outcome of ${soFar.submission}`;
  return soFar.waitsFor ?? (soFar.askedAt === undefined ? undefined : "the venue's lists");
}
