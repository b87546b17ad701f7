// Orders that were given up, and that the differences may be the fills of.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { assetsIn, explainsAll, type OpenDoubt, subsetsOf } from "../balance-vote.ts";
import type { Likeness } from "./likeness.ts";

/**
 * Each order that is in a smallest set of them which would have moved just what differs: the history may never show it. A set that has
 * such a set as a part says nothing of the rest: a purchase and a sale of as much move nothing together. `ways`: what differs, once for
 * each way in which the venue may count coins in flight.
 */
export function filledAfterAll(
  ways: readonly (readonly Money[])[],
  givenUp: readonly OpenDoubt[],
): readonly Likeness[] {
  const all = ways.flatMap((differences) => setsThatMoved(differences, givenUp));
  const isPart = (one: readonly OpenDoubt[], whole: readonly OpenDoubt[]): boolean =>
    one.length < whole.length && one.every((each) => whole.includes(each));
  const least = all.filter(({ some }) => !all.some((one) => isPart(one.some, some)));
  return givenUp.flatMap((order) => {
    const { id, movements } = order;
    const within = least.find(({ some }) => some.includes(order));
    if (within === undefined) return [];
    const amounts = movements.map(({ least: { asset } }) => `${changeOf(within.differences, asset)} ${asset}`);
    const text = `${amounts.join(", ")} is what order ${id} may have moved, which was closed as not filled`;
    return [{ text, finding: `filled ${id}`, own: [], filled: [id] }];
  });
}

/** `some`: orders that together would have moved just these differences. */
type MovedBy = { readonly some: readonly OpenDoubt[]; readonly differences: readonly Money[] };

function setsThatMoved(differences: readonly Money[], givenUp: readonly OpenDoubt[]): readonly MovedBy[] {
  const sets = subsetsOf(givenUp).filter((some) => {
    const changes = [...assetsIn(some)].map((asset) => changeOf(differences, asset));
    return changes.some((change) => !change.isZero()) && explainsAll(some, changes);
  });
  return sets.map((some) => ({ some, differences }));
}

function changeOf(differences: readonly Money[], asset: Asset): Money {
  return differences.find((one) => one.asset === asset) ?? Money.zero(asset);
}
