// The venue's window in virtual time: wants wait for a slot, the next one is chosen when the slot opens, one request is
// in flight at a time, and its answer arrives after the round trip. It is the synchronous counterpart of client and
// budget, with the same slot rules, the same checks and the same order.

import { createHash } from "node:crypto";
import { type PollSchedule, type Read, type ReadWant, readWant } from "../../src/bot/effects/poll-schedule.ts";
import type { Responses } from "../../src/bot/effects/responses.ts";
import type { Input } from "../../src/bot/input.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { invariant, unreachable } from "../../src/domain/invariant.ts";
import { ok } from "../../src/domain/result.ts";
import type { Millis, Mono } from "../../src/domain/time.ts";
import type { PacingSettings, SlotEnd } from "../../src/exchange/budget/pacing.ts";
import type { Candidate } from "../../src/exchange/budget/scheduler.ts";
import { InMemory, Slots } from "../../src/exchange/budget/slots.ts";
import type { MoneyVerdict } from "../../src/exchange/classify.ts";
import { railBody } from "../../src/exchange/endpoint/rail-body.ts";
import type { Nonce, Outcome, Reading, Want, WantClass } from "../../src/exchange/port.ts";
import { heardOf, type Question } from "../../src/execution/dispatch.ts";
import type { Answer } from "../../src/execution/effects.ts";
import type { AnyReceipt, Witness } from "../../src/execution/request.ts";
import { idOf, type PreSendChecks } from "../../src/execution/send.ts";
import { type Approval, isOrder } from "../../src/risk/treasury-gate.ts";
import type { FloatQuote } from "../../src/simulator/core/record.ts";
import * as told from "../../src/simulator/port-rows.ts";
import type { Served, VenueLine } from "../../src/simulator/venue-line.ts";
import { Due, type DueList, type VirtualTime } from "./virtual-time.ts";

export type WindowParts = {
  readonly line: VenueLine;
  readonly key: string;
  readonly time: VirtualTime;
  readonly due: DueList;
  readonly departures: PreSendChecks;
  readonly post: Responses;
  readonly polls: PollSchedule;
  readonly bot: Bot;
  readonly pacing?: Partial<PacingSettings>;
  /** Delay from a decision until its order may ask for a slot; none by default. */
  readonly decisionMs?: number;
};

/** Receives the answers. */
export interface Bot {
  put(input: Input): void;
  /** Like `put`, for the last input of this moment: the bot may take it at once. */
  putLast(input: Input): void;
  /** The venue's quotes have arrived. */
  quotes(reading: Reading<readonly FloatQuote[]>): void;
  /** Wants are about to be valued against each other. */
  /** A slot was spent on this want. */
  spent(granted: WantClass): void;
}

/** An approved order, mint or rail that waits for its slot. */
type Passage = Want & { readonly kind: "passage"; readonly approval: Approval };

type Subject = Witness | "quotes" | "pairs";

/** A read that waits for its slot. */
type Inquiry = Want & {
  readonly kind: "inquiry";
  readonly witness: Subject;
  readonly asset: Asset | undefined;
  /** Requested by the polls. */
  readonly standing: boolean;
  readonly askedAt: Mono;
};

type Job = Passage | Inquiry;
type Listing = Answer["rows"];
type Others = Candidate<Job>["others"];
const ALONE: Others = [];

/** A request inside the process has no body text; this is the digest of an empty one. */
const NO_BODY = createHash("sha256").digest("hex");
const IN_PROCESS = "in-process";

const ANSWERED: SlotEnd = { kind: "answered", rateLimited: false };
const LIMITED: SlotEnd = { kind: "answered", rateLimited: true };
const ABANDONED: SlotEnd = { kind: "abandoned" };
const UNSPENT: SlotEnd = { kind: "unspent" };

