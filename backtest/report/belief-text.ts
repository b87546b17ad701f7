// How much recorded references were believed, in words.

import type { NoFair } from "../../src/domain/fair.ts";
import type { Belief } from "../record/run-record.ts";
import { duration, number, percent } from "./format.ts";

/** Below it the table says so: the report always does. */
const LITTLE = 0.5;

export function isLittleBelieved({ looks, believed }: Belief): boolean {
  return believed < LITTLE * looks;
}

export function beliefText({ symbol, ageMsMax, looks, believed, doubts }: Belief): string {
  const reasons = Object.entries(doubts).sort(([, one], [, other]) => other - one);
  const why = reasons.map(([doubt, count]) => `${wordOf(doubt as NoFair, ageMsMax)} ${share(count, looks)}`).join(", ");
  const much = believed === 0 ? "never believed" : `believed ${share(believed, looks)}`;
  return `${symbol} was ${much} of ${number(looks, 0)} times looked at${why === "" ? "" : `; ${why}`}`;
}

function wordOf(doubt: NoFair, ageMsMax: number): string {
  if (doubt === "stale") return `stale (more than ${duration(ageMsMax)} old, referenceAgeMsMax)`;
  return doubt === "missing" ? "missing, or too few sources" : doubt;
}

function share(count: number, of: number): string {
  const text = percent(of === 0 ? 0 : count / of, 1);
  return count > 0 && text === percent(0, 1) ? "less than 0.1 %" : text;
}
