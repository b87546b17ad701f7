// How much of the best result is left one step away in any parameter: a good set lies on a plateau, a lucky one on a spike.
// Formula: mean, and lowest, of what was looked for at the neighbours / what the best came to; a neighbour differs by one step
// of one parameter; where values were drawn and have no steps, or there is one parameter, the 2 * parameters sets that lie
// nearest by rank

import { type Figure, known, notAvailable } from "../../metric/basis/figure.ts";
import { mean } from "../../metric/basis/moments.ts";
import { type Choice, isEndOf } from "../sweep/axis.ts";

export type Neighbourhood = {
  /** Parts of the best one's. */
  readonly kept: number;
  readonly worst: number;
  readonly neighbours: number;
  /** The best lies at the end of what some parameter may be: beyond it nothing can be found. */
  readonly isAtEnd: boolean;
};

export type Tried = {
  /** One for each parameter, in the same order for all. */
  readonly values: readonly unknown[];
  /** What was looked for, more being better; null where there is no such figure. */
  readonly achieved: number | null;
};

const NEIGHBOURS_MIN = 2;

/** `choices`: what each parameter may be. */
export function neighbourhood(
  tried: readonly Tried[],
  best: number,
  choices: readonly Choice[],
): Figure<Neighbourhood> {
  const chosen = tried[best];
  if (chosen?.achieved == null) return notAvailable("the best has no figure");
  if (!(chosen.achieved > 0)) return notAvailable("what the best came to is not above zero");
  const axes = chosen.values.map((_, axis) => axisOf(tried.map(({ values }) => values[axis])));
  const places = tried.map(({ values }) => values.map((value, axis) => (axes[axis] as AxisPlaces).of(value)));
  const near = isGrid(tried, axes) ? stepsAway(places, axes, best) : nearest(places, axes, best);
  const values = near.flatMap((index) => tried[index]?.achieved ?? []);
  if (values.length < NEIGHBOURS_MIN)
    return notAvailable(`needs at least ${NEIGHBOURS_MIN} neighbours with a figure, was ${values.length}`);
  const { achieved } = chosen;
  return known({
    kept: mean(Float64Array.from(values)) / achieved,
    worst: Math.min(...values) / achieved,
    neighbours: values.length,
    isAtEnd: choices.some((choice, axis) => isEndOf(choice, chosen.values[axis])),
  });
}

type AxisPlaces = {
  /** The place of a value among all that were tried, from 0. */
  readonly of: (value: unknown) => number;
  readonly count: number;
  /** Texts have no order, so no neighbours either. */
  readonly isOrdered: boolean;
};

function axisOf(values: readonly unknown[]): AxisPlaces {
  const distinct = [...new Set(values)];
  const isOrdered = distinct.every((value) => typeof value === "number");
  if (isOrdered) (distinct as number[]).sort((one, other) => one - other);
  const places = new Map(distinct.map((value, place) => [value, place]));
  return { of: (value) => places.get(value) as number, count: distinct.length, isOrdered };
}

/** Every combination was tried. One parameter looks like that however it was drawn, and has one neighbour at its ends. */
function isGrid(tried: readonly Tried[], axes: readonly AxisPlaces[]): boolean {
  if (axes.length < 2) return false;
  return axes.reduce((sets, { count }) => sets * count, 1) === tried.length && axes.some(({ isOrdered }) => isOrdered);
}

function stepsAway(
  places: readonly (readonly number[])[],
  axes: readonly AxisPlaces[],
  best: number,
): readonly number[] {
  const own = places[best] as readonly number[];
  return indexesOf(places, (other) => {
    const steps = other.map((place, axis) => {
      const away = Math.abs(place - (own[axis] as number));
      return axes[axis]?.isOrdered || away === 0 ? away : Infinity;
    });
    return steps.reduce((sum, one) => sum + one, 0) === 1;
  });
}

function nearest(places: readonly (readonly number[])[], axes: readonly AxisPlaces[], best: number): readonly number[] {
  const own = places[best] as readonly number[];
  const distance = (other: readonly number[]): number =>
    other.reduce((sum, place, axis) => {
      const { count, isOrdered } = axes[axis] as AxisPlaces;
      if (!isOrdered) return place === own[axis] ? sum : Infinity;
      return sum + ((place - (own[axis] as number)) / Math.max(1, count - 1)) ** 2;
    }, 0);
  const distances = places.map(distance);
  return indexesOf(places, (_, index) => index !== best && Number.isFinite(distances[index]))
    .toSorted((one, other) => (distances[one] as number) - (distances[other] as number) || one - other)
    .slice(0, 2 * axes.length);
}

function indexesOf<T>(values: readonly T[], test: (value: T, index: number) => boolean): readonly number[] {
  return values.flatMap((value, index) => (test(value, index) ? [index] : []));
}
