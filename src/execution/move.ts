// The few ways in which a submission moves from state to state, with what must come along.

import type { MintRecord } from "../domain/mint.ts";
import { legsText } from "../domain/order.ts";
import type { Millis } from "../domain/time.ts";
import type { Nonce } from "../exchange/port.ts";
import { mergedReceipt, receiptDifference } from "./receipt.ts";
import type {
  AnyReceipt,
  Conflict,
  Disagreement,
  Hand,
  MoneyKind,
  NamedHalt,
  Receipts,
  State,
  Submission,
  Watch,
} from "./submission.ts";
import { KIND_RULES } from "./terms.ts";

export function opened(
  { nonce, code, message }: { readonly nonce: Nonce; readonly code: string; readonly message: string },
  watch: Watch,
): State<never> {
  const light = code === "rate-limited";
  return { kind: "doubt", doubt: { nonce, code, cause: message, light, watch } };
}

export function escalated<K extends MoneyKind>(
  submission: Submission<K>,
  reason: string,
  hand: Pick<Hand<Receipts[K]>, "escalate">,
): State<Receipts[K]> {
  const { state } = submission;
  if (state.kind !== "doubt" && state.kind !== "fenced") return state;
  const fence = state.kind === "fenced" ? state.fence : undefined;
  hand.escalate(reason, resolveCommand(submission));
  return { kind: "escalated", doubt: state.doubt, fence, reason };
}

/** Two witnesses that contradict each other never average out: everything stops, and a person sees both. */
export function contradicted<K extends MoneyKind>(
  submission: Submission<K>,
  { reason, cause, shows }: Disagreement,
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const state = escalated(submission, reason, hand);
  const { id } = submission;
  const why = { cause, subject: `evidence of ${id}: ${shows}`, reason: `${id}: ${reason}` };
  halt({ ...submission, state }, why, hand);
  return state;
}

/** History shows it, or a person with the venue's record does: booked if it was not, and a late one stops everything. */
export function confirmed<K extends MoneyKind>(
  submission: Submission<K>,
  receipt: Receipts[K],
  hand: Hand<Receipts[K]>,
): State<Receipts[K]> {
  const { kind, id, state } = submission;
  switch (state.kind) {
    case "intended":
      halt(submission, { ...unsent(id), reason: `the venue shows ${id}, which was never sent` }, hand);
      return state;
    case "sending":
      // The answer is still to come; history will be asked again.
      return state;
    case "doubt":
    case "fenced":
    case "escalated":
      hand.book(receipt);
      return { kind: "confirmed", receipt };
    case "rejected":
    case "not-sent":
    case "presumed-dead":
      hand.book(receipt);
      halt(
        submission,
        {
          ...late(id),
          finding: "booked",
          reason: `${id} happened after it had been given up (${state.kind})${filledText(receipt)}; ${bookedText(kind, receipt)}`,
        },
        hand,
      );
      return { kind: "zombie", receipt };
    default: {
      const difference = receiptDifference(kind, state.receipt, receipt);
      if (difference !== undefined) {
        const reason = `${id} contradicts itself: ${difference}`;
        // Of an order a further trade is one more.
        const trade = "tradeId" in receipt && receipt.tradeId !== undefined ? `: trade ${receipt.tradeId}` : "";
        halt(submission, { cause: "contradiction", subject: `receipt of ${id}${trade}`, reason }, hand);
        return state;
      }
      // A person has closed it: what the list calls it afterwards changes nothing.
      if (state.kind === "settled" && state.isGivenBack) return state;
      // The trade that confirms an order has its id; a list of mints lacks what their answers said.
      const known = kind === "order" ? receipt : mergedReceipt(kind, state.receipt, receipt);
      if (state.kind === "accepted") {
        hand.confirm(known);
        return { kind: "confirmed", receipt: known };
      }
      // What it is called meanwhile may have changed; an order is what it was.
      return kind === "order" || known === state.receipt ? state : { ...state, receipt: known };
    }
  }
}

/**
 * A person says that what the venue answered as done is not there: it gave a mint's money back, which is over and stays known
 * as ours by its entry in the list; a rail, which never moved any, was given up.
 */
export function returned<K extends MoneyKind>(
  { kind, state }: Submission<K>,
  { reason, by, at }: { readonly reason: string; readonly by: string; readonly at: Millis },
): State<Receipts[K]> {
  if (!("receipt" in state) || state.kind === "settled") return state;
  if (kind === "rail") return { kind: "presumed-dead", at, by, reason };
  if (kind !== "mint") return state;
  return { kind: "settled", receipt: { ...state.receipt, status: "returned", reason }, isGivenBack: true };
}

export function halt(submission: Submission, why: Conflict, hand: Pick<Hand<never>, "halt">): void {
  hand.halt({ ...why, wayOut: askedFirst(why.cause, `${firstStep(submission)}, then pegbot resume --reason "..."`) });
}

/** Whoever else has the key goes on with it, beside a bot that was resumed. */
export const WAS_IT_YOU = "was it you? If not, revoke the key in the venue's portal first";

/** The steps out of a stop, and before those out of one by a stranger what only a person can know. */
export function askedFirst(cause: Conflict["cause"] | undefined, steps: string): string {
  return cause === "foreign" ? `${WAS_IT_YOU}; then ${steps}` : steps;
}

function filledText(receipt: AnyReceipt): string {
  return "bought" in receipt ? `: ${legsText(receipt)}` : "";
}

/** The list of mints does not say what they cost, and a rail moves no money. */
function bookedText(kind: MoneyKind, receipt: AnyReceipt): string {
  if (kind === "rail") return "the rail stands at the venue";
  const isUncosted = kind === "mint" && (receipt as MintRecord).spent === undefined;
  return isUncosted ? "what it cost is booked when the balances show it" : "it is booked";
}

/** Found by a trade, by the list of orders and by the books, each in its words. */
export function late(id: string): Pick<NamedHalt, "cause" | "subject"> {
  return { cause: "late_fill", subject: `late ${id}` };
}

/** Of what the venue has and was not sent. */
export function unsent(id: string): Pick<NamedHalt, "cause" | "subject"> {
  return { cause: "foreign", subject: `unsent ${id}` };
}

/** What leads out of a stop about it, before `resume`. */
export function firstStep(submission: Submission): string {
  const { kind, id, state } = submission;
  switch (state.kind) {
    case "sending":
    case "doubt":
    case "fenced":
      // Evidence may decide first, and then there is nothing left for a person to close.
      return `wait until pegbot status shows ${id} as in doubt no more (if it asks a person: ${resolveCommand(submission)})`;
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

export function resolveCommand({ kind, id }: Pick<Submission, "kind" | "id">): string {
  return `pegbot resolve ${id} ${KIND_RULES[kind].answers} --reason "..."`;
}
