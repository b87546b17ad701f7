// What a submission ties up. As long as it may happen it counts both ways: spendable money as if it did, sellable
// inventory as if it did not. A doubt freezes its assets; two, or an old one, freeze everything.

import type { Asset } from "../domain/asset.ts";
import { unreachable } from "../domain/invariant.ts";
import { durationText } from "../domain/time-text.ts";
import type { MovementWish } from "../risk/movement-gate.ts";
import type { Moment, State, Submission } from "./submission.ts";
import { KIND_RULES, type Terms } from "./terms.ts";
import { ageMs } from "./watch.ts";

/** `both-ways` while it may happen, `booked` once it is in the ledger, `freed` when it is known or ruled not to happen. */
export type Reservation = "both-ways" | "booked" | "freed";

export function reservationOf({ kind }: Pick<State<unknown>, "kind">): Reservation {
  switch (kind) {
    case "intended":
    case "sending":
    case "doubt":
    case "fenced":
    case "escalated":
      return "both-ways";
    case "accepted":
    case "confirmed":
    case "settled":
    case "zombie":
      return "booked";
    case "rejected":
    case "not-sent":
    case "presumed-dead":
      return "freed";
    default:
      return unreachable(kind);
  }
}

export type Freeze =
  | { readonly kind: "none" }
  | { readonly kind: "assets"; readonly assets: readonly Asset[]; readonly reason: string }
  | { readonly kind: "everything"; readonly reason: string };

const DOUBTS_MAX = 1;

export function freezeOf(submissions: Iterable<Submission>, now: Moment, terms: Terms): Freeze {
  const { escalateAfterMs } = terms;
  const doubts: Submission[] = [];
  for (const submission of submissions) {
    const { kind, id, state } = submission;
    // A rail is a registration: whether it is there or not, no money of ours has moved.
    if (kind === "rail") continue;
    if (state.kind !== "doubt" && state.kind !== "fenced" && state.kind !== "escalated") continue;
    if (ageMs(state.doubt.watch, now) >= escalateAfterMs)
      return {
        kind: "everything",
        reason: `the outcome of ${id} is unknown for ${durationText(escalateAfterMs)} or more`,
      };
    doubts.push(submission);
  }
  const [first] = doubts;
  if (first === undefined) return { kind: "none" };
  if (doubts.length > DOUBTS_MAX)
    return { kind: "everything", reason: `open doubts are ${doubts.length}, limit is ${DOUBTS_MAX}` };
  const reason = `the outcome of ${first.id} is unknown${awaited(first, terms)}; more than ${DOUBTS_MAX} order or mint in doubt, or one for ${durationText(escalateAfterMs)}, freezes everything`;
  return { kind: "assets", assets: first.assets, reason };
}

/** Why nothing of these assets may leave now; without any, why nothing at all may. */
export function frozenBy(freeze: Freeze, one?: Asset, other?: Asset): string | undefined {
  if (freeze.kind === "none") return undefined;
  if (freeze.kind === "everything") return freeze.reason;
  const { assets, reason } = freeze;
  return (one !== undefined && assets.includes(one)) || (other !== undefined && assets.includes(other))
    ? reason
    : undefined;
}

/** A rail moves none of its assets by itself. */
export function movementFrozenBy(freeze: Freeze, wish: MovementWish): string | undefined {
  return wish.kind === "mint" ? frozenBy(freeze, wish.mint.asset, wish.mint.spentMax.asset) : frozenBy(freeze);
}

/** What it waits for, where all has been said that the venue can say, and for long enough. A mint is freed by a person alone. */
function awaited({ kind, state }: Submission, { negatives, windowMs, awaitsEquity }: Terms): string {
  if (state.kind !== "fenced" || state.negatives < negatives || awaitsEquity !== true) return "";
  const { askedAt } = state.doubt.watch;
  const isFinal = askedAt !== undefined && askedAt - state.fence.at >= windowMs;
  if (!isFinal || !KIND_RULES[kind].presumesDeath) return "";
  return ` (the venue knows nothing of it in ${state.negatives} rounds; it is freed when equity can be told, which prices are missing for)`;
}
