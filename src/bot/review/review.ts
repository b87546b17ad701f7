// Reviews a strategy's answer proposal by proposal: parsed, validated, gated, and reserved at once if approved, so that
// two proposals of one event can never both use money that suffices for one.

import { type Books, halted } from "../../books/books.ts";
import { type Asset, assetsOf } from "../../domain/asset.ts";
import type { Event } from "../../domain/event.ts";
import { limitFromSignal } from "../../domain/money/door.ts";
import type { FillsAt } from "../../domain/order.ts";
import type { Basis, Command, Decision, Proposal, Refusal, Step, Verdict } from "../../domain/step.ts";
import type { Candidate, Gate, Preview } from "../../risk/rule.ts";
import { isUnjudged } from "../../risk/ruling.ts";
import { MEND } from "../../risk/trading-state.ts";
import { isNothing, ProposalReader, type Reading, tooMany } from "../strategy-host/answer.ts";
import { Failed, unread } from "../strategy-host/strategy-host.ts";
import { NOTHING_FOUND } from "./risk-monitor.ts";

export type ReviewSettings = {
  /** The maximum lifetime of a decision. */
  readonly lifetimeMsMax: number;
  readonly fillsAt?: FillsAt;
  /** The interval of equity checks while only prices move; equity is always checked before an order. */
  readonly checkEveryMs?: number;
};

type Giving = (asset: Asset) => string | undefined;

/** An answer's part of a step. */
type Reviewed = Pick<Step, "decisions" | "commands">;

/** Further proposals of one event are refused unread. */
const PROPOSALS_MAX = 16;

const NO_COMMANDS: readonly never[] = Object.freeze([]);
const NO_BASIS: Basis = Object.freeze({
  bid: undefined,
  ask: undefined,
  fair: undefined,
  ageMs: undefined,
  rate: undefined,
});

export class Review {
  readonly #gate: Gate;
  readonly #books: Books;
  readonly #reader: ProposalReader;
  readonly #fillsAt: FillsAt;
  readonly #giving: Giving;
  #isOwn = false;

  /** `giving`: the id of a conversion under way that gives this asset. */
  constructor(gate: Gate, books: Books, { lifetimeMsMax, fillsAt = "price" }: ReviewSettings, giving: Giving) {
    this.#giving = giving;
    this.#gate = gate;
    this.#books = books;
    this.#reader = new ProposalReader(lifetimeMsMax);
    this.#fillsAt = fillsAt;
  }

  /** `isOwn`: the strategy's, and not the wish of a person or the treasury. */
  answer(answer: unknown, strategy: string, isOwn: boolean): Reviewed {
    this.#isOwn = isOwn;
    const readings = answer instanceof Failed ? answer : this.#read(answer, strategy);
    if (readings instanceof Failed) return this.#stopped(readings);
    if (Array.isArray(readings)) return this.#each(readings);
    const decision = this.#decided(readings as Reading);
    const { verdict } = decision;
    return { decisions: [decision], commands: verdict.kind === "approved" ? [submit(verdict)] : NO_COMMANDS };
  }

  /** Neither approves nor reserves. */
  preview(proposal: Proposal): Preview {
    const reading = this.#reading(proposal);
    return reading.kind === "refused" ? { ...reading, others: [] } : this.#gate.preview(reading.candidate, this.#books);
  }

  /** The refusal if the gate cannot judge the proposal now. */
  unjudged(proposal: Proposal): Refusal | undefined {
    const found = this.preview(proposal);
    return found.kind === "refused" && isUnjudged(found.refusal) ? found.refusal : undefined;
  }

