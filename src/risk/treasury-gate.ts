// The gate of mints and rails: the only maker of ApprovedMovement, and so the only way for one to reach the executor.
// Their limits are few and absolute: nothing is capped, because a person or an approval named the exact content.

import type { Asset } from "../domain/asset.ts";
import { fiatOf } from "../domain/coin.ts";
import type { Ids } from "../domain/ids.ts";
import { unreachable } from "../domain/invariant.ts";
import type { MadeMint, MintIntent } from "../domain/mint.ts";
import { Money, Quantity } from "../domain/money/money.ts";
import type { RailIntent } from "../domain/rail.ts";
import type { Refusal } from "../domain/step.ts";
import { DAY_MS, type Millis } from "../domain/time.ts";
import { roomFrom } from "./counters/recent.ts";
import type { Approved } from "./gate.ts";
import type { RiskContext } from "./rule.ts";
import type { MintLossRule } from "./rules/losses.ts";
import { refusalOf, reviewState, shown, stopped } from "./ruling.ts";

type Terms = {
  readonly decidedAt: Millis;
  /** Not sent after this time. */
  readonly expiresAt: Millis;
  /** The requester and the purpose, for the journal. */
  readonly reason: string;
};

export type MintWish = Terms & { readonly kind: "mint"; readonly mint: MintIntent };

export type RailWish = Terms & {
  readonly kind: "rail";
  readonly rail: RailIntent;
  /** A second one of the same content is intended. */
  readonly isAnother: boolean;
};

export type MovementWish = MintWish | RailWish;

declare const approved: unique symbol;
type Stamp = { readonly id: string; readonly [approved]: true };
export type ApprovedMint = MintWish & Stamp;
export type ApprovedRail = RailWish & Stamp;
/** A mint or a rail that passed the gate. The executor accepts nothing else. */
export type ApprovedMovement = ApprovedMint | ApprovedRail;

/** Any approved request that moves money. */
export type Approval = Approved | ApprovedMovement;

export function isOrder(approval: Approval): approval is Approved {
  return "clientOrderId" in approval;
}

export type MovementLimits = {
  /** The maximum of one mint, in units of its coin; undefined leaves only the balance as a bound. */
  readonly mintMax: ReadonlyMap<Asset, Quantity>;
  /** The maximum of all mints of a coin within 24 hours. */
  readonly mintPerDayMax: ReadonlyMap<Asset, Quantity>;
  readonly mintFeeBpsMax: number;
  /** The untouched part of the holding or the deposits, as for orders. */
  readonly reserveBps: number;
  /** The loss limits, with the mint at its worst. */
  readonly mintLosses: readonly MintLossRule[];
};

export type MovementVerdict =
  | { readonly kind: "approved"; readonly movement: ApprovedMovement }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export interface MovementGate {
  readonly limits: MovementLimits;
  /** Replaces the limits from the next mint or rail on. */
  replace(limits: MovementLimits): void;
  /** `recent`: mints of the last 24 hours that happened or may have. */
  review(wish: MovementWish, context: RiskContext, recent: readonly MadeMint[]): MovementVerdict;
  /** When its slot opens, and as the last check: undefined if it may leave. */
  recheck(wish: MovementWish, context: RiskContext, now: Millis): Refusal | undefined;
}

