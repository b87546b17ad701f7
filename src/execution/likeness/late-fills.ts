// A difference that is just what the last fills moved: the balances are behind and do not show them yet.

import type { Money } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Held } from "../kept/held.ts";
import { fillMovements } from "../totals.ts";
import { type Likeness, type OwnMoney, summed } from "./likeness.ts";

/**
 * Balances that are behind lack the last few fills. Where one older fill alone is missing, with both its legs, the balances show later
 * ones: it may never have happened. `ways`: what differs, once for each way in which the venue may count coins in flight; `fills`: the
 * latest first.
 */
export function fillsNotShown(ways: readonly (readonly Money[])[], fills: readonly Held[]): readonly Likeness[] {
  let late: { readonly missing: readonly Money[]; readonly count: number } | undefined;
  let most = 0;
  for (const differences of ways)
    for (let count = 1; count <= fills.length && most < differences.length; count++) {
      const missing = missingOf(fills.slice(0, count));
      const lacking = missing.filter((one) => !one.isZero()).length;
      // The last fill may explain one pair and not the others: the count that explains most assets wins.
      if (lacking <= most || !areMissing(missing, differences)) continue;
      late = { missing, count };
      most = lacking;
    }
  if (late !== undefined) return [lateOf(late.missing, fills.slice(0, late.count).toReversed(), WAITED_FOR)];
  const alone = fills.filter((held) => ways.some((differences) => areMissing(missingOf([held]), differences)));
  return alone.map((held) => lateOf(missingOf([held]), [held], takenBack(held)));
}

/** What would differ if the balances lacked these fills, by asset. */
export function missingOf(fills: readonly Held[]): readonly Money[] {
  return summed(
    fills.flatMap(({ request, state }) =>
      fillMovements(request as OrderIntent, receiptOf(state)).map(({ least }) => least.negated()),
    ),
  );
}

/** Whether just that differs, in the assets of `missing`: where one of them cancels out, nothing may differ. */
export function areMissing(missing: readonly Money[], differences: readonly Money[]): boolean {
  return missing.every((one) => {
    const difference = differences.find(({ asset }) => asset === one.asset);
    return difference === undefined ? one.isZero() : one.equals(difference);
  });
}

type WayOut = Pick<OwnMoney, "command" | "refusal" | "mayBeUndone">;

const WAIT =
  "wait until the balances show it (then pegbot status calls nothing frozen), and ask the venue if they do not (adopt only what never filled)";
const WAITED_FOR: WayOut = {
  command: WAIT,
  refusal: `the venue's history shows what filled, so its balances are behind, and taken over it would differ again when they are not: ${WAIT}`,
};

/** Balances that show later fills are not behind: this one may never come. */
function takenBack({ id }: Held): WayOut {
  const command = `ask the venue whether it has taken ${id} back (then pegbot adopt --beside ${id})`;
  const refusal = `the venue's history shows that it filled, and its balances show later ones: ${command}`;
  return { command, refusal, mayBeUndone: true };
}

function lateOf(missing: readonly Money[], fills: readonly Held[], wayOut: WayOut): Likeness {
  const lacking = missing.filter((one) => !one.isZero());
  const amounts = lacking.map((one) => `${one} ${one.asset}`);
  const ids = fills.map(({ id }) => id);
  const first = ids[0] as string;
  const whose = ids.length === 1 ? `order ${first}` : `the last ${ids.length} orders, from ${first} to ${ids.at(-1)}`;
  const text = `${amounts.join(", ")} is just what the books have of ${whose}, and the balances do not show it`;
  const back = {
    id: first,
    text,
    ...wayOut,
    assets: lacking.map(({ asset }) => asset),
    fills: fills.map(({ state }) => receiptOf(state)),
    // Balances that catch up show one fill more at a time, of one pair and of another: all of that is one stop.
    subject: `fills up to ${ids.at(-1)}`,
  };
  return { text, finding: `fill of ${ids.at(-1)}`, own: [back] };
}

function receiptOf(state: Held["state"]): Fill {
  return ("receipt" in state ? state.receipt : undefined) as Fill;
}
