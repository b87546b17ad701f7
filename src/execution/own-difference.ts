// A difference between venue and books that is, to the last digit, a mint of ours: one that was given up and came after all, or
// whose money the venue gave back. It moved outside the books, and so it stops the bot like any other; but whoever is called
// reads whose it is.

import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Held } from "./held.ts";
import { reservationOf } from "./reservation.ts";

/** A person reads them, and the reason of a stop is cut off. */
const NAMED_MAX = 3;

/** Both empty where none is like a mint of ours. */
export type Likeness = {
  /** To follow the text of the differences. */
  readonly text: string;
  /** Which mints, and in what way. */
  readonly finding: string;
};

export function ownDifferences(differences: readonly Money[], movements: Iterable<Held>): Likeness {
  const found: Likeness[] = [];
  for (const held of movements)
    if (held.kind === "mint") for (const one of differences) found.push(...likenessOf(one, held));
  const named = found.slice(-NAMED_MAX);
  const earlier = found.length - named.length;
  const texts = named.map(({ text }) => `; ${text}`).join("");
  return {
    text: `${texts}${earlier === 0 ? "" : `; ${earlier} earlier mints are like it too`}`,
    finding: named.map(({ finding }) => finding).join(", "),
  };
}

function likenessOf(difference: Money, { id, request, state }: Held): readonly Likeness[] {
  const { asset, quantity, destination } = request as MintIntent;
  const receipt = "receipt" in state ? (state.receipt as MintRecord) : undefined;
  const entry = receipt === undefined ? "" : ` (request ${receipt.requestId})`;
  const isGivenUp = reservationOf(state) === "freed" || (state.kind === "settled" && state.isGivenBack === true);
  if (isGivenUp)
    return destination === undefined && isSame(difference, quantity.of(asset))
      ? [
          {
            text: `${difference} ${asset} is just what mint ${id}${entry} was to bring, which ${endOf(state)}`,
            finding: `brought by ${id}`,
          },
        ]
      : [];
  const spent = state.kind === "settled" ? undefined : receipt?.spent;
  return spent !== undefined && isSame(difference, spent)
    ? [
        {
          text: `${difference} ${spent.asset} is just what mint ${id}${entry} had cost: if the venue gave it back, pegbot resolve ${id} --not-landed --reason "..." instead of adopt`,
          finding: `cost of ${id}`,
        },
      ]
    : [];
}

function endOf({ kind }: Held["state"]): string {
  if (kind === "rejected") return "the venue had refused";
  return kind === "not-sent" ? "was never sent" : "was closed as not landed";
}

function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}
