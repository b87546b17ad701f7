// The running correction of fill chances against outcomes whose true chance is known.

import { expect, it } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { corrected, faded, type SavedCorrection, taught, UNCORRECTED } from "../../src/strategy/correction.ts";

const WEEK = 7 * 24 * 3_600_000;
const SEED = 17;

/** After this many outcomes: a chance is believed, and the true log odds are these. */
function learnt(orders: number, truth: (logOdds: number) => number, odds?: number): SavedCorrection {
  const random = createRandom(SEED);
  let correction = UNCORRECTED;
  for (let n = 0; n < orders; n++) {
    const logOdds = 6 * random.next() - 3;
    const isFilled = random.next() < 1 / (1 + Math.exp(-truth(logOdds)));
    correction = taught(correction, { chance: 1 / (1 + Math.exp(-logOdds)), isFilled, odds });
  }
  return correction;
}

it(`finds chances that are too high, and too sure below even odds (seed ${SEED})`, () => {
  expect(corrected(UNCORRECTED, 0.3)).toBeCloseTo(0.3, 12);
  const { means } = learnt(8_000, (logOdds) => (logOdds > 0 ? 1.5 : 0.5) * logOdds - 1);
  for (const [place, wanted] of [-1, 1.5, 0.5].entries())
    expect(Math.abs((means[place] as number) - wanted)).toBeLessThan(0.2);
});

it("weighs a drawn limit by one over its odds, four at most", () => {
  const [of, bound] = [0.5, 0.01].map((odds) => taught(UNCORRECTED, { chance: 0.5, isFilled: true, odds }).means[0]);
  const [whole] = taught(UNCORRECTED, { chance: 0.5, isFilled: true }).means;
  // Level variance 0.49; an error of 0.5 and a curve of 0.25, each times the weight.
  const wanted = (weight: number): number => (0.49 * weight * 0.5) / (1 + 0.49 * weight * 0.25);
  expect([whole, of, bound]).toEqual([1, 2, 4].map((weight) => expect.closeTo(wanted(weight), 12)));
});

it("is half forgotten after two weeks, and a chance stays one", () => {
  const known = learnt(500, (logOdds) => logOdds + 2);
  const halves = UNCORRECTED.means.map((mean, place) => mean + ((known.means[place] as number) - mean) / 2);
  expect(faded(known, 2 * WEEK).means).toEqual(halves.map((half) => expect.closeTo(half, 12)));
  for (const chance of [0, 1e-12, 0.5, 1]) {
    const found = corrected(known, chance);
    expect(found >= 0 && found <= 1).toBe(true);
  }
});
