// Which sets of movers the balances may show together. Of a few movers every set is tried. Of more, only sets in the order of sending:
// balances that are behind show the first ones that were booked, and not yet the rest.

import type { Asset } from "../domain/asset.ts";
import { DOUBTS_MAX, type OpenDoubt, subsetsOf } from "./balance-vote.ts";

type Sets<T> = readonly (readonly T[])[];

type MoverSets<T> = {
  readonly likely: Sets<T>;
  /** For when none of the likely sets fits: one booked mover is out of turn, as when the venue took it back. */
  readonly odd: () => Sets<T>;
  /** There are too many movers that have no turn, so that not every set of them is tried. */
  readonly isPart: boolean;
};

/** How many sets are tried: an answer is then judged within some milliseconds. */
const SETS_MAX = 4_096;

/**
 * `isFree`: it is booked, and nobody knows whether it left before or after the others. `isSettled`: it is not, and its list says that it
 * has come.
 */
type Movable = OpenDoubt & { readonly booked: boolean; readonly isFree?: boolean; readonly isSettled?: boolean };

/** `movers`: in the order in which they were sent. */
export function moverSets<T extends Movable>(movers: readonly T[]): MoverSets<T> {
  if (movers.length <= DOUBTS_MAX) return { likely: subsetsOf(movers), odd: () => [], isPart: false };
  const inTurn = movers.filter(({ booked, isFree = false }) => booked && !isFree);
  const others = movers.filter(({ booked, isFree = false }) => !booked || isFree);
  if (countOf(inTurn, others) <= SETS_MAX) return { ...setsOf(inTurn, others), isPart: false };
  const booked = movers.filter((one) => one.booked);
  const open = movers.filter((one) => !one.booked);
  return { ...setsOf(booked, open), isPart: true };
}

function countOf(inTurn: readonly unknown[], others: readonly unknown[]): number {
  return (inTurn.length + 1) * 2 ** others.length;
}

function setsOf<T extends Movable>(booked: readonly T[], open: readonly T[]): Omit<MoverSets<T>, "isPart"> {
  const inTurn = Array.from({ length: booked.length + 1 }, (_, count) => booked.slice(0, count));
  const areAll = countOf(booked, open) <= SETS_MAX;
  const beside = (most: number): Sets<T> => (areAll ? subsetsOf(open) : nearest(open, most));
  const odd = (): Sets<T> => {
    const count = inTurn.length * booked.length;
    if (count === 0 || count > SETS_MAX) return [];
    // They are more than the likely ones, so that fewer are tried beside each.
    const others = beside(SETS_MAX / count);
    if (count * others.length > SETS_MAX) return [];
    const outOfTurn = inTurn.flatMap((first) => withOneOther(first, booked));
    return joined(outOfTurn, others);
  };
  return { likely: joined(inTurn, beside(SETS_MAX / inTurn.length)), odd };
}

/** Groups of movers that share an asset, directly or through others: the balances of one group say nothing about another. */
export function groupsOf<T extends OpenDoubt>(movers: readonly T[]): Sets<T> {
  const assets = new Map<Asset, Set<T>>();
  for (const mover of movers) {
    const group = new Set([mover]);
    for (const { least } of mover.movements) for (const one of assets.get(least.asset) ?? []) group.add(one);
    for (const { movements } of group) for (const { least } of movements) assets.set(least.asset, group);
  }
  return [...new Set(assets.values())].map((group) => movers.filter((one) => group.has(one)));
}

/** What the list calls settled, none, and all of them, each with any one otherwise; with any two where there are no more than `most` of all these. */
function nearest<T extends Movable>(open: readonly T[], most: number): Sets<T> {
  const settled = open.filter(({ isSettled = false }) => isSettled);
  const isBetween = settled.length > 0 && settled.length < open.length;
  const bases = isBetween ? [settled, [], open] : [[], open];
  const ones = open.map((one) => [one]);
  const twosCount = (open.length * (open.length - 1)) / 2;
  let room = most - bases.length * (1 + ones.length);
  return bases.flatMap((base) => {
    const hasTwos = twosCount <= room;
    if (hasTwos) room -= twosCount;
    const there = new Set(base);
    const twos = hasTwos ? open.flatMap((one, place) => open.slice(place + 1).map((other) => [one, other])) : [];
    return [[], ...ones, ...twos].map((some) => open.filter((one) => there.has(one) !== some.includes(one)));
  });
}

function withOneOther<T>(first: readonly T[], booked: readonly T[]): Sets<T> {
  return booked.map((one) => (first.includes(one) ? first.filter((other) => other !== one) : [...first, one]));
}

function joined<T>(some: Sets<T>, others: Sets<T>): Sets<T> {
  return some.flatMap((one) => others.map((other) => [...one, ...other]));
}
