// How a search spends its runs. A grid and a random search run every parameter set over the whole time that may choose.
// Successive halving runs all of them over a ninth of it, the best third of those over a third, and the best third of these over
// all of it. A round begins when the one before has ended, so the choice depends on results and never on who was quick.

import { invariant } from "../../../src/domain/invariant.ts";

export const SEARCHES = ["grid", "random", "halving"] as const;
export type Search = (typeof SEARCHES)[number];

export type Round = {
  /** Of the time that may choose. */
  readonly share: number;
  /** How many parameter sets are in it. */
  readonly points: number;
};

const THIRD = 3;

export function roundsOf(search: Search, points: number): readonly Round[] {
  if (search !== "halving") return [{ share: 1, points }];
  const second = Math.ceil(points / THIRD);
  return [
    { share: 1 / THIRD ** 2, points },
    { share: 1 / THIRD, points: second },
    { share: 1, points: Math.ceil(second / THIRD) },
  ];
}

/** Who stays for a round of so many: the best, and of equals the earlier. */
export function survivors<T>(ranked: readonly T[], round: Round): readonly T[] {
  invariant(
    round.points <= ranked.length,
    `a round must not have more points than the one before, was ${round.points}`,
  );
  return ranked.slice(0, round.points);
}
