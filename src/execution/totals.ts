// Venue totals against the ledger, asset by asset and to the last digit. What is booked may not have reached the balances
// yet, and what is in doubt may have: a difference that no combination of these explains is somebody else's doing.

import { type Asset, assetsOf } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import {
  assetsIn,
  DOUBTS_MAX,
  explainsAll,
  leftOver,
  type Movement,
  type OpenDoubt,
  totalOf,
  whatDiffers,
} from "./balance-vote.ts";
import { groupsOf, moverSets } from "./mover-sets.ts";

/**
 * Something that may have moved balances. `booked`: it is in the ledger. `isFree`: balances that are behind may show it before or after
 * whatever else is booked. `isSettled`: it is on its way by the ledger, and has come by its list.
 */
export type Mover = OpenDoubt & { readonly booked: boolean; readonly isFree?: boolean; readonly isSettled?: boolean };

export type Totals = {
  /** Booked movers that the balances show. */
  readonly moved: readonly Mover[];
  /** Movers that are not booked, in doubt or on their way, and that the balances show. */
  readonly landed: readonly Mover[];
  /** Venue minus ledger where nothing explains all of it: what is left after the set of movers that explains the most. */
  readonly unexplained: readonly Money[];
  /** The same where there are too many movers to try every set of them: nobody can tell yet. */
  readonly unjudged: readonly Money[];
  /** Assets with so many movers: `moved` and `landed` are without them, though the balances may show them. */
  readonly unsure: readonly Asset[];
  /** Venue minus ledger, whatever explains it. */
  readonly differences: readonly Money[];
  /** Assets of which the venue does not state the whole balance. */
  readonly unknown: readonly Asset[];
  /** Those of the unknown that the venue lists no longer though we hold some, and nothing of ours may have taken all of it. */
  readonly unlisted: readonly Asset[];
  readonly negative: readonly Balance[];
};

/** `expected`: assets that the venue has named before. */
export function compareTotals(
  balances: readonly Balance[],
  held: (asset: Asset) => Money | undefined,
  movers: readonly Mover[],
  expected: Iterable<Asset>,
): Totals {
  const totals = new Map<Asset, Money | undefined>();
  // An asset that is not listed is unknown, unless we think that there is none of it.
  for (const asset of expected) if (held(asset)?.isZero() === false) totals.set(asset, undefined);
  // No list shows a negative total. The books have one while coins that were taken over as missing are still in flight.
  for (const asset of assetsIn(movers)) if (held(asset)?.isNegative()) totals.set(asset, Money.zero(asset));
  for (const balance of balances) totals.set(balance.asset, totalOf(balance));
  const differences: Money[] = [];
  const unknown: Asset[] = [];
  for (const [asset, total] of totals) {
    if (total === undefined) {
      unknown.push(asset);
      continue;
    }
    const ledger = held(asset);
    const difference = ledger === undefined ? total : total.minus(ledger);
    if (!difference.isZero()) differences.push(difference);
  }
  const negative = balances.filter(
    ({ available, pending }) => available.isNegative() || pending?.isNegative() === true,
  );
  const unlisted = unknown.length === 0 ? unknown : unlistedOf(unknown, balances, movers);
  const seen = { differences, unknown, unlisted, negative };
  // They agree, and nothing is in doubt that could have cancelled something out.
  if (differences.length === 0 && movers.every(({ booked }) => booked))
    return { ...seen, moved: movers, landed: [], unexplained: [], unjudged: [], unsure: [] };
  return { ...seen, ...explained(differences, movers, unknown) };
}

/** Some venues leave out rows of zero: an asset that an order in doubt may have sold entirely is not missing yet. */
function unlistedOf(
  unknown: readonly Asset[],
  balances: readonly Balance[],
  movers: readonly Mover[],
): readonly Asset[] {
  const touched = assetsIn(movers);
  return unknown.filter((asset) => !touched.has(asset) && balances.every((balance) => balance.asset !== asset));
}

type Explained = Pick<Totals, "moved" | "landed" | "unexplained" | "unjudged" | "unsure">;

function explained(differences: readonly Money[], movers: readonly Mover[], unknown: readonly Asset[]): Explained {
  const touched = assetsIn(movers);
  const untouched = differences.filter(({ asset }) => !touched.has(asset));
  const groups = movers.length > DOUBTS_MAX ? groupsOf(movers) : [movers];
  const found = groups.map((group) => explainedBy(group, differences, unknown));
  return {
    moved: found.flatMap(({ moved }) => moved),
    landed: found.flatMap(({ landed }) => landed),
    unexplained: [...untouched, ...found.flatMap(({ unexplained }) => unexplained)],
    unjudged: found.flatMap(({ unjudged }) => unjudged),
    unsure: found.flatMap(({ unsure }) => unsure),
  };
}

/** For the assets that these movers touch. */
function explainedBy(movers: readonly Mover[], differences: readonly Money[], unknown: readonly Asset[]): Explained {
  const touched = assetsIn(movers);
  const changes: Money[] = [];
  for (const asset of touched) {
    if (unknown.includes(asset)) continue;
    // Measured against the ledger without these movers: what is booked may be in the balances or not, as the doubts may.
    let change = differences.find((difference) => difference.asset === asset) ?? Money.zero(asset);
    for (const { booked, movements } of movers)
      if (booked) for (const { least } of movements) if (least.asset === asset) change = change.plus(least);
    changes.push(change);
  }
  const { likely, odd, isPart } = moverSets(movers);
  const unsure = isPart ? [...touched] : [];
  const inTurn = likely.filter((landed) => explainsAll(landed, changes));
  const explanations = inTurn.length > 0 ? inTurn : odd().filter((landed) => explainsAll(landed, changes));
  if (explanations.length === 0) {
    const own = differences.filter(({ asset }) => touched.has(asset));
    const rests = whatDiffers(leftOver(likely, changes), own);
    return { moved: [], landed: [], unexplained: isPart ? [] : rests, unjudged: isPart ? rests : [], unsure };
  }
  // Where the true set may not be among those that were tried, one that fits by chance proves nothing.
  const shown = isPart ? [] : movers.filter((mover) => explanations.every((landed) => landed.includes(mover)));
  return {
    moved: shown.filter(({ booked }) => booked),
    landed: shown.filter(({ booked }) => !booked),
    unexplained: [],
    unjudged: [],
    unsure,
  };
}

/** What a fill did to holdings, exactly. */
export function fillMovements(
  { symbol, side, quantity }: OrderIntent,
  { bought, sold, fee }: Fill,
): readonly Movement[] {
  const { base } = assetsOf(symbol);
  // What was bought may be stated with the fee already taken off.
  const isNet = side === "buy" && fee.asset === base && !bought.equals(quantity.of(base));
  const changes = [bought, sold.negated()];
  if (!isNet) {
    const index = changes.findIndex(({ asset }) => asset === fee.asset);
    const leg = changes[index];
    if (leg === undefined) changes.push(fee.negated());
    else changes[index] = leg.minus(fee);
  }
  return changes.map((change) => ({ least: change, most: change }));
}
