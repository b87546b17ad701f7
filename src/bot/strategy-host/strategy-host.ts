// Hosts a strategy: its view, and the one place that calls it. No exception escapes: an error or a promise becomes a
// failure with a reason.

import { textOf } from "../../strategy/error-text.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { callBegins, callEnds, nameCaller } from "../../strategy/watchdog.ts";
import { isPromised } from "./answer.ts";
import { type Call, closeView, openView, StrategyView, type ViewSource } from "./view.ts";

export class Failed {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export class StrategyHost {
  readonly strategy: Strategy;
  /** The venue shows no quotes, and the strategy has a decision for that. */
  isBlind = false;
  readonly #view: StrategyView;

  constructor(strategy: Strategy, source: ViewSource) {
    this.strategy = strategy;
    nameCaller(strategy.name);
    this.#view = new StrategyView(source, strategy);
  }

  ask(call: Call): unknown {
    const { definition, name } = this.strategy;
    let answer: unknown;
    let thrown: { readonly error: unknown } | undefined;
    callBegins();
    openView(this.#view, call);
    try {
      answer = this.isBlind ? definition.blind?.(this.#view) : definition.decide(this.#view);
    } catch (error) {
      thrown = { error };
    }
    // Closed first: the error may be the strategy's own, with code that runs when it is read.
    closeView(this.#view);
    callEnds();
    return thrown === undefined
      ? checked(name, answer)
      : new Failed(`decide of ${name} threw: ${textOf(thrown.error)}`);
  }
}

function checked(name: string, answer: unknown): unknown {
  try {
    if (!isPromised(answer)) return answer;
    // The failure is returned now, so a later rejection of the promise must not end the process.
    answer.then(undefined, () => {});
    return new Failed(`decide of ${name} must answer at once, was a promise`);
  } catch (error) {
    return new Failed(unread(name, error));
  }
}

/** The returned value may have the strategy's own code in it too. */
export function unread(strategy: string, error: unknown): string {
  return `what decide of ${strategy} returned threw when it was read: ${textOf(error)}`;
}
