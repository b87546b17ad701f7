// How a step of a plan has ended, by what became of its submission.

import type { MoneyRequest } from "../../execution/request.ts";
import { whyNotWorking } from "./rail-draft.ts";

/** `moved`: it has, or may have. `isStop`: not for anything of its own, the bot is stopped. */
export type Failed = { readonly why: string; readonly moved: boolean; readonly isStop?: true };
export type End = "waits" | "done" | Failed;

/** A doubt ends a plan: what follows may rest on it. */
export function endOf(submission: MoneyRequest): End {
  const { id, kind, state } = submission;
  switch (state.kind) {
    case "intended":
    case "sending":
      return "waits";
    case "accepted":
    case "confirmed":
    case "settled":
    case "late": {
      const why = kind === "rail" ? whyNotWorking(submission as MoneyRequest<"rail">) : "";
      return why === "" ? "done" : { why, moved: false };
    }
    case "rejected":
      return { why: `${id} was rejected: ${state.message}`, moved: false };
    case "not-sent":
      return { why: `${id} was not sent: ${state.reason}`, moved: false };
    default:
      return { why: `what became of ${id} is unknown (${state.kind}), money may have moved`, moved: true };
  }
}
