// The parameter sets of a search, fixed before the first run: the values of each parameter (`1,2,5`, `1..10:1`,
// `100..10000:log5`, `0.5..8`, `100..10000:log`), as a grid or a Sobol sequence.

import { jsonOf } from "../../src/domain/json-of.ts";
import { createRandom } from "../../src/domain/random.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { canonicalText } from "./identity.ts";

export type Axis = {
  readonly target: "param" | "market";
  readonly name: string;
  readonly choice: Choice;
};

export type Choice =
  | { readonly kind: "list"; readonly values: readonly unknown[] }
  /** Any value in between; a grid needs steps. */
  | { readonly kind: "span"; readonly from: number; readonly to: number; readonly scale: "linear" | "log" };

const VALUES_MAX = 10_000;
const NUMBER = "-?[0-9]+(?:\\.[0-9]+)?(?:e-?[0-9]+)?";
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?::(log)?(${NUMBER})?)?$`);

/** Undefined for a single value, which leaves no choice. */
export function parseChoice(text: string): Result<Choice | undefined> {
  if (jsonOf(text) !== undefined) return ok(undefined);
  if (text.includes("..")) return parseRange(text);
  if (!text.includes(",")) return ok(undefined);
  const values = text.split(",").map((part) => jsonOrText(part.trim()));
  if (values.includes("")) return err(`must not have an empty value, was ${shown(text)}`);
  const names = values.map((value) => JSON.stringify(value));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return err(`must not have ${twice} twice, was ${shown(text)}`);
  return sized({ kind: "list", values }, text);
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** At a part, from 0 to 1, of a list, or of a span on its scale. */
function valueAt(choice: Choice, part: number): unknown {
  if (choice.kind === "list") return choice.values[Math.floor(part * choice.values.length)];
  const { from, to, scale } = choice;
  const value = scale === "log" ? from * (to / from) ** part : from + (to - from) * part;
  return Math.min(to, Math.max(from, Number(value.toPrecision(6))));
}

function parseRange(text: string): Result<Choice | undefined> {
  const match = RANGE.exec(text);
  if (match === null) return err(`must look like 1..10:1, 1..10, 100..10000:log5 or 1,2,5, was ${shown(text)}`);
  const [from, to] = [Number(match[1]), Number(match[2])];
  if (!(from < to)) return err(`range must go up, was ${shown(text)}`);
  const [isLog, step] = [match[3] !== undefined, match[4] === undefined ? undefined : Number(match[4])];
  if (isLog && !(from > 0)) return err(`log range must begin above zero, was ${shown(text)}`);
  if (step === undefined) {
    if (text.includes(":") && !isLog) return err(`range must have a step after the colon, was ${shown(text)}`);
    return ok({ kind: "span", from, to, scale: isLog ? "log" : "linear" });
  }
  if (isLog) return logSteps(from, to, step, text);
  if (!(step > 0)) return err(`step must be above zero, was ${shown(text)}`);
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (count > VALUES_MAX) return tooMany(count, text);
  return ok({
    kind: "list",
    values: Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12))),
  });
}

function logSteps(from: number, to: number, count: number, text: string): Result<Choice> {
  if (!Number.isInteger(count) || count < 2) return err(`log range must have 2 steps or more, was ${shown(text)}`);
  if (count > VALUES_MAX) return tooMany(count, text);
  const at = (i: number): number => Number((from * (to / from) ** (i / (count - 1))).toPrecision(6));
  return ok({
    kind: "list",
    values: Array.from({ length: count }, (_, i) => (i === 0 ? from : i + 1 === count ? to : at(i))),
  });
}

function sized(choice: Choice & { kind: "list" }, text: string): Result<Choice> {
  return choice.values.length > VALUES_MAX ? tooMany(choice.values.length, text) : ok(choice);
}

function tooMany(count: number, text: string): Result<never> {
  return err(`must have ${VALUES_MAX} values at most, was ${count}: ${shown(text)}`);
}

function shown(text: string): string {
  return text.slice(0, 60);
}

/** One value per axis, in their order. */
export type Point = readonly unknown[];

const POINTS_MAX = 100_000;
/** Draws per requested point; a space that is nearly exhausted is given up. */
const DRAWS_PER_POINT = 100;

export function gridPoints(axes: readonly Axis[]): Result<readonly Point[]> {
  const size = gridSize(axes);
  const open = axes.find(({ choice }) => choice.kind === "span");
  if (open !== undefined) return err(`a grid needs steps: ${open.name}=1..10:1 or ${open.name}=1..100:log5`);
  if (size > POINTS_MAX) return err(`a grid must have ${POINTS_MAX} parameter sets at most, was ${size}`);
  return ok(wholeGrid(axes));
}

/** The whole grid if it is not larger than `count`. Evenly spread, and shifted by the seed. */
export function sobolPoints(axes: readonly Axis[], count: number, seed: number): Result<readonly Point[]> {
  if (gridSize(axes) <= count) return ok(wholeGrid(axes));
  if (axes.length > DIRECTIONS.length)
    return err(`a Sobol search takes ${DIRECTIONS.length} parameters at most, was ${axes.length}`);
  const random = createRandom(seed).fork("sweep");
  const shifts = axes.map(() => random.integer(0, 2 ** 32 - 1));
  const found = new Map<string, Point>();
  for (let index = 0; found.size < count && index < count * DRAWS_PER_POINT; index++) {
    const parts = sobol(index, shifts);
    const point = axes.map(({ choice }, axis) => valueAt(choice, parts[axis] as number));
    found.set(canonicalText(point), point);
  }
  return ok([...found.values()]);
}

/** Primitive polynomial and first direction numbers of each dimension beyond the first (Joe and Kuo, 2008). */
const DIRECTIONS = [
  undefined,
  ...([
    [0, 1],
    [1, 1, 3],
    [1, 1, 3, 1],
    [2, 1, 1, 1],
    [1, 1, 1, 3, 3],
    [4, 1, 3, 5, 13],
    [2, 1, 1, 5, 5, 17],
    [4, 1, 1, 5, 5, 5],
    [7, 1, 1, 7, 11, 19],
  ] as const),
].map(directions);

function directions(given: readonly number[] | undefined): readonly number[] {
  if (given === undefined) return Array.from({ length: 32 }, (_, bit) => (1 << (31 - bit)) >>> 0);
  const [polynomial = 0, ...first] = given;
  const degree = first.length;
  const found = first.map((one, bit) => (one << (31 - bit)) >>> 0);
  for (let bit = degree; bit < 32; bit++) {
    let next = (found[bit - degree] as number) ^ ((found[bit - degree] as number) >>> degree);
    for (let k = 1; k < degree; k++) if ((polynomial >> (degree - 1 - k)) & 1) next ^= found[bit - k] as number;
    found.push(next >>> 0);
  }
  return found;
}

/** A point of the sequence in its Gray code order, with a digital shift in each dimension. */
export function sobol(index: number, shifts: readonly number[]): readonly number[] {
  const gray = index ^ (index >>> 1);
  return shifts.map((shift, dimension) => {
    let bits = shift;
    for (let bit = 0; gray >>> bit > 0; bit++) if ((gray >>> bit) & 1) bits ^= DIRECTIONS[dimension]?.[bit] as number;
    return (bits >>> 0) / 2 ** 32;
  });
}

function gridSize(axes: readonly Axis[]): number {
  return axes.reduce((size, { choice }) => size * (choice.kind === "list" ? choice.values.length : Infinity), 1);
}

/** The last axis varies fastest. */
function wholeGrid(axes: readonly Axis[]): readonly Point[] {
  return axes.reduce<readonly Point[]>(
    (points, { choice }) =>
      points.flatMap((point) => (choice.kind === "list" ? choice.values : []).map((value) => [...point, value])),
    [[]],
  );
}
