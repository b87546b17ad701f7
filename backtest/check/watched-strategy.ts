// A strategy whose calls are written down. What it does is untouched.

import { isNothing } from "../../src/bot/seat/answer.ts";
import { textOf } from "../../src/strategy/error-text.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import type { View } from "../../src/strategy/view.ts";
import type { AnswerText, CallLog, Question } from "./call-log.ts";
import { ShiftedView } from "./shifted-view.ts";
import { ViewDigest } from "./view-digest.ts";

/** `shiftMs`: the strategy is told another date, the log is not. */
export function watchedStrategy(strategy: Strategy, log: CallLog, shiftMs = 0): Strategy {
  const digests = new ViewDigest();
  const { definition } = strategy;
  const asked = (what: Question, ask: (view: View) => unknown) => (view: View) => {
    // Before the call: the strategy may change what it is shown, or close it.
    const { now, wake } = view;
    const digest = digests.of(view);
    try {
      const answer = ask(shiftMs === 0 ? view : new ShiftedView(view, shiftMs));
      log.add({ at: now, wake, what, answer: answerText(answer) }, digest);
      return answer;
    } catch (error) {
      log.thrown ??= { at: now, error };
      log.add({ at: now, wake, what, answer: `threw ${textOf(error)}` }, digest);
      throw error;
    }
  };
  const decide = asked("decide", (view) => definition.decide(view));
  if (definition.worth === undefined) return { ...strategy, definition: { decide } };
  return { ...strategy, definition: { decide, worth: asked("worth", (view) => definition.worth?.(view)) } };
}

function answerText(answer: unknown): AnswerText {
  if (isNothing(answer)) return undefined;
  try {
    return JSON.stringify(answer, (_, value: unknown) => (typeof value === "number" ? exact(value) : value));
  } catch {
    return "something that cannot be written down";
  }
}

/** JSON has no word for what is not finite. */
function exact(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
