// Runs a plan one step at a time. A step that fails ends the plan.

import { Quantity } from "../../domain/money/money.ts";
import type { Answer } from "../../execution/effects.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { askAnew, contentOf } from "../approval/plan-content.ts";
import type { Hands, PlanWriter, RebalancerParts } from "./parts.ts";
import { whyNotWorking } from "./rails.ts";
import { beginStep, currentStep, heardBy, type RunningPlan } from "./step.ts";
import { holdingsFor, whyUnneededNow } from "./treasury-view.ts";

export class PlanRunner {
  readonly #parts: RebalancerParts;
  readonly #book: PlanWriter;
  #running: RunningPlan | undefined;

  constructor(parts: RebalancerParts, book: PlanWriter) {
    this.#parts = parts;
    this.#book = book;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** What the running plan waits for; undefined if the next check continues it. */
  get waitsFor(): string | undefined {
    const { submission, waitsFor, askedAt } = this.#running?.soFar ?? {};
    if (submission !== undefined) return `the outcome of ${submission}`;
    return waitsFor ?? (askedAt === undefined ? undefined : "the venue's lists");
  }

  heard(answer: Answer): void {
    if (this.#running !== undefined) heardBy(this.#running, answer);
  }

  begin(plan: PlanRecord, hands: Hands): void {
    const { steps } = contentOf(plan);
    this.#book.progress(plan, { state: "begun", text: `${steps.length} steps` }, hands);
    const { bands } = holdingsFor(plan, hands, this.#parts.terms, hands.now.at);
    const soFar = { lists: {} };
    this.#running = { plan, steps, bands, tradedAt: new Map(), stoppedAs: undefined, index: 0, soFar };
  }

  /** Returns the plan if it ended before its last step was done. */
  carryOn(hands: Hands): PlanRecord | undefined {
    const running = this.#running;
    if (running === undefined) return undefined;
    const { state } = hands.books.counters;
    if (state !== "ACTIVE") running.stoppedAs ??= `the bot is ${state}`;
    const failed = running.soFar.submission === undefined ? this.#goOn(running, hands) : this.#follow(running, hands);
    if (failed === undefined) return undefined;
    this.#stop(running, failed, hands);
    return running.plan;
  }

  #goOn(running: RunningPlan, hands: Hands): Failed | undefined {
    const { stoppedAs } = running;
    if (stoppedAs !== undefined) return { why: stoppedAs, moved: false, isStop: true };
    const unneeded = this.#whyUnneeded(running, hands);
    if (unneeded !== undefined) return { why: `not needed any more, ${unneeded}`, moved: false, isStop: true };
    const begun = beginStep(running, this.#parts, hands);
    if (!begun.ok) return { why: begun.error, moved: false };
    if (begun.value !== undefined) running.soFar.submission = begun.value;
    return undefined;
  }

  /** The first step was checked when the plan was made or before it started; it is checked again only after waiting. */
  #whyUnneeded(running: RunningPlan, hands: Hands): string | undefined {
    const { plan, index, bands, soFar } = running;
    if (index === 0 && soFar.waitsFor === undefined) return undefined;
    return whyUnneededNow(plan, hands, this.#parts.terms, { now: hands.now.at, step: currentStep(running), bands });
  }

  #follow(running: RunningPlan, hands: Hands): Failed | undefined {
    const { submission: id = "", smaller } = running.soFar;
    const submission = hands.executor.get(id);
    const end: End = submission === undefined ? { why: "is gone from the books", moved: true } : endOf(submission);
    if (end === "waits") return undefined;
    if (end !== "done") return end;
    if (smaller !== undefined) return { why: smaller, moved: true };
    this.#done(running, id, hands);
    return undefined;
  }

  #done(running: RunningPlan, submission: string, hands: Hands): void {
    const { plan, steps, index } = running;
    const text = `${index + 1} ${currentStep(running).name}: done as ${submission}${leaves(running, submission, hands)}`;
    this.#book.progress(plan, { state: "step", text }, hands);
    running.soFar = { lists: {} };
    running.index += 1;
    if (running.index < steps.length) return;
    this.#running = undefined;
    this.#book.progress(plan, { state: "done", text: `${steps.length} steps` }, hands);
  }

  #stop(running: RunningPlan, { why, moved, isStop }: Failed, hands: Hands): void {
    this.#running = undefined;
    const { steps, index, plan } = running;
    const left = steps.slice(index + 1).map(({ name }) => name);
    const text = `${index} of ${steps.length} steps done; ${currentStep(running).name}: ${why}; not begun: ${left.join(", ") || "none"}${askAnew(plan)}`;
    const refusal = moved ? undefined : { unmoved: steps.length - index, why, isStop };
    this.#book.progress(plan, { state: "stopped", text, refusal }, hands);
  }
}

/** The payments that a completed step leaves to be made or awaited. */
function leaves(running: RunningPlan, submission: string, hands: Hands): string {
  const { via, quantity } = currentStep(running);
  if (via.kind === "order") running.tradedAt.set(via.symbol, hands.now.mono);
  if (via.kind !== "on-ramp" && via.kind !== "off-ramp") return "";
  if (via.registers !== undefined) return "";
  hands.expect(submission, Quantity.of(quantity));
  return `; ${quantity} are to be paid on it`;
}

/** `moved`: money moved or may have moved. `isStop`: the step did not fail by itself: the bot was stopped, or it is needed no more. */
export type Failed = { readonly why: string; readonly moved: boolean; readonly isStop?: true };
export type End = "waits" | "done" | Failed;

/** A doubt ends a plan, because later steps may depend on it. */
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
