// The desk: one thing that happened in, what is to be recorded and what is to be done out, synchronously. Engine and
// executor meet here and nowhere else; whoever calls it makes the records durable before anything is sent or asked.

import type { Event } from "../domain/event.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import type { Step } from "../domain/step.ts";
import type { Mono } from "../domain/time.ts";
import type { Outcome } from "../exchange/port.ts";
import type { Answer, Ask, Executor } from "../execution/executor.ts";
import type { Moment, Resolution, Witness } from "../execution/submission.ts";
import type { Entry, JournalRecord } from "../journal/record.ts";
import type { Approved } from "../risk/gate.ts";
import type { Gate } from "../risk/rule.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { Engine } from "./engine.ts";

/** What decides, made anew and empty: a fold of the journal fills it. */
export type Core = {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
};

export type Input = { readonly now: Moment } & (
  | { readonly kind: "event"; readonly event: Event }
  | { readonly kind: "outcome"; readonly id: ClientOrderId; readonly outcome: Outcome<Fill> }
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "unanswered"; readonly witness: Witness; readonly askedAt: Mono; readonly code: string }
  /** A person closes what evidence could not. */
  | { readonly kind: "resolution"; readonly id: string; readonly resolution: Resolution<Fill> }
  /** Whoever kept them is gone: what is open is taken over. */
  | { readonly kind: "recovery"; readonly isGone: (writer: string) => boolean }
  /** Between two events: the new one decides from the next on. */
  | { readonly kind: "strategy"; readonly strategy: Strategy }
  /** A safe point now, whenever the last one was. */
  | { readonly kind: "save" }
  /** About once a second: deadlines pass. */
  | { readonly kind: "time" }
  /** Only what others wrote. */
  | { readonly kind: "news" }
);

/** Nothing of it is acted on before its records are on disk. */
export type Turn = {
  readonly records: readonly JournalRecord[];
  /** In the order in which they were taken, quiet ones left out. */
  readonly steps: readonly Step[];
  readonly sends: readonly Approved[];
  readonly asks: readonly Ask[];
};

export interface Desk {
  readonly engine: Engine;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
  turn(news: readonly Entry[], input: Input): Turn;
  /** A step that `engine.run` ended at: what `turn` would have made of its quote. */
  took(step: Step, now: Moment): Turn;
}
