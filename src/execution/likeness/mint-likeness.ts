// A difference that is, to the last digit, what a mint of ours was to bring, had brought or had cost.

import { hasSettled, type MintIntent, type MintRecord } from "../../domain/mint.ts";
import type { Money } from "../../domain/money/money.ts";
import { quoted } from "../../domain/outside-text.ts";
import { wordOf } from "../../domain/venue-word.ts";
import type { Held } from "../kept/held.ts";
import { feeMaxOf } from "../payment/arrivals.ts";
import { reservationOf } from "../reservation.ts";
import { mayBeBefore } from "../shown-gone.ts";
import { givenBack } from "./given-back.ts";
import { isLessFee, isSame, type LateUntil, type Likeness } from "./likeness.ts";

export function mintLikeness(
  difference: Money,
  { id, request, state, movement, bookedAt }: Held,
  lateUntil: LateUntil,
): readonly Likeness[] {
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
            own: [],
          },
        ]
      : [];
  const mint = {
    id,
    coins: quantity.of(asset),
    receipt,
    text: `mint ${id}${entry}`,
    isHere: destination === undefined,
  };
  if (state.kind === "settled") return undoneBy(difference, mint, movement?.status);
  const spent = receipt?.spent;
  if (spent === undefined || !isSame(difference, spent)) return shortBy(difference, mint);
  const gone = {
    command: `pegbot resolve ${id} --not-landed --reason "..."`,
    dueAt: lateUntil(bookedAt),
    isUnseen: mayBeBefore(movement),
  };
  return [givenBack(difference, { id, what: `mint ${id}${entry} had cost`, ...gone })];
}

type Brought = {
  readonly id: string;
  readonly coins: Money;
  readonly receipt: MintRecord | undefined;
  readonly text: string;
  /** Its coins come onto the account. */
  readonly isHere: boolean;
};

/** The list says that the mint has settled, and some of its coins are missing: so few that they may be a fee that the venue did not state. */
function shortBy(difference: Money, { id, coins, receipt, text, isHere }: Brought): readonly Likeness[] {
  if (!isHere || receipt === undefined || !hasSettled(receipt)) return [];
  const isMissing = difference.asset === coins.asset && difference.isNegative();
  if (!isMissing || difference.negated().moreThan(feeMaxOf(coins))) return [];
  const shown = `${difference} ${difference.asset} is missing of the ${coins} ${coins.asset} of ${text}`;
  return [
    { text: `${shown}, which is settled by the list: a fee may be off them`, finding: `short of ${id}`, own: [] },
  ];
}

/** The mint had settled, and its coins are gone or what it cost is back. `listed`: the list's last word for it. */
function undoneBy(
  difference: Money,
  { id, coins, receipt, text, isHere }: Brought,
  listed: string | undefined,
): readonly Likeness[] {
  const isUndone = listed !== undefined && wordOf(listed) !== "settled";
  const end = isUndone ? settledOnce(listed) : "has settled";
  const shown = `${difference} ${difference.asset} is`;
  if (receipt?.spent !== undefined && isSame(difference, receipt.spent))
    return [{ text: `${shown} just what ${text} had cost, which ${end}`, finding: `cost of ${id}`, own: [] }];
  const taken = difference.negated();
  if (!isHere || difference.asset !== coins.asset) return [];
  const isWhole = taken.equals(coins);
  // Only where the list says so may it be a little less.
  if (!isWhole && !(isUndone && isLessFee(taken, coins))) return [];
  const how = isWhole ? " just" : ", less a fee,";
  return [{ text: `${shown}${how} what ${text} had brought, which ${end}`, finding: `coins of ${id}`, own: [] }];
}

export function settledOnce(listed: string): string {
  return `has settled and is listed as ${quoted(listed)} since`;
}

function endOf({ kind }: Held["state"]): string {
  if (kind === "rejected") return "the venue had refused";
  return kind === "not-sent" ? "was never sent" : "was closed as not landed";
}
