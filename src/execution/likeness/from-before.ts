// Balances from before a mint or a payment left. They also lack what filled since then, so that no single difference is just what it
// took: only the sum of all that happened since is.

import type { MintRecord } from "../../domain/mint.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Held } from "../kept/held.ts";
import type { Payments } from "../payment/payments.ts";
import { areMissing, missingOf } from "./late-fills.ts";
import { type Likeness, summed } from "./likeness.ts";

/** `at`: when it left. */
export type Departed = { readonly id: string; readonly spent: Money; readonly at: Millis };

export function departedMints(mints: readonly Held[]): readonly Departed[] {
  return mints.flatMap(({ id, state, movement, bookedAt: at }) => {
    const spent = "receipt" in state ? (state.receipt as MintRecord).spent : undefined;
    return movement?.stage === "departed" && spent !== undefined && at !== undefined ? [{ id, spent, at }] : [];
  });
}

export function departedPayments(payments: Pick<Payments, "open">): readonly Departed[] {
  const gone = payments.open().filter(({ spent }) => !spent.isZero());
  return gone.map(({ id, spent, since: at }) => ({ id, spent, at }));
}

/** Balances may be from a little earlier than the departure: so many fills before it are tried as missing, too. */
const EARLIER_MAX = 20;

export function fromBefore(
  differences: readonly Money[],
  fills: readonly Held[],
  departed: readonly Departed[],
): readonly Likeness[] {
  for (const { at } of departed) {
    const left = departed.filter((one) => one.at >= at);
    const since = fills.filter(({ bookedAt = 0 }) => bookedAt >= at).length;
    for (let count = since; count <= Math.min(fills.length, since + EARLIER_MAX); count++) {
      const late = fills.slice(0, count);
      const missing = summed([...left.map(({ spent }) => spent), ...missingOf(late)]);
      // One alone is recognised by its amount.
      if (left.length + count > 1 && areMissing(missing, differences)) return [beforeOf(missing, left, late)];
    }
  }
  return [];
}

const UNTIL_ALL_SHOWN =
  "wait until they show all of it (then pegbot status calls nothing frozen), and ask the venue if they do not";

function beforeOf(missing: readonly Money[], left: readonly Departed[], fills: readonly Held[]): Likeness {
  const [first] = left as readonly [Departed];
  const lacking = missing.filter((one) => !one.isZero());
  const amounts = lacking.map((one) => `${one} ${one.asset}`).join(", ");
  const orders =
    fills.length === 0 ? "" : ` and of the last ${fills.length === 1 ? "order" : `${fills.length} orders`}`;
  const text = `${amounts} is just what the books have of ${left.map(({ id }) => id).join(", ")}${orders}`;
  const refusal = `the balances may be from before ${first.id} left: ${UNTIL_ALL_SHOWN}`;
  const finding = `cost of ${first.id}`;
  // The same stop, whether or not what filled since is still missing as well.
  const assets = lacking.map(({ asset }) => asset);
  const back = { id: first.id, text, command: UNTIL_ALL_SHOWN, refusal, assets, subject: finding };
  return { text: `${text}, and ${refusal}`, finding, own: [back] };
}
