// Where a strategy sits: its view and the one place that calls it. Whatever it does there, it throws no further: an error,
// a promise or a kept view comes out as a failure with a reason.

import type { BarEvent } from "../domain/event.ts";
import { printable } from "../domain/outside-text.ts";
import type { PairPrices } from "../market/pair-prices.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { View, Wake } from "../strategy/view.ts";
import { isPromised } from "./answer.ts";
import { Cursor, LiveView, type Sight } from "./cursor.ts";

export class Failed {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export class Seat {
  readonly strategy: Strategy;
  readonly #cursor: Cursor;
  readonly #view: View;

  constructor(strategy: Strategy, sight: Sight, copies: boolean) {
    this.strategy = strategy;
    this.#cursor = new Cursor(sight, strategy, copies);
    this.#view = new LiveView(this.#cursor);
    Object.freeze(this.#view);
  }

  /** What `decide` returned, or how it failed. */
  ask(wake: Wake, now: number, prices: PairPrices | undefined, bar: BarEvent | undefined): unknown {
    const cursor = this.#cursor;
    cursor.now = now;
    cursor.wake = wake;
    cursor.prices = prices;
    cursor.quote = prices === undefined ? undefined : cursor.lens(prices);
    cursor.bar = bar;
    cursor.open = true;
    try {
      const answer = this.strategy.definition.decide(this.#view);
      return answer === undefined ? undefined : this.#checked(answer);
    } catch (error) {
      return new Failed(`decide of ${this.strategy.name} threw: ${textOf(error)}`);
    } finally {
      cursor.open = false;
    }
  }

  #checked(answer: unknown): unknown {
    if (!isPromised(answer)) return answer;
    // It is answered here and now, so what becomes of it later must not end the process.
    answer.then(undefined, () => {});
    return new Failed(`decide of ${this.strategy.name} must answer at once, was a promise`);
  }
}

/** The message, and the line of the strategy where it happened. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  const line = /\((?:file:\/\/)?([^()]+?):(\d+):\d+\)/.exec(error.stack ?? "");
  const where = line === null ? "" : ` (${line[1]?.replace(/^.*\//, "").replace(/\?.*$/, "")}:${line[2]})`;
  return printable(`${error.name}: ${error.message}`) + where;
}