export class Window {
  private readonly parts: WindowParts;
  private readonly bot: Bot;
  private readonly time: VirtualTime;
  private readonly slots: Slots<Job>;
  private readonly departures: PreSendChecks;
  private readonly look: Due;
  private readonly arrival: Due;
  /** The one request in flight. */
  private flight: Flight | undefined = undefined;
  /** Orders, mints and rails that were handed over and have no outcome yet. */
  sending = 0;

  constructor(parts: WindowParts) {
    this.parts = parts;
    this.bot = parts.bot;
    this.time = parts.time;
    this.departures = parts.departures;
    const dropped = (job: Job, reason: string): void => this.dropped(job, reason);
    this.slots = new Slots<Job>(new InMemory(parts.time.elapsed, parts.pacing), dropped);
    this.look = new Due(() => this.turn());
    this.arrival = new Due(() => this.arrived());
  }

  send(approval: Approval): void {
    const { decisionMs = 0, due } = this.parts;
    this.sending++;
    if (decisionMs === 0) this.queue(approval);
    else due.add(new Due(() => this.queue(approval)), this.time.elapsed + decisionMs);
  }

  ask(question: Question): void {
    this.inquiry(question.witness, question.asset, question, false);
  }

  /** A read that the polls want. */
  read(read: Read): void {
    this.inquiry(read, undefined, readWant(this.parts.polls, read), true);
  }

  private inquiry(witness: Subject, asset: Asset | undefined, want: ReadWant, standing: boolean): void {
    const { class: wanted, begins } = want;
    const key = asset === undefined ? witness : `${witness} ${asset}`;
    const asked = { witness, asset, standing, askedAt: this.time.elapsed };
    this.want({ kind: "inquiry", class: wanted, key, deadline: undefined, begins, ...asked });
  }

  /** Stops sending; waiting orders end as not sent. */
  close(reason: string): void {
    this.departures.close(reason);
    for (const job of this.slots.clear()) if (job.kind === "passage") this.refused(job, "stopped", reason);
  }

  private queue(approval: Approval): void {
    const { departures } = this;
    const deadline = departures.expect(approval);
    const rest = { class: "order", key: undefined, begins: undefined } as const;
    const job: Passage = { kind: "passage", ...rest, deadline, approval };
    if (departures.closed === undefined) this.want(job);
    else this.refused(job, "stopped", departures.closed);
  }

  private want(job: Job): void {
    const added = this.slots.add(job, job);
    if (added.ok) this.turn();
    else this.dropped(job, added.error);
  }

  private turn(): void {
    const { time, slots, look } = this;
    const granted = slots.look(time.elapsed);
    if (granted !== undefined) this.begin(granted);
    const at = slots.nextLookAt;
    if (look.at === at) return;
    const { due } = this.parts;
    if (look.at !== Number.POSITIVE_INFINITY) due.remove(look);
    if (at !== Number.POSITIVE_INFINITY) due.add(look, Math.max(at, time.elapsed));
  }

  private begin(chosen: Candidate<Job>): void {
    const { item, others } = chosen;
    item.begins?.();
    for (let i = 0; i < others.length; i++) others[i]?.want.begins?.();
    if (item.kind === "passage") this.depart(item, chosen);
    else this.inquire(item, chosen);
    this.bot.spent(chosen.class);
  }

  private depart(job: Passage, granted: Candidate<Job>): void {
    const nonce = this.cleared(job.approval);
    if (typeof nonce === "number") {
      this.travel(granted, nonce, this.serve(job.approval));
      return;
    }
    this.slots.end(UNSPENT, this.time.elapsed);
    this.ended(job, nonce);
    this.turn();
  }

  private serve(approval: Approval): Served<MoneyVerdict<AnyReceipt>> {
    const { line, key } = this.parts;
    const at = this.time.exactly;
    if (isOrder(approval)) return line.order(key, approval, at);
    if (approval.kind === "rail") return line.rail(key, railBody(approval.rail), at);
    const { asset, blockchain, quantity, destination } = approval.mint;
    const form = { asset, blockchain, quantity: String(quantity), ...(destination && { destination }) };
    return line.mint(key, form, at);
  }

