// The last decisions and their outcomes, from steps: newest first; a repeated refusal is one line until the next order.

import type { OrderReport } from "../../domain/event.ts";
import type { Decision, Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { DecisionOutcome, ShownDecision } from "../status.ts";

const KEPT_MAX = 100;

export interface DecisionList {
  take(step: Step): void;
  readonly newestFirst: readonly ShownDecision[];
}

export function createDecisionList(): DecisionList {
  let shown: ShownDecision[] = [];

  function decided(decision: Decision, at: Millis): void {
    const next = shownDecision(decision, at);
    const before = next.outcome === "refused" ? sameSinceLastOrder(next) : undefined;
    shown =
      before === undefined
        ? [next, ...shown].slice(0, KEPT_MAX)
        : [{ ...next, times: before.times + 1 }, ...shown.filter((one) => one !== before)];
  }

  /** Refusals of several pairs may alternate, so all lines since the last order are compared. */
  function sameSinceLastOrder(refusal: ShownDecision): ShownDecision | undefined {
    for (const one of shown) {
      if (one.outcome !== "refused") return undefined;
      if (isSameRefusal(one, refusal)) return one;
    }
    return undefined;
  }

  function reported(id: string, report: OrderReport): void {
    const news = outcomeOf(report);
    const place = shown.findIndex((one) => one.clientOrderId === id);
    const known = shown[place];
    if (known !== undefined) shown = shown.with(place, { ...known, ...cleared(known, report), ...news });
  }

  function take({ event, decisions, at }: Step): void {
    for (const decision of decisions) decided(decision, at);
    if (event.kind === "report") reported(event.clientOrderId, event.report);
  }

  return {
    take,
    get newestFirst() {
      return shown;
    },
  };
}

function shownDecision({ proposal, verdict }: Decision, at: Millis): ShownDecision {
  if (verdict.kind === "approved") {
    const { clientOrderId, symbol, side, quantity, limit, reason } = verdict.intent;
    const note = verdict.capped.map(({ rule, message }) => `capped by ${rule}: ${message}`).join("; ");
    const order = { clientOrderId, symbol, side, size: String(quantity), limit: String(limit), reason };
    return { at, ...order, outcome: "approved", note, times: 1 };
  }
  const { rule, message } = verdict.refusal;
  const { symbol = "", side = "", size = "", limit = "", reason = "" } = proposal ?? {};
  const asked = { clientOrderId: undefined, symbol, side, size: String(size), limit: limitText(limit), reason };
  return { at, ...asked, outcome: "refused", note: `${rule}: ${message}`, times: 1 };
}

/** Rounded as in the conversion to an exact price: further digits are noise of the arithmetic. */
function limitText(limit: number | string): string {
  return typeof limit === "number" ? String(Number(limit.toPrecision(12))) : limit;
}

function isSameRefusal(one: ShownDecision, other: ShownDecision): boolean {
  const ruleOf = ({ note }: ShownDecision): string => note.slice(0, note.indexOf(":"));
  return one.symbol === other.symbol && one.side === other.side && ruleOf(one) === ruleOf(other);
}

/** When an unknown outcome becomes a fill, the note about the doubt is cleared and the reason of the order is shown. */
function cleared({ outcome }: ShownDecision, { kind }: OrderReport): Partial<ShownDecision> {
  return kind === "filled" && (outcome === "doubt" || outcome === "escalated") ? { note: "" } : {};
}

function outcomeOf(report: OrderReport): { outcome: DecisionOutcome; note?: string } {
  switch (report.kind) {
    case "filled":
      return { outcome: report.confirmed ? "confirmed" : "filled" };
    case "rejected":
      return { outcome: "rejected", note: `${report.code}: ${report.message}` };
    case "not-sent":
      return { outcome: "not sent", note: report.reason };
    case "doubt":
      return { outcome: "doubt", note: report.cause };
    case "escalated":
    case "dead":
      return { outcome: report.kind, note: report.reason };
    case "sending":
      return { outcome: "sending" };
  }
}
