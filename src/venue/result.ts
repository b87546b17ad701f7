// A request as the caller sees it: its state in the journal, as a result of the call.

import { unreachable } from "../domain/invariant.ts";
import type { MintRecord } from "../domain/mint.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail } from "../domain/rail.ts";
import { resolveCommand } from "../execution/remediation.ts";
import { type AnyReceipt, isEscalated, type MoneyRequest, type State } from "../execution/request.ts";
import { AGAIN } from "./account.ts";
import type { Filled, Minted, MoneyResult, Registered } from "./contract.ts";

const SETTLE = "await venue.settle(sent): it asks the histories, and sends nothing again";

export function resultOf(one: MoneyRequest, broken: string | undefined): MoneyResult {
  const { id, state } = one;
  switch (state.kind) {
    case "intended":
    case "sending": {
      const message = broken ?? "the call was given up, and its answer has not come";
      const [code, next] = broken === undefined ? ["detached", SETTLE] : ["failed", AGAIN];
      return { kind: "unknown", id, failure: { code, message, next } };
    }
    case "unknown": {
      const { code, cause, escalated } = state;
      if (escalated === undefined) return { kind: "unknown", id, failure: { code, message: cause, next: SETTLE } };
      return { kind: "unknown", id, failure: { code: "escalated", message: escalated, next: resolveCommand(one) } };
    }
    case "rejected": {
      const { kind: _, ...failure } = state;
      return { kind: "rejected", id, failure };
    }
    case "released":
      return { kind: "rejected", id, failure: { code: "released", message: state.reason } };
    case "not-sent": {
      const code = state.reason.startsWith("aborted") ? "aborted" : state.code;
      return { kind: "not-sent", id, failure: { code, message: state.reason } };
    }
    case "accepted":
    case "confirmed":
    case "settled":
    case "late":
      return happened(one, state.kind, state.receipt);
    default:
      return unreachable(state);
  }
}

function happened(
  { kind, id }: MoneyRequest,
  state: State<unknown>["kind"],
  receipt: AnyReceipt,
): Filled | Minted | Registered {
  if (kind === "order") return { kind: "filled", id, fill: receipt as Fill, isConfirmed: state !== "accepted" };
  if (kind === "rail") return { kind: "registered", id, rail: receipt as Rail };
  return { kind: "minted", id, mint: receipt as MintRecord, isSettled: state === "settled" };
}

/** Nothing more is to be learnt by asking: it is certain, or a person must decide. A mint is followed until it has arrived. */
export function isOver({ kind, state }: MoneyRequest): boolean {
  switch (state.kind) {
    case "intended":
    case "sending":
      return false;
    case "unknown":
      return isEscalated(state);
    case "accepted":
      return state.isOverdue;
    case "confirmed":
    case "late":
      return kind !== "mint";
    default:
      return true;
  }
}