export function createMovementGate(first: MovementLimits, ids: Ids): MovementGate {
  let limits = first;
  function recheck(wish: MovementWish, { counters }: RiskContext, now: Millis): Refusal | undefined {
    const { tradingState } = counters;
    // REDUCED lets out only what reduces exposure: a mint never does, and a rail only serves further payments.
    if (tradingState.state === "REDUCED") return stopped("RM01", `no ${wish.kind}`, tradingState);
    const refusal = reviewState(tradingState);
    if (refusal !== undefined) return { ...refusal, limit: `no ${wish.kind}` };
    return now > wish.expiresAt
      ? refusalOf("RM02", "approval is past its end by", `${now - wish.expiresAt} ms`, "0 ms")
      : undefined;
  }

  function contentRefusal(wish: MovementWish, context: RiskContext, recent: readonly MadeMint[]) {
    switch (wish.kind) {
      case "mint":
        return mintRefusal(wish.mint, context, recent, limits);
      case "rail":
        return undefined;
      default:
        return unreachable(wish);
    }
  }

  return {
    get limits() {
      return limits;
    },
    replace(next) {
      limits = next;
    },
    recheck,
    review(wish, context, recent) {
      const refusal = recheck(wish, context, context.now) ?? contentRefusal(wish, context, recent);
      return refusal === undefined
        ? { kind: "approved", movement: { ...wish, id: ids.next() } as ApprovedMovement }
        : { kind: "refused", refusal };
    },
  };
}

function mintRefusal(
  { asset, quantity, spentMax, feeMax }: MintIntent,
  context: RiskContext,
  recent: readonly MadeMint[],
  { mintMax, mintPerDayMax, mintFeeBpsMax, reserveBps, mintLosses }: MovementLimits,
): Refusal | undefined {
  const found: Refusal[] = [];
  const most = mintMax.get(asset);
  if (most !== undefined && quantity.moreThan(most))
    found.push(refusalOf("RM03", `a mint of ${asset} is of`, quantity, most));
  const perDay = mintPerDayMax.get(asset);
  const others = recent.filter((one) => one.asset === asset);
  const before = sumOf(others);
  const day = before.plus(quantity);
  if (perDay !== undefined && day.moreThan(perDay)) {
    const what = `mints of ${asset} within 24 hours, ${before} before this one, come to`;
    found.push(refusalOf("RM04", what, day, `${perDay} (${roomText(others, perDay, quantity)})`));
  }
  const funding = spentMax.asset;
  const cost = funding === fiatOf(asset) ? quantity.of(funding) : spentMax;
  const fees = cost.share(mintFeeBpsMax, "up");
  if (feeMax.moreThan(fees)) found.push(refusalOf("RM05", "fee of the mint may be", feeMax, fees));
  const { accounts } = context;
  const available = accounts.spendable(funding);
  const held = accounts.held(funding);
  const reserve = held?.size().max(accounts.placed(funding)).share(reserveBps, "up");
  const room = reserve && available?.minus(reserve).max(Money.zero(funding));
  if (room === undefined) found.push(refusalOf("RM06", `spendable ${funding} is`, "unknown", spentMax));
  else if (spentMax.moreThan(room))
    found.push(
      refusalOf("RM06", "mint may spend", spentMax, `${shown(room, "down")} after a reserve of ${reserveBps} bp`),
    );
  const tied = { leaves: spentMax, comes: quantity.of(asset) };
  for (const rule of mintLosses) {
    const refusal = rule(tied, context);
    if (refusal !== undefined) found.push(refusal);
  }
  // A person who raises one limit should not meet the next one only then.
  const [first, ...more] = found;
  const also = more.map(({ rule, message }) => `; ${rule}: ${message}`).join("");
  return first && { ...first, message: `${first.message}${also}` };
}

function sumOf(mints: readonly MadeMint[]): Quantity {
  return mints.reduce((sum, one) => sum.plus(one.quantity), Quantity.zero);
}

/** When enough of the oldest mints have left the 24 hours for a mint of this size. */
function roomText(others: readonly MadeMint[], perDay: Quantity, quantity: Quantity): string {
  const newestFirst = others
    .toSorted((one, other) => other.intendedAt - one.intendedAt)
    .map((one) => ({ amount: one.quantity, leavesAt: one.intendedAt + DAY_MS + 1 }));
  const from = roomFrom(newestFirst, Quantity.zero, (before) => before.plus(quantity).atMost(perDay));
  return from === undefined ? "it is more than that by itself" : `there is room for it from ${from} on`;
}
