// Every call of a strategy in a run: when, what the view showed (as a hash) and what was answered. Two logs show whether an
// answer rests on anything but what was shown.

import type { Wake } from "../../src/strategy/view.ts";
import type { WorthProblem } from "../record/run-record.ts";

/** What an answer was, in words; undefined when it was nothing. */
export type AnswerText = string | undefined;

/** What the strategy was asked for. */
export type Question = "decide" | "worth";

export type Call = {
  readonly at: number;
  readonly wake: Wake;
  readonly what: Question;
  readonly answer: AnswerText;
};

const FIRST = 4_096;

export class CallLog {
  /** What decide threw, the first time. */
  thrown: { readonly at: number; readonly error: unknown } | undefined;
  /** Of the run as a whole. */
  worthProblem: WorthProblem | undefined;
  #length = 0;
  #times = new Float64Array(FIRST);
  #digests = new Float64Array(FIRST);
  readonly #wakes: Wake[] = [];
  readonly #questions: Question[] = [];
  readonly #answers = new Map<number, string>();

  get length(): number {
    return this.#length;
  }

  /** Calls of `decide` that were answered with something. */
  get answered(): readonly number[] {
    return [...this.#answers.keys()].filter((index) => this.#questions[index] === "decide");
  }

  add({ at, wake, what, answer }: Call, digest: number): void {
    if (this.#length === this.#times.length) {
      this.#times = doubled(this.#times);
      this.#digests = doubled(this.#digests);
    }
    this.#times[this.#length] = at;
    this.#digests[this.#length] = digest;
    this.#wakes.push(wake);
    this.#questions.push(what);
    if (answer !== undefined) this.#answers.set(this.#length, answer);
    this.#length++;
  }

  at(index: number): Call {
    return {
      at: this.#times[index] as number,
      wake: this.#wakes[index] as Wake,
      what: this.#questions[index] as Question,
      answer: this.#answers.get(index),
    };
  }

  digest(index: number): number {
    return this.#digests[index] as number;
  }
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(column.length * 2);
  longer.set(column);
  return longer;
}
