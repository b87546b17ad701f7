// The third witness. Venue totals are compared with the ledger under every combination of what is in doubt: only a
// combination that explains them alone has a vote. The ledger is taken without the doubts, and everything whose balance
// may not have moved yet belongs among them.

import { type Asset, assetsOf } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { invariant } from "../domain/invariant.ts";
import { Money, type Price } from "../domain/money/money.ts";
import type { OrderRequest } from "../domain/order.ts";

/** What a holding changes by if it happened: a range, because price and fee are not known. */
export type Movement = { readonly least: Money; readonly most: Money };

export type OpenDoubt = { readonly id: string; readonly movements: readonly Movement[] };

export type Vote =
  | { readonly kind: "landed" }
  | { readonly kind: "absent" }
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "unexplained"; readonly reason: string };

/** Two doubts freeze the bot, so that there are never more than a few. All sets of them are tried: 2 to the power of this. */
export const DOUBTS_MAX = 8;

export function balanceVote(
  id: string,
  doubts: readonly OpenDoubt[],
  balances: readonly Balance[],
  held: (asset: Asset) => Money | undefined,
): Vote {
  invariant(
    doubts.some((doubt) => doubt.id === id),
    `${id} must be among the doubts that its balances are explained with`,
  );
  const changes: Money[] = [];
  for (const asset of assetsIn(doubts)) {
    const total = totalOf(balances.find((one) => one.asset === asset));
    const known = held(asset);
    if (total === undefined || known === undefined)
      return { kind: "none", reason: `the ${total === undefined ? "venue's total" : "ledger"} of ${asset} is unknown` };
    changes.push(total.minus(known));
  }
  const explanations = explanationsOf(doubts, changes);
  if (explanations === undefined) return { kind: "none", reason: `at most ${DOUBTS_MAX} doubts are told apart` };
  const [only] = explanations;
  if (only === undefined) {
    // Something differs here: if nothing did, the empty set would explain it.
    const differing = changes.filter((change) => !change.isZero());
    const rests = whatDiffers(leftOver(subsetsOf(doubts), changes), differing);
    const shown = rests.map((rest) => `${rest} ${rest.asset}`).join(", ");
    return {
      kind: "unexplained",
      reason: `balances differ from the ledger by ${shown}, which no open request explains`,
    };
  }
  if (explanations.length > 1) return { kind: "none", reason: "the balances are explained in more than one way" };
  return { kind: only.some((doubt) => doubt.id === id) ? "landed" : "absent" };
}

/** Every set of doubts that would have changed holdings by just this much; undefined when there are too many to try. */
export function explanationsOf<T extends OpenDoubt>(
  doubts: readonly T[],
  changes: readonly Money[],
): readonly (readonly T[])[] | undefined {
  if (doubts.length > DOUBTS_MAX) return undefined;
  return subsetsOf(doubts).filter((landed) => explainsAll(landed, changes));
}

/** Where no set explains everything: of the sets that leave the fewest assets unexplained, the least that any of them leaves in each asset. */
export function leftOver(sets: readonly (readonly OpenDoubt[])[], changes: readonly Money[]): readonly Money[] {
  const rests = sets.map((landed) => changes.map((change) => beyond(landed, change)).filter((rest) => !rest.isZero()));
  const fewest = Math.min(...rests.map(({ length }) => length));
  const least = new Map<Asset, Money>();
  for (const rest of rests.filter(({ length }) => length === fewest).flat()) {
    const known = least.get(rest.asset);
    if (known === undefined || rest.size().lessThan(known.size())) least.set(rest.asset, rest);
  }
  return [...least.values()];
}

/** An asset in which venue and ledger agree is not frozen, though a doubt should have moved it: then the other assets are the odd ones. */
export function whatDiffers(rests: readonly Money[], differences: readonly Money[]): readonly Money[] {
  const odd = rests.filter(({ asset }) => differences.some((difference) => difference.asset === asset));
  return odd.length === 0 ? differences : odd;
}

/** The doubts that are in every one of the sets that leave the fewest assets unexplained; none where there are too many to try. */
export function likeliest<T extends OpenDoubt>(doubts: readonly T[], changes: readonly Money[]): readonly T[] {
  if (doubts.length > DOUBTS_MAX) return [];
  const sets = subsetsOf(doubts).map((landed) => ({
    landed,
    rests: changes.filter((change) => !explains(landed, change)).length,
  }));
  const fewest = Math.min(...sets.map(({ rests }) => rests));
  const best = sets.filter(({ rests }) => rests === fewest);
  return doubts.filter((doubt) => best.every(({ landed }) => landed.includes(doubt)));
}

/** What an order may do to holdings: it fills at its limit or better, and the fee may be in either asset. */
export function orderMovements(order: OrderRequest, feeBpsMax: number): readonly Movement[] {
  const { symbol, side, quantity, limit } = order;
  const { base, quote } = assetsOf(symbol);
  const size = quantity.of(base);
  const sizeFee = size.share(feeBpsMax, "up");
  const atLimit = limit.times(quantity, quote, side === "buy" ? "up" : "down");
  const limitFee = atLimit.share(feeBpsMax, "up");
  const atBest = bestPriceOf(order).times(quantity, quote, side === "buy" ? "down" : "up");
  if (side === "buy")
    return [
      { least: size.minus(sizeFee), most: size },
      { least: atLimit.plus(limitFee).negated(), most: atBest.negated() },
    ];
  return [
    { least: size.plus(sizeFee).negated(), most: size.negated() },
    { least: atLimit.minus(limitFee), most: atBest },
  ];
}

/** How much better than its limit an order may fill. */
export const BETTER_BPS_MAX = 500;

/** The best that an order is believed to fill at. */
export function bestPriceOf({ side, limit }: OrderRequest): Price {
  return side === "buy" ? limit.shifted(-BETTER_BPS_MAX, "down") : limit.shifted(BETTER_BPS_MAX, "up");
}

/** An unknown pending part makes the total unknown. */
export function totalOf(balance: Balance | undefined): Money | undefined {
  return balance?.pending && balance.available.plus(balance.pending);
}

export function assetsIn(doubts: readonly OpenDoubt[]): ReadonlySet<Asset> {
  return new Set(doubts.flatMap(({ movements }) => movements.map(({ least }) => least.asset)));
}

export function subsetsOf<T>(doubts: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** doubts.length }, (_, chosen) =>
    doubts.filter((_doubt, index) => (chosen & (1 << index)) !== 0),
  );
}

export function explainsAll(landed: readonly OpenDoubt[], changes: readonly Money[]): boolean {
  return changes.every((change) => explains(landed, change));
}

function explains(landed: readonly OpenDoubt[], change: Money): boolean {
  return beyond(landed, change).isZero();
}

/** What of a change these cannot have caused, at the least. */
function beyond(landed: readonly OpenDoubt[], change: Money): Money {
  const { asset } = change;
  let least = Money.zero(asset);
  let most = least;
  for (const { movements } of landed)
    for (const movement of movements)
      if (movement.least.asset === asset) {
        least = least.plus(movement.least);
        most = most.plus(movement.most);
      }
  if (change.lessThan(least)) return change.minus(least);
  return change.moreThan(most) ? change.minus(most) : Money.zero(asset);
}
