// The parameter sets that a search looks at, in a fixed order: all of a grid, or so many drawn from the seed. They are known
// before the first run, so that nothing depends on who runs what when.

import { createRandom } from "../../../src/domain/random.ts";
import { err, ok, type Result } from "../../../src/domain/result.ts";
import { canonicalText } from "../canonical.ts";
import { type Axis, drawn } from "./axis.ts";

/** A value for each axis, in their order. */
export type Point = readonly unknown[];

const POINTS_MAX = 100_000;
/** So many draws for each point that is wanted: a space that is nearly used up is left. */
const DRAWS_PER_POINT = 100;

export function gridPoints(axes: readonly Axis[]): Result<readonly Point[]> {
  const size = gridSize(axes);
  const open = axes.find(({ choice }) => choice.kind === "span");
  if (open !== undefined) return err(`a grid needs steps: ${open.name}=1..10:1 or ${open.name}=1..100:log5`);
  if (size > POINTS_MAX) return err(`a grid must have ${POINTS_MAX} parameter sets at most, was ${size}`);
  return ok(wholeGrid(axes));
}

/** All of a grid that is not larger than asked for. */
export function randomPoints(axes: readonly Axis[], count: number, seed: number): readonly Point[] {
  if (gridSize(axes) <= count) return wholeGrid(axes);
  const random = createRandom(seed).fork("sweep");
  const found = new Map<string, Point>();
  for (let draw = 0; found.size < count && draw < count * DRAWS_PER_POINT; draw++) {
    const point = axes.map(({ choice }) => drawn(choice, random));
    found.set(canonicalText(point), point);
  }
  return [...found.values()];
}

function gridSize(axes: readonly Axis[]): number {
  return axes.reduce((size, { choice }) => size * (choice.kind === "list" ? choice.values.length : Infinity), 1);
}

/** The last axis changes first. */
function wholeGrid(axes: readonly Axis[]): readonly Point[] {
  return axes.reduce<readonly Point[]>(
    (points, { choice }) =>
      points.flatMap((point) => (choice.kind === "list" ? choice.values : []).map((value) => [...point, value])),
    [[]],
  );
}
