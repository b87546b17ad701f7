// A mint that has settled on one side only: by the list and not by the balances, or the other way round. Both are needed; what
// stays so for a day is asked of a person, and nothing is booked early.

import type { Balance } from "../domain/balance.ts";
import { hasSettled, type MintRecord } from "../domain/mint.ts";
import { type MovementReport, SHOWN, UNSHOWN } from "../domain/movement.ts";
import type { Millis } from "../domain/time.ts";
import type { Held } from "./kept/held.ts";
import { touches } from "./mint-cost.ts";
import type { Submission } from "./submission.ts";
import type { Totals } from "./totals.ts";

/** After so long a person is asked. */
export const ONE_SIDED_MS_MAX = 86_400_000;

/**
 * What a person is to be asked now. `held` keeps since when the mint has been one-sided, and that a person was asked. The record has since
 * when the list calls it settled. That the balances show it, or no longer do, is reported, so that a restart goes on counting.
 */
export function oneSided(
  held: Held,
  { landed, unsure }: Totals,
  balances: readonly Balance[],
  now: Millis,
): Extract<MovementReport, { kind: "told" | "escalated" }> | undefined {
  const { id, request, state } = held as Submission as Submission<"mint">;
  if (state.kind !== "confirmed" && state.kind !== "zombie") return undefined;
  const { asset, quantity, destination } = request;
  // Whether the balances show it is not known then: what was known of it before stands.
  if (unsure.includes(asset)) return undefined;
  const isListed = hasSettled(state.receipt as MintRecord);
  const pending = balances.find((one) => one.asset === asset)?.pending;
  const isCounted = landed.some((one) => one.id === id && touches(one, asset));
  const isShown = isCounted && pending?.lessThan(quantity.of(asset)) === true;
  const { status } = state.receipt;
  if (isListed === isShown || destination !== undefined) {
    // Only the balances had shown it, never the list, and now they do not.
    const isGone = held.oneSidedAt !== undefined && held.listedAt === undefined && !isShown;
    held.oneSidedAt = undefined;
    return isGone && status !== undefined ? { kind: "told", status, reason: UNSHOWN } : undefined;
  }
  const isNews = held.oneSidedAt === undefined && !isListed && status !== undefined;
  held.oneSidedAt ??= (isListed ? held.listedAt : undefined) ?? now;
  if (isNews) return { kind: "told", status, reason: SHOWN };
  if (held.isAsked || now - held.oneSidedAt < ONE_SIDED_MS_MAX) return undefined;
  held.isAsked = true;
  const venue = `the venue's support, about request ${(state.receipt as MintRecord).requestId}`;
  return isListed
    ? {
        kind: "escalated",
        reason: `the venue has listed ${id} as settled for a day, and its balances do not show the coins`,
        wayOut: `${venue}; if it gave the money back: pegbot resolve ${id} --not-landed --reason "..."; if its coins will not come, or were taken over with something else: pegbot adopt`,
      }
    : {
        kind: "escalated",
        reason: `the venue's balances have shown the coins of ${id} for a day, and its list says ${status ?? "nothing"}`,
        wayOut: `${venue}; they can be spent when its list says that they have settled`,
      };
}
