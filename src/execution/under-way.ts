// Which mints and rails are under way, and what that forbids: one mint of a coin at a time, because a second could not be told
// from the first; one rail of the same content, because it has no other name.

import type { Asset } from "../domain/asset.ts";
import { hasSettled, type MadeMint, type MintIntent, type MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import { isRejected, type RailRequest } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import type { MovementWish } from "../risk/movement-gate.ts";
import type { Held } from "./kept/held.ts";
import { reservationOf } from "./reservation.ts";
import type { Submission } from "./submission.ts";

export function movementRefusal(wish: MovementWish, open: Iterable<Held>): string | undefined {
  for (const submission of open) {
    const { id, kind, state } = submission;
    if (wish.kind === "mint" && kind === "mint") {
      const { asset } = (submission as Submission as Submission<"mint">).request;
      if (asset === wish.mint.asset)
        return `one mint of ${asset} at a time: ${id} is ${state.kind}; pegbot supply ${asset} shows how far it is`;
    } else if (wish.kind === "rail" && kind === "rail") {
      const rail = submission as Submission as Submission<"rail">;
      if (!isSameRail(rail.request, wish.rail) || isOver(rail)) continue;
      // Two of the same content that may both be new in the list could not be told apart.
      if (!("receipt" in state)) return `a rail of the same content is under way: ${id} is ${state.kind}`;
      if (!wish.isAnother)
        return `a rail of the same content is there: ${id} is ${state.kind}; --another registers a second one`;
    }
  }
  return undefined;
}

/** Mints that were intended since then, and happened or may have. */
export function mintsSince(at: Millis, all: Iterable<Held>): readonly MadeMint[] {
  const mints: MadeMint[] = [];
  for (const { kind, request, state, intendedAt } of all)
    if (kind === "mint" && intendedAt >= at && reservationOf(state) !== "freed")
      mints.push({ ...(request as MintIntent), intendedAt });
  return mints;
}

/** Coins of a mint. `isSettled`: by the list, which says so before they are booked; `listedAt`: since when. */
export type Flying = {
  readonly coins: Money;
  readonly isSettled: boolean;
  readonly listedAt: Millis | undefined;
};

export function coinsInFlight(asset: Asset, open: Iterable<Held>): readonly Flying[] {
  const coins: Flying[] = [];
  for (const submission of open) {
    if (submission.kind !== "mint" || reservationOf(submission.state) !== "booked") continue;
    const { asset: coin, quantity, destination } = submission.request as MintIntent;
    if (coin !== asset || destination !== undefined) continue;
    const isSettled = "receipt" in submission.state && hasSettled(submission.state.receipt as MintRecord);
    coins.push({ coins: quantity.of(coin), isSettled, listedAt: submission.listedAt });
  }
  return coins;
}

/** One of just this content that is there and not refused. */
export function standingRail(rail: RailRequest, open: Iterable<Held>): Submission<"rail"> | undefined {
  for (const submission of open) {
    const one = submission as Submission as Submission<"rail">;
    if (one.kind === "rail" && "receipt" in one.state && isSameRail(one.request, rail) && !isOver(one)) return one;
  }
  return undefined;
}

/** One of whatever content is there: payments on it move money. */
export function standsAny(all: Iterable<Held>): boolean {
  for (const { kind, state } of all) if (kind === "rail" && "receipt" in state) return true;
  return false;
}

/** Why the venue has refused one of just this content: it would say the same again. */
export function refusedRail(rail: RailRequest, all: Iterable<Held>): string | undefined {
  let reason: string | undefined;
  for (const submission of all) {
    const one = submission as Submission as Submission<"rail">;
    if (one.kind !== "rail" || !isSameRail(one.request, rail)) continue;
    if (one.state.kind === "rejected") reason = one.state.message;
    else if ("receipt" in one.state) reason = isOver(one) ? (one.state.receipt.reason ?? "rejected") : undefined;
  }
  return reason;
}

/** In every field that is sent. */
export function isSameRail(one: RailRequest, other: RailRequest): boolean {
  return contentOf(one) === contentOf(other);
}

/** Every field that is sent, in one order. */
function contentOf(rail: RailRequest): string {
  const { type, sender, destination, memo, asset, currency, blockchain } = rail;
  const { name, country, type: partyType } = sender;
  return JSON.stringify([type, name, country, partyType, destination, memo ?? null, asset, currency, blockchain]);
}

function isOver({ state }: Submission<"rail">): boolean {
  return "receipt" in state && isRejected(state.receipt);
}
