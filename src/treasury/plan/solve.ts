// The cheapest of all plans by branch and bound: boxes are split until what is left cannot beat the best plan known. Scores
// and bounds are whole numbers; the floats only say where to look first.

import { invariant } from "../../domain/invariant.ts";
import { guessAt, isOutOfReach, leastIn } from "./bound.ts";
import {
  type Box,
  broughtBy,
  CLOSED,
  type Exclusive,
  excludes,
  fewest,
  type Goal,
  missedBy,
  type Program,
  type ProgramPot,
  type Range,
  type Score,
  scoreOf,
  takenBy,
} from "./program.ts";
import type { Value } from "./route.ts";

export type Solution = {
  /** Through each door. */
  readonly lots: readonly number[];
  readonly score: Score;
  /** Nothing better exists, beyond the tolerance. Otherwise the search was given up. */
  readonly proven: boolean;
  /** Parts of all plans that were looked into. */
  readonly looked: number;
};

export type SearchSettings = {
  /** What lies closer together counts as the same. */
  readonly tolerance: bigint;
  readonly boxesMax: number;
};

function solve(program: Program, settings: SearchSettings): Solution {
  for (const { min, max } of program.doors)
    invariant(min >= 1 && Number.isSafeInteger(min) && Number.isSafeInteger(max), "lots must be whole, from 1");
  const nothing = program.doors.map(() => 0);
  const reached = search(program, { kind: "missed" }, nothing, settings);
  const missedMax = scored(program, reached.lots).missed;
  const cheapest = search(program, { kind: "cost", missedMax }, reached.lots, settings);
  return {
    lots: cheapest.lots,
    score: scored(program, cheapest.lots),
    proven: reached.proven && cheapest.proven,
    looked: reached.looked + cheapest.looked,
  };
}

function scored(program: Program, lots: readonly number[]): Score {
  const score = scoreOf(program, lots);
  invariant(score !== undefined, "a plan must not take more than there is");
  return score;
}

type Found = Pick<Solution, "lots" | "proven" | "looked">;

function search(program: Program, goal: Goal, first: readonly number[], settings: SearchSettings): Found {
  let best = first;
  let bestValue = measure(scored(program, first), goal) as bigint;
  const offer = (lots: readonly number[]): void => {
    const score = scoreOf(program, lots);
    const value = score && measure(score, goal);
    if (value === undefined || value >= bestValue) return;
    best = lots;
    bestValue = value;
  };
  const boxes: Box[] = [program.doors.map(whole)];
  let looked = 0;
  for (; boxes.length > 0; looked++) {
    if (looked >= settings.boxesMax) return { lots: best, proven: false, looked };
    if (goal.kind === "missed" && bestValue === 0n) break;
    const box = boxes.pop() as Box;
    if (isOutOfReach(program, box, goal)) continue;
    const { lots, prices } = guessAt(program, box, goal);
    for (const way of ["down", "near", "up"] as const) offer(rounded(program, box, lots, way));
    if (leastIn(program, box, goal, prices) + settings.tolerance >= bestValue) continue;
    boxes.push(...split(program, box, lots));
  }
  return { lots: best, proven: true, looked };
}

/** Of what is to be small; undefined for what may not be. */
function measure({ missed, cost }: Score, goal: Goal): bigint | undefined {
  if (goal.kind === "missed") return missed;
  return missed <= goal.missedMax ? cost : undefined;
}

function whole({ min, max }: { readonly min: number; readonly max: number }): Range {
  return max < min ? CLOSED : { mayRest: true, low: min, high: max };
}

/** A plan near the guess: whole lots, nothing below a minimum, no two doors that exclude each other. */
function rounded({ doors }: Program, box: Box, guess: readonly number[], way: "down" | "near" | "up"): number[] {
  const used: Exclusive[] = [];
  const order = doors.map((_, index) => index).sort((one, other) => (guess[other] as number) - (guess[one] as number));
  const lots = doors.map(() => 0);
  for (const index of order) {
    const { exclusive } = doors[index] as Program["doors"][number];
    const { mayRest, low, high } = box[index] as Range;
    const wanted = guess[index] as number;
    // A guess is a float: what is a hair above a whole number is meant as that.
    const count = { down: Math.floor(wanted + 1e-7), near: Math.round(wanted), up: Math.ceil(wanted - 1e-7) }[way];
    if (mayRest && (count <= 0 || used.some((one) => excludes(one, exclusive)))) continue;
    if (mayRest && count < low && way === "down") continue;
    lots[index] = Math.min(high, Math.max(low, count));
    if (exclusive !== undefined) used.push(exclusive);
  }
  return lots;
}

