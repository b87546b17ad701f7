// How the request of an operation ended, from its state in the books: for the one who waits for it, and for the one who
// asks again with the same id.

import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import { printable } from "../domain/sanitise.ts";
import { RUN } from "../execution/remediation.ts";
import type { AnyReceipt, MoneyRequest, State } from "../execution/request.ts";
import { type Asking, type Ended, stopBy, type Trader } from "./money.ts";

export type Rest = { readonly name: string; readonly code: ExitCode; readonly text: string };

export type Following = {
  /** The word for an accepted request, and its receipt in words. */
  readonly taken: "accepted" | "filled";
  readonly accepted: (receipt: AnyReceipt) => string;
  /** How a completed request rests at the venue; undefined while it is in progress. */
  readonly restOf: (receipt: AnyReceipt, state: State<unknown>["kind"]) => Rest | undefined;
  /** Goes on after the answer until the request rests. */
  readonly wait: boolean;
  /** Waits so long for the rest; then it ends as `left`. */
  readonly withinMs?: number | undefined;
  readonly left?: Rest;
};

const LEFT: Rest = { name: "open", code: exitCode.unknown, text: "on its way; the owner of the key keeps checking" };

/** Resolves when the request is answered and, with `wait`, rests. */
export async function requestEnd(trader: Trader, id: string, following: Following, asking: Asking): Promise<Ended> {
  const answered = await trader.until(() => answerOf(trader, id, following), asking.gone);
  if (answered === undefined) return { exit: exitCode.unknown, id, outcome: "open", text: LEFT.text };
  // Forgotten: nothing is left to wait for.
  if (trader.core().executor.get(id) === undefined) return answered;
  const isOpen = answered.exit === exitCode.done || answered.exit === exitCode.unknown;
  if (!following.wait || !isOpen || (following.taken === "filled" && answered.exit === exitCode.unknown))
    return answered;
  if (following.taken === "accepted") asking.tell(`${answered.outcome}  ${id}  ${answered.text}`);
  let last: string | undefined;
  const rested = (): Rest | undefined => {
    const one = trader.core().executor.get(id);
    if (one === undefined) return LEFT;
    const stage = stageOf(one);
    if (stage !== last) asking.tell(`${id}: ${stage}`);
    last = stage;
    return restingPlace(one, following);
  };
  const late = new AbortController();
  const { withinMs } = following;
  const cancel = withinMs === undefined ? () => undefined : trader.timers.after(withinMs, () => late.abort());
  const rest = await trader.until(rested, AbortSignal.any([asking.gone, late.signal]));
  cancel();
  const { name, code, text } = rest ?? following.left ?? LEFT;
  const standing = trader.standing();
  if (standing.state !== "ACTIVE") asking.tell(`${standing.state}: ${standing.reason}; way out: ${standing.wayOut}`);
  return { exit: code, id, outcome: name, text };
}

/** Undefined until the venue has answered. */
function answerOf(trader: Trader, id: string, { taken, accepted }: Following): Ended | undefined {
  const found = trader.core().executor.get(id);
  if (found === undefined) {
    const text = "more than a thousand orders ago: pegbot journal list shows its outcome";
    const past = trader.core().executor.pastOf(id);
    const exit = { filled: exitCode.done, "given-up": exitCode.failed, unknown: exitCode.unknown }[past];
    return { exit, id, outcome: past === "filled" ? taken : past, text };
  }
  const { state } = found;
  const end = (exit: ExitCode, outcome: string, text: string): Ended => ({ exit, id, outcome, text });
  switch (state.kind) {
    case "intended":
    case "sending":
      return undefined;
    case "accepted":
    case "confirmed":
    case "settled":
    case "late":
      return end(exitCode.done, taken, accepted(state.receipt));
    case "rejected": {
      const { venueCode, message } = state;
      const isNamed = venueCode === undefined || message.includes(venueCode);
      const said = isNamed ? message : `${venueCode}: ${message}`;
      return end(exitCode.refused, "rejected", `by the venue: ${printable(said)}; nothing was spent`);
    }
    case "not-sent":
      return end(codeOfUnsent(state.code, stopBy(trader.standing())), "not sent", textOfUnsent(state));
    case "released":
      return end(exitCode.failed, "did not happen", printable(state.reason));
    case "unknown":
      return end(
        exitCode.unknown,
        "unknown",
        `money may have moved (${state.code}), and it is not sent again. Do not repeat it: a running bot resolves it, start one with ${RUN}; pegbot status shows how far it is`,
      );
  }
}

/** `outdated` comes from the gate's last check, `refused` from the kill switch; all others failed before the first byte. */
export function codeOfUnsent(code: string, stopped: unknown): ExitCode {
  if (stopped !== undefined) return exitCode.halted;
  return code === "outdated" || code === "refused" ? exitCode.refused : exitCode.failed;
}

/** Why nothing was sent, and the next step if it was not refused. */
export function textOfUnsent({ code, reason }: { readonly code: string; readonly reason: string }): string {
  const why = printable(reason, 500);
  if (code === "late") return `${why}; try again`;
  const isPast = code === "dropped" && reason.startsWith("past-deadline: ");
  return isPast ? `${why}: other requests of the key went first; nothing was sent, try again` : why;
}

function stageOf({ state }: MoneyRequest): string {
  if (!("receipt" in state)) return state.kind;
  const { status, reason } = state.receipt as { readonly status?: string; readonly reason?: string };
  const said = status === undefined ? "" : `, the venue says ${printable(status, 40)}`;
  return `${state.kind}${said}${reason === undefined ? "" : ` (${printable(reason, 200)})`}`;
}

function restingPlace({ kind, id, state }: MoneyRequest, { restOf }: Pick<Following, "restOf">): Rest | undefined {
  switch (state.kind) {
    case "confirmed":
    case "late":
    case "settled":
      return restOf(state.receipt, state.kind);
    case "rejected":
      return { name: "rejected", code: exitCode.refused, text: printable(state.message) };
    case "not-sent":
    case "released":
      return { name: "did not happen", code: exitCode.failed, text: printable(state.reason) };
    case "unknown": {
      if (state.escalated === undefined) return undefined;
      const question = `look at the venue's portal: is this ${kind} there? pegbot resolve ${id} --landed|--not-landed --reason "..."`;
      return { name: "unknown", code: exitCode.unknown, text: question };
    }
    default:
      return undefined;
  }
}

/** The venue holds it back, and a person must follow up. */
export function heldRest(what: string, reason: string | undefined): Rest {
  const why = printable(reason ?? "the venue gives no reason", 300);
  const text = `${why}. Write to the venue's support about ${what}; a running bot keeps checking`;
  return { name: "held", code: exitCode.unknown, text };
}
