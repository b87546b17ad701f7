// Carries out a plan of one step that a person wished: sent as it was approved, by the process that began it, and followed until
// the venue has taken it or it has ended.

import type { Answer } from "../../execution/effects.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { askAnew, type ContentStep, contentOf } from "../approval/plan-content.ts";
import type { Hands, PlanWriter, RebalancerParts } from "../rebalancer/parts.ts";
import { whyNotWorking } from "../rebalancer/rails.ts";
import { beginStep, heardBy, type RunningStep } from "../rebalancer/step.ts";

type Running = RunningStep & { request?: string };

export class Wishes {
  readonly #parts: RebalancerParts;
  readonly #book: PlanWriter;
  #running: Running | undefined;

  constructor(parts: RebalancerParts, book: PlanWriter) {
    this.#parts = parts;
    this.#book = book;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Undefined if the next check continues it. */
  get waitsFor(): string | undefined {
    const { request, soFar } = this.#running ?? {};
    if (request !== undefined) return `the outcome of ${request}`;
    return soFar?.waitsFor ?? (soFar?.askedAt === undefined ? undefined : "the venue's lists");
  }

  heard(answer: Answer): void {
    if (this.#running !== undefined) heardBy(this.#running, answer);
  }

  begin(plan: PlanRecord, hands: Hands): void {
    const step = contentOf(plan).steps[0] as ContentStep;
    this.#book.progress(plan, { state: "begun", text: step.name }, hands);
    this.#running = { plan, step, soFar: { lists: {} } };
    this.look(hands);
  }

  look(hands: Hands): void {
    const running = this.#running;
    if (running === undefined) return;
    const { plan, step } = running;
    const end = running.request === undefined ? this.#send(running, hands) : follow(running, hands);
    if (end === "waits") return;
    this.#running = undefined;
    if (end === "done") {
      this.#book.progress(plan, { state: "step", text: `${step.name}: done as ${running.request}` }, hands);
      this.#book.progress(plan, { state: "done", text: "its step" }, hands);
      return;
    }
    const { why, moved, isStop } = end;
    const refusal = moved ? undefined : { unmoved: 1, why, isStop };
    this.#book.progress(plan, { state: "stopped", text: `${step.name}: ${why}${askAnew(plan)}`, refusal }, hands);
  }

  #send(running: Running, hands: Hands): End {
    const { state } = hands.books.counters;
    // Also where a person resumes before the next check.
    if (state !== "ACTIVE") return { why: `the bot is ${state}`, moved: false, isStop: true };
    const begun = beginStep(running, this.#parts, hands);
    if (!begun.ok) return { why: begun.error, moved: false };
    if (begun.value !== undefined) running.request = begun.value;
    return "waits";
  }
}

function follow({ request: id = "", soFar }: Running, { executor }: Hands): End {
  const request = executor.get(id);
  const end: End = request === undefined ? { why: `${id} is gone from the books`, moved: true } : endOf(request);
  return end === "done" && soFar.smaller !== undefined ? { why: soFar.smaller, moved: true } : end;
}

/** `moved`: money moved or may have moved. `isStop`: it did not fail by itself. */
type End = "waits" | "done" | { readonly why: string; readonly moved: boolean; readonly isStop?: true };

export function endOf(request: MoneyRequest): End {
  const { id, kind, state } = request;
  switch (state.kind) {
    case "intended":
    case "sending":
      return "waits";
    case "accepted":
    case "confirmed":
    case "settled":
    case "late": {
      const why = kind === "rail" ? whyNotWorking(request as MoneyRequest<"rail">) : "";
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
