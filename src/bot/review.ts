// A strategy's answer, proposal by proposal: read, through the door, through the gate, and reserved at once when approved,
// so that two proposals of one event can never both take what only one of them may.

import type { Basis, Command, Decision, Step } from "../domain/step.ts";
import type { Pricing } from "../market/fair.ts";
import type { Candidate, Gate, RiskContext } from "../risk/rule.ts";
import { RESUME } from "../risk/standing.ts";
import { isNothing, type Reading, readProposal, tooMany } from "./answer.ts";
import { type Fold, halt } from "./fold.ts";
import { Failed, textOf } from "./seat.ts";

type ReviewParts = {
  readonly gate: Gate;
  readonly fold: Fold;
  readonly context: RiskContext;
  readonly pricing: Pricing;
};
type ReviewSettings = { readonly proposalsMax: number; readonly lifetimeMsMax: number };

const NO_BASIS: Basis = Object.freeze({
  bid: undefined,
  ask: undefined,
  fair: undefined,
  ageMs: undefined,
  rate: undefined,
});

export class Review {
  readonly #gate: Gate;
  readonly #fold: Fold;
  readonly #context: RiskContext;
  readonly #pricing: Pricing;
  readonly #settings: ReviewSettings;

  constructor(parts: ReviewParts, settings: ReviewSettings) {
    this.#gate = parts.gate;
    this.#fold = parts.fold;
    this.#context = parts.context;
    this.#pricing = parts.pricing;
    this.#settings = settings;
  }

  answer(answer: unknown, strategy: string): Pick<Step, "decisions" | "commands"> {
    const decisions: Decision[] = [];
    const commands: Command[] = [];
    const readings = answer instanceof Failed ? answer : this.#read(answer, strategy);
    if (readings instanceof Failed) {
      const command = halt(`strategy stopped: ${readings.reason}`, RESUME);
      this.#fold.command(command, this.#context.now);
      return { decisions, commands: [command] };
    }
    for (const reading of readings) decisions.push(this.#decided(reading, commands));
    return { decisions, commands };
  }

  /** Copies of all that will be looked at; what cannot even be read fails the strategy. */
  #read(answer: unknown, strategy: string): readonly Reading[] | Failed {
    const { proposalsMax, lifetimeMsMax } = this.#settings;
    const terms = { now: this.#context.now, lifetimeMsMax, instruments: this.#fold.instruments };
    try {
      const list: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
      const readings: Reading[] = [];
      for (let i = 0; i < list.length && i < proposalsMax; i++)
        if (!isNothing(list[i])) readings.push(readProposal(list[i], terms));
      if (list.length > proposalsMax) readings.push(tooMany(list.length, proposalsMax));
      return readings;
    } catch (error) {
      return new Failed(`what decide of ${strategy} returned threw when it was read: ${textOf(error)}`);
    }
  }

  #decided(reading: Reading, commands: Command[]): Decision {
    const { proposal } = reading;
    if (reading.kind === "refused") {
      const { refusal } = reading;
      return { proposal, basis: NO_BASIS, verdict: { kind: "refused", refusal } };
    }
    const { candidate } = reading;
    const basis = this.#basis(candidate);
    const verdict = this.#gate.review(candidate, this.#context);
    if (verdict.kind === "approved") {
      this.#fold.approved(verdict.intent, candidate.instrument, basis.rate, this.#context.now);
      commands.push({ kind: "submit", intent: verdict.intent });
    }
    return { proposal, basis, verdict };
  }

  #basis({ symbol, instrument }: Candidate): Basis {
    const { pricing } = this.#context;
    const fair = pricing.fair(symbol);
    const venue = this.#pricing.pairs.get(symbol)?.venue;
    const isSeen = venue?.seen === "good";
    return {
      bid: isSeen ? venue.bid : undefined,
      ask: isSeen ? venue.ask : undefined,
      fair: fair.kind === "fair" ? fair.value : undefined,
      ageMs: fair.kind === "fair" ? fair.ageMs : undefined,
      rate: pricing.rate(instrument.quote),
    };
  }
}
