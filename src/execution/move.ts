// The few ways in which a submission moves from state to state, with what must come along.

import { RETURNED } from "../domain/mint.ts";
import type { Millis } from "../domain/time.ts";
import type { Nonce } from "../exchange/port.ts";
import { mergedReceipt, receiptDifference } from "./receipt.ts";
import type { Advance, Effect, MoneyKind, Receipts, State, Submission, Watch } from "./submission.ts";
import { KIND_RULES } from "./terms.ts";

export const free: { readonly kind: "free" } = { kind: "free" };

export function stay<K extends MoneyKind>(
  submission: Submission<K>,
  ...effects: readonly Effect<Receipts[K]>[]
): Advance<K> {
  return { submission, effects };
}

export function to<K extends MoneyKind>(
  submission: Submission<K>,
  state: State<Receipts[K]>,
  ...effects: readonly Effect<Receipts[K]>[]
): Advance<K> {
  const { kind, id, request, assets, value } = submission;
  return { submission: { kind, id, request, assets, value, state }, effects };
}

export function opened<K extends MoneyKind>(
  submission: Submission<K>,
  { nonce, code, message }: { readonly nonce: Nonce; readonly code: string; readonly message: string },
  watch: Watch,
): Advance<K> {
  const light = code === "rate-limited";
  return to(submission, { kind: "doubt", doubt: { nonce, code, cause: message, light, watch } });
}

export function escalated<K extends MoneyKind>(submission: Submission<K>, reason: string): Advance<K> {
  const { state } = submission;
  if (state.kind !== "doubt" && state.kind !== "fenced") return stay(submission);
  const fence = state.kind === "fenced" ? state.fence : undefined;
  return to(
    submission,
    { kind: "escalated", doubt: state.doubt, fence, reason },
    { kind: "escalate", reason, wayOut: resolveCommand(submission) },
  );
}

/** Two witnesses that contradict each other never average out: everything stops, and a person sees both. */
export function contradicted<K extends MoneyKind>(submission: Submission<K>, reason: string): Advance<K> {
  const { submission: next, effects } = escalated(submission, reason);
  return { submission: next, effects: [...effects, halt(next, `${submission.id}: ${reason}`)] };
}

/** History shows it, or a person with the venue's record does: booked if it was not, and a late one stops everything. */
export function confirmed<K extends MoneyKind>(submission: Submission<K>, receipt: Receipts[K]): Advance<K> {
  const { kind, id, state } = submission;
  switch (state.kind) {
    case "intended":
      return stay(submission, halt(submission, `the venue shows ${id}, which was never sent`));
    case "sending":
      // The answer is still to come; history will be asked again.
      return stay(submission);
    case "doubt":
    case "fenced":
    case "escalated":
      return to(submission, { kind: "confirmed", receipt }, { kind: "book", receipt });
    case "rejected":
    case "not-sent":
    case "presumed-dead": {
      const reason = `${id} happened after it had been given up (${state.kind}); it is booked`;
      return to(submission, { kind: "zombie", receipt }, { kind: "book", receipt }, halt(submission, reason));
    }
    default: {
      const difference = receiptDifference(kind, state.receipt, receipt);
      if (difference !== undefined)
        return stay(submission, halt(submission, `${id} contradicts itself: ${difference}`));
      const merged = mergedReceipt(kind, state.receipt, receipt);
      if (state.kind === "accepted") {
        // The trade that confirms an order has its id; a list of mints lacks what their answers said.
        const known = kind === "order" ? receipt : merged;
        return to(submission, { kind: "confirmed", receipt: known }, { kind: "confirm", receipt: known });
      }
      // What it is called meanwhile may have changed.
      return merged === state.receipt ? stay(submission) : to(submission, { ...state, receipt: merged });
    }
  }
}

/**
 * A person says that what the venue answered as done is not there: it gave a mint's money back, which is over and stays known
 * as ours by its entry in the list; a rail, which never moved any, was given up.
 */
export function returned<K extends MoneyKind>(
  submission: Submission<K>,
  { reason, by, at }: { readonly reason: string; readonly by: string; readonly at: Millis },
): Submission<K> {
  const { kind, state } = submission;
  if (!("receipt" in state) || state.kind === "settled") return submission;
  if (kind === "rail") return { ...submission, state: { kind: "presumed-dead", at, by, reason } };
  if (kind !== "mint") return submission;
  const receipt = { ...state.receipt, status: RETURNED, reason };
  return { ...submission, state: { kind: "settled", receipt } };
}

export function halt(submission: Submission, reason: string): Extract<Effect<never>, { kind: "halt" }> {
  return { kind: "halt", reason, wayOut: `${firstStep(submission)}, then pegbot resume --reason "..."` };
}

function firstStep(submission: Submission): string {
  const { kind, id, state } = submission;
  switch (state.kind) {
    case "sending":
    case "doubt":
    case "fenced":
    case "escalated":
      return resolveCommand(submission);
    case "accepted":
      // Nothing that the venue lists or pays could be taken over: a person asks the venue, and closes it or waits for it.
      return kind === "order"
        ? "pegbot adopt"
        : `pegbot resolve ${id} --not-landed --reason "..." if the venue knows nothing of it`;
    default:
      return "pegbot adopt";
  }
}

function resolveCommand({ kind, id }: Submission): string {
  return `pegbot resolve ${id} ${KIND_RULES[kind].answers} --reason "..."`;
}