  /** The pre-send checks of an order whose slot has opened, in the client's order. */
  private cleared(approval: Approval): Nonce | Extract<Outcome<never>, { kind: "not-sent" }> {
    const { departures, slots, time } = this;
    const outdated = departures.recheck(approval);
    if (outdated !== undefined) return notSent("outdated", outdated);
    const nonce = slots.nonce(time.wall, time.elapsed);
    if (!nonce.ok) return notSent("no-nonce", nonce.error);
    departures.sending(approval, { nonce: nonce.value, digest: NO_BODY, host: IN_PROCESS });
    invariant(slots.begin(time.elapsed), LOST);
    const refusal = departures.lastCheck(approval);
    return refusal === undefined ? nonce.value : notSent("refused", refusal);
  }

  private outcomeOf(verdict: MoneyVerdict<AnyReceipt>, nonce: Nonce): Outcome<AnyReceipt> {
    if (verdict.kind === "not-sent") return verdict;
    if (verdict.kind === "doubt") return { ...verdict, nonce };
    const receivedAt = this.time.wall;
    if (verdict.kind === "accepted") return { kind: "accepted", value: verdict.value, nonce, receivedAt };
    return { kind: "rejected", failure: verdict.failure, nonce, receivedAt };
  }

  private inquire(first: Inquiry, granted: Candidate<Job>): void {
    const { slots, time } = this;
    const { witness } = first;
    const isSigned = witness !== "quotes" && witness !== "pairs";
    const drawn = isSigned ? slots.nonce(time.wall, time.elapsed) : undefined;
    invariant(drawn?.ok !== false, "the first request of a run is unsigned and tells the venue's time");
    invariant(slots.begin(time.elapsed), LOST);
    this.travel(granted, drawn?.value, this.asked(first));
  }

  private asked({ witness, asset }: Inquiry): Served<ReadVerdict> {
    const { line, key } = this.parts;
    const at = this.time.exactly;
    switch (witness) {
      case "quotes":
      case "balances":
      case "trades":
      case "orders":
        return line.list(witness, key, at);
      case "pairs":
        return line.read((venue) => ok(venue.pairs()), eachOf(told.pair), at);
      case "rails":
        return line.read((venue, moment) => venue.rails(key, moment), eachOf(told.listedRail), at);
      case "payments":
        return line.read((venue, moment) => venue.payments(key, moment), eachOf(told.payment), at);
      case "addresses":
        return line.read((venue) => venue.withdrawAddresses(key), eachOf(told.address), at);
      case "supply-changes": {
        invariant(asset !== undefined, "supply changes are asked of one asset");
        return line.read((venue, moment) => venue.supplyChanges(key, { asset }, moment), told.supplyChanges, at);
      }
      default:
        return unreachable(witness);
    }
  }

  /** The answer arrives after its latency. */
  private travel(granted: Candidate<Job>, nonce: Nonce | undefined, served: AnyServed): void {
    this.flight = { granted, nonce, served };
    this.parts.due.add(this.arrival, this.time.elapsed + served.tookMs);
  }

  /** Ends the slot. The next request may leave before this answer is delivered. */
  private arrived(): void {
    const { flight, slots } = this;
    const at = this.time.elapsed;
    invariant(flight !== undefined, "an answer comes to a request");
    const { served, granted, nonce } = flight;
    const { verdict, isAnswered } = served;
    const date = isAnswered ? served.date : undefined;
    if (date === undefined) slots.end(ABANDONED, at);
    else {
      slots.observe({ venueTime: date, receivedAt: this.time.wall, at });
      slots.end(isLimited(verdict) ? LIMITED : ANSWERED, at);
    }
    if (slots.size > 0 || this.look.at !== Number.POSITIVE_INFINITY) this.turn();
    this.answered(granted, verdict, nonce, date);
  }

