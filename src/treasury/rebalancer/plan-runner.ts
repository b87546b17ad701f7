// Carries a plan out, one step after the other. A step that does not end well ends the plan.

import { Quantity } from "../../domain/money/money.ts";
import type { Answer } from "../../execution/effects.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { askAnew, contentOf, isWish } from "../approval/plan-content.ts";
import { unvaluedOf, whyUnneeded } from "../approval/plan-need.ts";
import type { Hands, PlanBook, StewardParts } from "./parts.ts";
import { whyNotWorking } from "./rails.ts";
import { currentStep, know, NOT_BEGUN, type RunningPlan, waitsForOf } from "./running-plan.ts";
import { beginStep, triesAgain } from "./step.ts";
import { potsFor } from "./treasury-view.ts";

export class Carrier {
  readonly #parts: StewardParts;
  readonly #book: PlanBook;
  #running: RunningPlan | undefined;

  constructor(parts: StewardParts, book: PlanBook) {
    this.#parts = parts;
    this.#book = book;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** What the plan that is carried out here waits for. */
  get waitsFor(): string | undefined {
    return this.#running && waitsForOf(this.#running);
  }

  heard(answer: Answer): void {
    const running = this.#running;
    // Only an answer that was asked for after the step began shows what was there before it.
    if (running?.soFar.askedAt === undefined || answer.askedAt < running.soFar.askedAt) return;
    const { way } = currentStep(running);
    const { sight } = running.soFar;
    if (answer.witness === "supply-changes" && way.kind === "mint" && way.asset === answer.asset)
      know(running, { rows: answer.rows });
    if (answer.witness === "rails") know(running, { sight: { ...sight, rails: answer.rows } });
    if (answer.witness === "addresses") know(running, { sight: { ...sight, addresses: answer.rows } });
  }

  begin(plan: PlanRecord, hands: Hands): void {
    const { steps } = contentOf(plan);
    this.#book.progress(plan, { state: "begun", text: `${steps.length} steps` }, hands);
    const { bands } = potsFor(plan, hands, this.#parts.terms, hands.now.at);
    const tradedAt = new Map();
    this.#running = { plan, steps, bands, tradedAt, stoppedAs: undefined, index: 0, soFar: NOT_BEGUN };
  }

  /** The plan, if it ended before its last step was done. */
  carryOn(hands: Hands): PlanRecord | undefined {
    const running = this.#running;
    if (running === undefined) return undefined;
    const { state } = hands.engine.context.books;
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
    if (unneeded !== undefined) return { why: `not needed any more, ${unneeded}`, moved: true };
    const begun = beginStep(running, this.#parts, hands);
    if (!begun.ok) return { why: begun.error, moved: false };
    know(running, { submission: begun.value });
    return undefined;
  }

  /** Of the first step it was asked when the plan was made, or before it was begun; again once it has waited. */
  #whyUnneeded({ plan, steps, index, bands, soFar }: RunningPlan, hands: Hands): string | undefined {
    if (isWish(plan) || (index === 0 && soFar.waitsFor === undefined)) return undefined;
    const left = steps.slice(index);
    const pots = { ...potsFor(plan, hands, this.#parts.terms, hands.now.at), bands };
    return unvaluedOf(left, pots.rates) === undefined ? whyUnneeded(left, pots) : undefined;
  }

  #follow(running: RunningPlan, hands: Hands): Failed | undefined {
    const { submission: id = "", smaller } = running.soFar;
    const submission = hands.executor.get(id);
    const end: End = submission === undefined ? { why: "is gone from the books", moved: true } : endOf(submission);
    if (end === "waits") return undefined;
    if (end !== "done") return !end.moved && triesAgain(running, end.why, hands) ? undefined : end;
    if (smaller !== undefined) return { why: smaller, moved: true };
    this.#done(running, id, hands);
    return undefined;
  }

  #done(running: RunningPlan, submission: string, hands: Hands): void {
    const { plan, steps, index } = running;
    const text = `${index + 1} ${currentStep(running).name}: done as ${submission}${leaves(running, submission, hands)}`;
    this.#book.progress(plan, { state: "step", text }, hands);
    running.soFar = NOT_BEGUN;
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

/** What a step that is done leaves to be done, or to be waited for. */
function leaves(running: RunningPlan, submission: string, hands: Hands): string {
  const { way, quantity } = currentStep(running);
  if (way.kind === "order") running.tradedAt.set(way.symbol, hands.now.mono);
  if (way.kind !== "on-ramp" && way.kind !== "off-ramp") return "";
  if (way.registers !== undefined) return "";
  hands.expect(submission, Quantity.of(quantity));
  return `; ${quantity} are to be paid on it`;
}

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
