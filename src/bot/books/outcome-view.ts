// The ends of proposals as shown in views. Reports and decisions are stored as they are; their views are built on first
// read.

import type { OrderReport } from "../../domain/event.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Decision, OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { OutcomeView, ReportView } from "../../strategy/view.ts";
import { fillView, orderView } from "./account-view.ts";

const OUTCOMES_MAX = 32;

/** An order's report, or a refused proposal's decision, which has no intent. */
type Kept = {
  readonly intent: OrderIntent | undefined;
  readonly what: OrderReport | Decision;
  readonly at: Millis;
};

export class OutcomeViews {
  readonly #recent: Kept[] = [];
  #outcomes: readonly OutcomeView[] | undefined = undefined;

  /** Newest last. */
  get outcomes(): readonly OutcomeView[] {
    this.#outcomes ??= Object.freeze(this.#recent.flatMap((kept) => outcomeView(kept) ?? []));
    return this.#outcomes;
  }

  remember(intent: OrderIntent | undefined, what: OrderReport | Decision, at: Millis): void {
    this.#recent.push({ intent, what, at });
    if (this.#recent.length > OUTCOMES_MAX) this.#recent.shift();
    this.#outcomes = undefined;
  }
}

function outcomeView({ intent, what, at }: Kept): OutcomeView | undefined {
  if (intent === undefined) return refusalView(what as Decision, at);
  const view = reportView(what as OrderReport, intent, at);
  return view === undefined || isOpen(view) ? undefined : view;
}

function isOpen(view: ReportView): view is Extract<ReportView, { readonly kind: "doubt" | "escalated" }> {
  return view.kind === "doubt" || view.kind === "escalated";
}

function refusalView({ proposal, verdict }: Decision, at: Millis): OutcomeView | undefined {
  if (verdict.kind !== "refused") return undefined;
  const { rule, message: why } = verdict.refusal;
  return Object.freeze({ kind: "refused", proposal: proposal && Object.freeze({ ...proposal }), rule, why, at });
}

/** Undefined for a report that the order is only being sent. */
export function reportView(report: OrderReport, intent: OrderIntent, at: Millis): ReportView | undefined {
  const { kind } = report;
  switch (kind) {
    case "sending":
      return undefined;
    case "filled":
      return Object.freeze({ kind, order: orderView(intent), fill: fillView(report.fill, intent, at), at });
    case "rejected": {
      const { code, message: why } = report;
      return Object.freeze({ kind, order: orderView(intent), code, why, at });
    }
    case "doubt":
      return Object.freeze({ kind, order: orderView(intent), why: report.cause, at });
    case "not-sent":
    case "dead":
    case "escalated":
      return Object.freeze({ kind, order: orderView(intent), why: report.reason, at });
    default:
      return unreachable(kind);
  }
}