  private answered(
    { item, others }: Candidate<Job>,
    verdict: AnyVerdict,
    nonce: Nonce | undefined,
    date: Millis | undefined,
  ): void {
    if (item.kind === "passage") {
      const outcome = this.outcomeOf(verdict as MoneyVerdict<AnyReceipt>, nonce as Nonce);
      this.bot.putLast(this.inputOf(item, outcome));
      return;
    }
    this.heard(item, others, this.readingOf(verdict as ReadVerdict, nonce, date), true);
  }

  private readingOf(verdict: ReadVerdict, nonce: Nonce | undefined, at: Millis | undefined): Reading<unknown> {
    if (verdict.kind === "failed") return verdict;
    return { kind: "read", value: verdict.value, at, receivedAt: this.time.wall, nonce };
  }

  private ended(job: Passage, outcome: Outcome<AnyReceipt>): void {
    this.bot.put(this.inputOf(job, outcome));
  }

  private inputOf({ approval }: Passage, outcome: Outcome<AnyReceipt>): Input {
    const id = idOf(approval);
    this.sending--;
    return { kind: "outcome", id, outcome, control: this.departures.ended(id, outcome) };
  }

  /** One answer serves every caller that waits for it: its request left after the last of them asked. */
  private heard(first: Inquiry, others: Others, reading: Reading<unknown>, isLast: boolean): void {
    const { bot, time } = this;
    const { post } = this.parts;
    switch (first.witness) {
      case "quotes":
        bot.quotes(reading as Reading<readonly FloatQuote[]>);
        break;
      case "pairs":
        for (const input of post.pairs(reading as Parameters<Responses["pairs"]>[0])) bot.put(input);
        break;
      default: {
        const at = reading.kind === "read" ? reading.at : undefined;
        time.heard(at);
        let { askedAt, standing } = first;
        for (let i = 0; i < others.length; i++) {
          const other = others[i]?.item as Inquiry;
          // In the bot's client each caller reports the time, and the clock forgets by count.
          time.heard(at);
          askedAt = other.askedAt;
          standing ||= other.standing;
        }
        const input = post.witness(heardOf(first as Asked, askedAt, reading as Reading<Listing>), standing);
        if (isLast) bot.putLast(input);
        else bot.put(input);
      }
    }
  }

  private dropped(job: Job, reason: string): void {
    if (job.kind === "passage") this.refused(job, "dropped", reason);
    else this.heard(job, ALONE, { kind: "dropped", reason }, false);
  }

  private refused(job: Passage, code: string, reason: string): void {
    this.ended(job, notSent(code, reason));
  }
}

const LOST = "a slot of virtual time is not lost between two statements";

type Asked = Inquiry & { readonly witness: Witness };
type ReadVerdict = { readonly kind: "read"; readonly value: unknown } | Extract<Reading<never>, { kind: "failed" }>;
type AnyVerdict = ReadVerdict | MoneyVerdict<AnyReceipt>;
type AnyServed = Served<AnyVerdict>;

/** The request in flight: its want, its nonce, and the answer to come. */
type Flight = {
  readonly granted: Candidate<Job>;
  readonly nonce: Nonce | undefined;
  readonly served: AnyServed;
};

function isLimited(verdict: AnyVerdict): boolean {
  return verdict.kind !== "accepted" && verdict.kind !== "read" && failureOf(verdict) === "rate-limited";
}

function failureOf(verdict: Exclude<AnyVerdict, { kind: "accepted" | "read" }>): string | undefined {
  return "failure" in verdict ? verdict.failure.code : undefined;
}

function eachOf<R, T>(
  tell: (row: R, receivedAt: Millis) => T,
): (rows: readonly R[], receivedAt: Millis) => readonly T[] {
  return (rows, receivedAt) => rows.map((row) => tell(row, receivedAt));
}

function notSent(code: string, reason: string): Extract<Outcome<never>, { kind: "not-sent" }> {
  return { kind: "not-sent", code, reason };
}