/** Two smaller boxes, the likelier one last: it is looked into first. */
function split(program: Program, box: Box, guess: readonly number[]): readonly Box[] {
  const index = splitAt(program, box, guess);
  if (index < 0) return [];
  const range = box[index] as Range;
  const { mayRest, low, high } = range;
  const wanted = guess[index] as number;
  if (mayRest && (wanted < low || low === high)) {
    const used = opened(program, box, index, { mayRest: false, low, high });
    const rests = replaced(box, index, CLOSED);
    return wanted > low / 2 ? [rests, used] : [used, rests];
  }
  const middle = Math.min(high - 1, Math.max(low, Math.floor(wanted + 1e-7)));
  const below = replaced(box, index, { mayRest, low, high: middle });
  const above = opened(program, box, index, { mayRest: false, low: middle + 1, high });
  return wanted - middle > 0.5 ? [below, above] : [above, below];
}

/** The door that is furthest from a decision: between nothing and its minimum, between two whole lots, or just undecided. */
function splitAt({ doors }: Program, box: Box, guess: readonly number[]): number {
  let best = -1;
  let most = -1;
  doors.forEach((_, index) => {
    const range = box[index] as Range;
    if (range.high <= fewest(range)) return;
    const doubt = doubtOf(range, guess[index] as number);
    if (doubt <= most) return;
    best = index;
    most = doubt;
  });
  return best;
}

function doubtOf({ mayRest, low, high }: Range, wanted: number): number {
  const isUsed = wanted > 1e-7;
  if (mayRest && isUsed && wanted < low - 1e-7) return 3;
  const fraction = wanted - Math.floor(wanted + 1e-7);
  if (isUsed && fraction > 1e-7) return 1 + Math.min(fraction, 1 - fraction);
  // What is not used, or used whole, is decided last; a fixed cost may still speak against it.
  return mayRest && isUsed ? 1 : high > low ? 0.5 : 0;
}

function opened({ doors }: Program, box: Box, index: number, range: Range): Box {
  const { exclusive } = doors[index] as Program["doors"][number];
  return box.map((other, i) => {
    if (i === index) return range;
    return excludes(exclusive, doors[i]?.exclusive) ? CLOSED : other;
  });
}

function replaced(box: Box, index: number, range: Range): Box {
  return box.map((other, i) => (i === index ? range : other));
}

/** Takes no pot out of its band, or further out, for little more than that. */
export function withoutShifts(program: Program, settings: SearchSettings): Solution {
  let asked = program;
  let best = solve(program, settings);
  // Each time one pot more is left where it is.
  for (const _ of program.pots) {
    const losses = lossesOf(program, best.lots);
    const lost = losses.reduce((sum, { by }) => sum + by, 0n);
    if (lost === 0n) break;
    asked = losses.reduce(keeping, asked);
    const other = solve(asked, settings);
    const looked = best.looked + other.looked;
    const isKept = isWorthIt(other.score.missed - best.score.missed + lost, lost);
    best = { ...(isKept ? best : other), proven: best.proven && other.proven, looked };
    if (isKept) break;
  }
  return best;
}

type Loss = { readonly pot: number; readonly by: Value; readonly isBelow: boolean };

/** By how much more pots miss their bands after it than before. */
function lossesOf({ pots, doors }: Program, lots: readonly number[]): readonly Loss[] {
  return pots.flatMap((pot, index): readonly Loss[] => {
    const after = doors.reduce((sum, door, i) => {
      const count = lots[i] as number;
      return (
        sum - (door.from === index ? takenBy(door, count) : 0n) + (door.to === index ? broughtBy(door, count) : 0n)
      );
    }, pot.have);
    const by = missedBy(pot, after) - missedBy(pot, pot.have);
    return by > 0n ? [{ pot: index, by, isBelow: pot.low !== undefined && after < pot.low }] : [];
  });
}

/** Nothing is taken of it that its band needs, or nothing brought that its band has no room for. */
function keeping({ pots, doors }: Program, { pot, isBelow }: Loss): Program {
  if (!isBelow) return { pots, doors: doors.map((door) => (door.to === pot ? { ...door, max: 0 } : door)) };
  const spare = ({ available, have, low = 0n }: ProgramPot): bigint => {
    const beyond = have > low ? have - low : 0n;
    return beyond < available ? beyond : available;
  };
  return { pots: pots.map((one, i) => (i === pot ? { ...one, available: spare(one) } : one)), doors };
}

/** A pot is taken out of its band only for others that come nearer to theirs by twice as much: otherwise the gap just moves. */
export function isWorthIt(saved: Value, lost: Value): boolean {
  return saved > 0n && saved >= 2n * lost;
}