  #stopped({ reason }: Failed): Reviewed {
    const command = halted({ cause: "strategy", reason: `strategy stopped: ${reason}`, wayOut: MEND });
    this.#books.command(command);
    return { decisions: [], commands: [command] };
  }

  #each(readings: readonly Reading[]): Reviewed {
    const decisions = readings.map((reading) => this.#decided(reading));
    const commands = decisions.flatMap(({ verdict }) => (verdict.kind === "approved" ? [submit(verdict)] : []));
    return { decisions, commands };
  }

  /** Copies all proposals before the first is judged; an unreadable answer fails the strategy. */
  #read(answer: unknown, strategy: string): Reading | readonly Reading[] | Failed {
    try {
      return Array.isArray(answer) ? this.#readings(answer) : this.#reading(answer);
    } catch (error) {
      return new Failed(unread(strategy, error));
    }
  }

  #readings(list: readonly unknown[]): readonly Reading[] {
    const readings: Reading[] = [];
    for (let i = 0; i < list.length && i < PROPOSALS_MAX; i++)
      if (!isNothing(list[i])) readings.push(this.#reading(list[i]));
    if (list.length > PROPOSALS_MAX) readings.push(tooMany(list.length, PROPOSALS_MAX));
    return readings;
  }

  #reading(proposal: unknown): Reading {
    const reading = this.#reader.read(proposal, this.#books.instruments, this.#books.now);
    return this.#fillsAt === "limit" && reading.kind === "candidate" ? this.#atQuote(reading) : reading;
  }

  /** Where a fill pays the limit, going further than the quote would be a gift. */
  #atQuote(reading: Extract<Reading, { kind: "candidate" }>): Reading {
    const { candidate } = reading;
    const { side, instrument } = candidate;
    const { bid, ask } = this.#basis(candidate);
    const quoted = side === "buy" ? ask : bid;
    const touch = quoted === undefined ? undefined : limitFromSignal(Number(quoted), side, instrument);
    if (touch?.ok !== true) return reading;
    const isBeyond = side === "buy" ? candidate.limit.moreThan(touch.value) : candidate.limit.lessThan(touch.value);
    return isBeyond ? { ...reading, candidate: { ...candidate, limit: touch.value } } : reading;
  }

  /** Reserves an approved order at once. */
  #decided(reading: Reading): Decision {
    const { proposal } = reading;
    if (reading.kind === "refused") {
      const { refusal } = reading;
      return this.#refused({ proposal, basis: NO_BASIS, verdict: { kind: "refused", refusal } });
    }
    const { candidate } = reading;
    const basis = this.#basis(candidate);
    const undone = this.#isOwn ? this.#undone(candidate) : undefined;
    const verdict: Verdict = undone ? { kind: "refused", refusal: undone } : this.#gate.review(candidate, this.#books);
    if (verdict.kind === "refused") return this.#refused({ proposal, basis, verdict });
    this.#books.approved(verdict.intent, basis, proposal?.odds);
    return { proposal, basis, verdict };
  }

  /** Buying back what a conversion gives would pay the spread twice. */
  #undone({ symbol, side }: Candidate): Refusal | undefined {
    const { base, quote } = assetsOf(symbol);
    const bought = side === "buy" ? base : quote;
    const id = this.#giving(bought);
    if (id === undefined) return undefined;
    const message = `conversion ${id} gives ${bought}, the strategy would buy it back; pegbot conversion ${id} --finish ends it`;
    return { rule: "PR08", limit: `no ${bought} while a conversion gives it`, value: side, message };
  }

  #refused(decision: Decision): Decision {
    this.#books.refused(decision);
    return decision;
  }

  #basis({ symbol, instrument }: Candidate): Basis {
    const { pricing, prices } = this.#books;
    const fair = pricing.fair(symbol);
    const venue = prices.pairs.get(symbol)?.venue;
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

function submit({ intent }: Extract<Verdict, { kind: "approved" }>): Command {
  return { kind: "submit", intent };
}

const NO_ANSWER: Reviewed = Object.freeze({ decisions: [], commands: [] });

/** `found`: when the event came; `before`: before the answer was reviewed. */
export function stepOf(
  books: Books,
  event: Event,
  found = NOTHING_FOUND,
  before = NOTHING_FOUND,
  { decisions, commands } = NO_ANSWER,
): Step {
  const isQuiet = found === NOTHING_FOUND && before === NOTHING_FOUND && decisions === NO_ANSWER.decisions;
  // A timer without an effect is not counted as an event, so that callers may skip it.
  if (event.kind === "timer" && !isQuiet) books.prices.moment.sequence++;
  const { sequence, now: at } = books;
  if (isQuiet) return { ...NO_ANSWER, sequence, at, event, mark: undefined };
  const ownAtPar = found.ownAtPar ?? before.ownAtPar;
  const mids = found.mids ?? before.mids;
  return {
    ...{ sequence, at, event, decisions, mark: found.mark ?? before.mark },
    commands: [...found.commands, ...before.commands, ...commands],
    ...(ownAtPar === undefined ? {} : { ownAtPar }),
    ...(mids === undefined ? {} : { mids }),
  };
}
