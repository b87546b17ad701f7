// The best plan that does not just move the gap: where prices are better than fair, taking from one pot what another misses
// would count as progress, however little it is.

import type { Value } from "./price-of-moving.ts";
import { broughtBy, missedBy, type Program, type ProgramPot, takenBy } from "./program.ts";
import { type SearchSettings, type Solution, solve } from "./solve.ts";

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
