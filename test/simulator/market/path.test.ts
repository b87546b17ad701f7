// A path remembers its way down only to be fast: it is what the construction from both ends of everything says, for every
// cell, whatever was asked before.

import { expect, it } from "vitest";
import { createRandom } from "../../../src/domain/random.ts";
import { normal, type Stream, streamOf } from "../../../src/simulator/market/noise.ts";
import { type Law, Path } from "../../../src/simulator/market/path.ts";

const SEED = 20_261_115;
const GRID_MS = 250;
const LEVELS = 34;
const CELLS = 2 ** LEVELS;
const YEAR_MS = 365.25 * 86_400_000;

const LAWS: readonly Law[] = [
  { kind: "walk", perYear: 0.5 },
  { kind: "reverting", deviation: 0.0012, halfLifeMs: 2_400_000 },
];

/** By the definition: from the root down to where the cell begins a node. */
function constructed(stream: Stream, law: Law, cell: number): number {
  let [left, right] = endsOf(stream, law);
  let begin = 0;
  for (let level = 0; begin !== cell; level++) {
    const half = 2 ** (LEVELS - level - 1);
    const draw = normal(stream, level * 2 ** 35 + begin / (2 * half));
    const middle = middleOf(law, 2 * half * GRID_MS, left, right, draw);
    if (cell < begin + half) right = middle;
    else {
      left = middle;
      begin += half;
    }
  }
  return left;
}

function endsOf(stream: Stream, law: Law): [number, number] {
  if (law.kind === "walk") return [0, law.perYear * Math.sqrt((CELLS * GRID_MS) / YEAR_MS) * normal(stream, 2)];
  // The two ends are half-lives without number apart, so that neither says anything of the other.
  return [law.deviation * normal(stream, 1), law.deviation * normal(stream, 2)];
}

function middleOf(law: Law, lengthMs: number, left: number, right: number, draw: number): number {
  if (law.kind === "walk") return 0.5 * (left + right) + ((law.perYear * Math.sqrt(lengthMs / YEAR_MS)) / 2) * draw;
  const kept = 2 ** (-lengthMs / 2 / law.halfLifeMs);
  const scatter = law.deviation * Math.sqrt((1 - kept * kept) / (1 + kept * kept));
  return (kept / (1 + kept * kept)) * (left + right) + scatter * draw;
}

it.each(LAWS)(`of $kind: a value is what the construction says, whatever was asked before (seed ${SEED})`, (law) => {
  const random = createRandom(SEED).fork(law.kind);
  const stream = streamOf(SEED, law.kind);
  const path = new Path(stream, law, GRID_MS);
  const edges = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 3 * 2 ** 32, 2 ** 33, CELLS - 1];
  let cell = 7e9;
  for (let i = 0; i < 20_000; i++) {
    const draw = random.next();
    if (draw < 0.3) cell += random.integer(0, 3);
    else if (draw < 0.7) cell += random.integer(0, 300);
    else if (draw < 0.8) cell -= random.integer(0, 300);
    else if (draw < 0.9) cell -= cell % 2 ** random.integer(0, 12);
    else if (draw < 0.95) cell = edges[random.integer(0, edges.length - 1)] as number;
    else cell = random.integer(0, 2 ** 32 - 1) * 4;
    cell = Math.min(CELLS - 1, Math.max(0, cell));
    expect(path.at(cell), `cell ${cell}, number ${i}`).toBe(constructed(stream, law, cell));
  }
});

it("knows no cell outside of its time", () => {
  const path = new Path(streamOf(1, "any"), LAWS[0] as Law, GRID_MS);
  for (const cell of [-1, CELLS, 0.5, Number.NaN]) expect(() => path.at(cell)).toThrow(`was ${cell}`);
});
