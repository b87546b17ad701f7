// How the state of an order reads to the engine, whose accounts and limits are folded from reports.

import type { OrderReport } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import type { Submission } from "./submission.ts";

/** Undefined for an order that the engine itself has just approved. */
export function orderReportOf({ state }: Submission<"order">): OrderReport | undefined {
  switch (state.kind) {
    case "intended":
      return undefined;
    case "sending":
      return { kind: "sending" };
    case "not-sent":
      return { kind: "not-sent", reason: state.reason };
    case "rejected":
      return { kind: "rejected", code: state.code, message: state.message };
    case "accepted":
      return { kind: "filled", fill: state.receipt, confirmed: false };
    case "confirmed":
    case "settled":
    case "zombie":
      return { kind: "filled", fill: state.receipt, confirmed: true };
    case "doubt":
    case "fenced":
      return { kind: "doubt", cause: state.doubt.cause };
    case "escalated":
      return { kind: "escalated", reason: state.reason };
    case "presumed-dead":
      return { kind: "dead", reason: state.reason };
    default:
      return unreachable(state);
  }
}
