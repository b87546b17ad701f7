// What differs beside coins that are in flight: the venue may count those as pending, or not at all.

import type { Money } from "../../domain/money/money.ts";
import { subsetsOf } from "../balance-vote.ts";
import type { Held } from "../kept/held.ts";
import { coinsInFlight } from "../under-way.ts";
import { summed } from "./likeness.ts";

/** Of each coin one mint is under way at a time, so that there are never many; of more than these the others are left out. */
const COUNTED_MAX = 3;

/** One list of differences for each set of mints whose coins the venue may count: without those coins. */
export function besideCoins(all: readonly Money[], mints: readonly Held[]): readonly (readonly Money[])[] {
  const open = mints.filter(({ state }) => state.kind !== "settled");
  const flying = all.flatMap(({ asset }) => coinsInFlight(asset, open).map(({ coins }) => coins.negated()));
  return subsetsOf(flying.slice(-COUNTED_MAX)).map((counted) =>
    summed([...all, ...counted]).filter((one) => !one.isZero()),
  );
}
