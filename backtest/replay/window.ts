// The venue's window in virtual time: what the bot wants waits for its slot, the best want is chosen when the slot opens, one
// request is on its way at a time, and its answer comes when the way there and back has passed. The synchronous
// counterpart of client and budget: the same slot line, the same checks, the same order of things.

import { createHash } from "node:crypto";
import type { Read } from "../../src/bot/agenda.ts";
import type { Input } from "../../src/bot/desk.ts";
import type { Post } from "../../src/bot/post.ts";
import type { ReadWants } from "../../src/bot/read-wants.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { invariant, unreachable } from "../../src/domain/invariant.ts";
import { ok } from "../../src/domain/result.ts";
import type { Clock, Millis, Mono } from "../../src/domain/time.ts";
import type { Candidate } from "../../src/exchange/budget/scheduler.ts";
import { SlotLine, type SlotLineSettings } from "../../src/exchange/budget/slot-line.ts";
import type { MoneyVerdict } from "../../src/exchange/classify.ts";
import { railBody } from "../../src/exchange/endpoint/rail-body.ts";
import type { Chosen, MoneyWant, Nonce, Outcome, Reading, Want } from "../../src/exchange/port.ts";
import { type Departures, idOf } from "../../src/execution/departure.ts";
import type { Answer } from "../../src/execution/executor.ts";
import { heardOf, type Question } from "../../src/execution/heard.ts";
import type { AnyReceipt } from "../../src/execution/submission.ts";
import { type Approval, isOrder } from "../../src/risk/movement-gate.ts";
import type { VenueCalls } from "../../src/simulator/core/calls.ts";
import { keptList } from "../../src/simulator/core/kept-list.ts";
import type { Moment as VenueMoment } from "../../src/simulator/core/record.ts";
import * as told from "../../src/simulator/told.ts";
import type { Served, VenueLine } from "../../src/simulator/venue-line.ts";
import type { Due, DueList } from "./due-list.ts";

export type WindowParts = {
  readonly line: VenueLine;
  readonly key: string;
  readonly clock: Clock;
  /** The wall clock with its fraction. */
  readonly exactly: () => number;
  readonly due: DueList;
  readonly departures: Departures;
  readonly post: Post;
  readonly wants: ReadWants;
  /** The venue's Date of an answer. */
  readonly heard: (at: Millis | undefined) => void;
  /** What comes back. */
  readonly put: (input: Input) => void;
  /** The venue's prices, which come together. */
  readonly arrive: (quotes: readonly QuoteEvent[]) => void;
  /** A slot was spent on this. */
  readonly spent: (chosen: Chosen) => void;
  readonly settings?: SlotLineSettings;
  /** From a decision to when it may ask for a slot; none unless told. */
  readonly decisionMs?: number;
};

type Job =
  | { readonly kind: "money"; readonly approval: Approval; readonly want: MoneyWant }
  | { readonly kind: "witness"; readonly question: Question; readonly standing: boolean; readonly askedAt: Mono }
  | { readonly kind: "quotes" }
  | { readonly kind: "pairs" };

type Listing = Answer["rows"];

/** No text is made of a request in process: this is the digest of nothing. */
const NO_BODY = createHash("sha256").digest("hex");
const IN_PROCESS = "in-process";

export class Window {
  readonly #parts: WindowParts;
  readonly #slots: SlotLine<Job>;
  readonly #tellTrades = keptList(told.trade);
  readonly #tellOrders = keptList(told.order);
  #look: Due | undefined;

  constructor(parts: WindowParts) {
    this.#parts = parts;
    const dropped = (job: Job, reason: string): void => this.#dropped(job, reason);
    this.#slots = new SlotLine<Job>(parts.clock.monotonic(), dropped, parts.settings);
  }

  /** Approved orders, mints and rails. */
  send(approval: Approval): void {
    const { decisionMs = 0, clock, due } = this.#parts;
    if (decisionMs === 0) this.#queue(approval);
    else due.add(clock.monotonic() + decisionMs, () => this.#queue(approval));
  }

  #queue(approval: Approval): void {
    const { departures } = this.#parts;
    const want = departures.want(approval);
    const job: Job = { kind: "money", approval, want };
    if (departures.closed !== undefined) this.#ended(job, notSent("stopped", departures.closed));
    else this.#want(want, undefined, job);
  }

  ask(question: Question, standing = false): void {
    const askedAt = this.#parts.clock.monotonic();
    this.#want(question, callOf(question), { kind: "witness", question, standing, askedAt });
  }

  /** What the agenda wants. */
  read(read: Read): void {
    const want = this.#parts.wants.of(read);
    if (read === "quotes") this.#want(want, "/client/quotes", { kind: "quotes" });
    else if (read === "pairs") this.#want(want, "/client/tradingPairs", { kind: "pairs" });
    else this.ask({ witness: read, asset: undefined, ...want }, true);
  }

  /** Nothing begins to leave any more; orders that wait end as not sent. */
  close(reason: string): void {
    this.#parts.departures.close(reason);
    for (const job of this.#slots.clear()) if (job.kind === "money") this.#ended(job, notSent("stopped", reason));
  }

  #want(want: Want, key: string | undefined, job: Job): void {
    const wanted = key === undefined ? want : keyed(want, key);
    const added = this.#slots.add(wanted, job);
    if (added.ok) this.#turn();
    else this.#dropped(job, added.error);
  }

  #turn(): void {
    const { clock, due } = this.#parts;
    const granted = this.#slots.look(clock.now(), clock.monotonic());
    if (granted !== undefined) this.#begin(granted);
    const at = this.#slots.nextLookAt();
    if (this.#look !== undefined && this.#look.at === at) return;
    if (this.#look !== undefined) due.remove(this.#look);
    this.#look =
      at === undefined
        ? undefined
        : due.add(Math.max(at, clock.monotonic()), () => {
            this.#look = undefined;
            this.#turn();
          });
  }

  #begin(chosen: Candidate<Job>): void {
    const { members } = chosen;
    for (let i = 0; i < members.length; i++) members[i]?.want.begins?.(chosen);
    const first = members[0]?.item;
    invariant(first !== undefined, "a slot is granted to somebody");
    if (first.kind === "money") this.#depart(first);
    else this.#inquire(first, members);
    this.#parts.spent(chosen);
  }

  #depart(job: Extract<Job, { kind: "money" }>): void {
    const nonce = this.#cleared(job.want);
    if (typeof nonce !== "number") {
      this.#slots.end({ kind: "unspent" }, this.#parts.clock.monotonic());
      this.#ended(job, nonce);
      this.#turn();
      return;
    }
    const served = this.#serve(job.approval);
    this.#travel(served, () => this.#ended(job, this.#outcomeOf(served.verdict, nonce)));
  }

  #serve(approval: Approval): Served<MoneyVerdict<AnyReceipt>> {
    const { line, key, exactly } = this.#parts;
    if (isOrder(approval)) return line.order(key, approval, exactly());
    if (approval.kind === "rail") return line.rail(key, railBody(approval.rail), exactly());
    const { asset, blockchain, quantity, destination } = approval.mint;
    const form = { asset, blockchain, quantity: String(quantity), ...(destination && { destination }) };
    return line.mint(key, form, exactly());
  }

  /** The checks of an order whose slot has come, in the order in which the client makes them. */
  #cleared(want: MoneyWant): Nonce | Extract<Outcome<never>, { kind: "not-sent" }> {
    const { clock } = this.#parts;
    const outdated = want.recheck(clock.now());
    if (outdated !== undefined) return notSent("outdated", outdated);
    const nonce = this.#slots.nonce(clock.now(), clock.monotonic());
    if (!nonce.ok) return notSent("no-nonce", nonce.error);
    want.sending({ nonce: nonce.value, digest: NO_BODY, host: IN_PROCESS });
    invariant(this.#slots.begin(clock.monotonic()), "a slot of virtual time is not lost between two statements");
    const refusal = want.lastCheck();
    return refusal === undefined ? nonce.value : notSent("refused", refusal);
  }

  #outcomeOf(verdict: MoneyVerdict<AnyReceipt>, nonce: Nonce): Outcome<AnyReceipt> {
    if (verdict.kind === "not-sent") return verdict;
    if (verdict.kind === "doubt") return { ...verdict, nonce };
    const receivedAt = this.#parts.clock.now();
    if (verdict.kind === "accepted") return { kind: "accepted", value: verdict.value, nonce, receivedAt };
    return { kind: "rejected", failure: verdict.failure, nonce, receivedAt };
  }

  #inquire(first: Exclude<Job, { kind: "money" }>, members: Candidate<Job>["members"]): void {
    const { clock } = this.#parts;
    const isSigned = first.kind === "witness";
    const drawn = isSigned ? this.#slots.nonce(clock.now(), clock.monotonic()) : undefined;
    invariant(drawn?.ok !== false, "the first request of a run is unsigned and tells the venue's time");
    const nonce = drawn?.value;
    invariant(this.#slots.begin(clock.monotonic()), "a slot of virtual time is not lost between two statements");
    const served = this.#asked(first);
    this.#travel(served, () => {
      const { verdict, date: at } = served;
      const receivedAt = clock.now();
      const reading: Reading<unknown> =
        verdict.kind === "failed" ? verdict : { kind: "read", value: verdict.value, at, receivedAt, nonce };
      for (let i = 0; i < members.length; i++) this.#heard((members[i] as { readonly item: Job }).item, reading);
    });
  }

  #asked(job: Exclude<Job, { kind: "money" }>): Served<{ kind: "read"; value: unknown } | FailedReading> {
    const { line, key, exactly } = this.#parts;
    const at = exactly();
    switch (job.kind) {
      case "quotes":
        return line.read(askQuotes, tellQuotes, at);
      case "pairs":
        return line.read((venue) => ok(venue.pairs()), eachOf(told.pair), at);
      case "witness":
        return this.#witness(job.question, key, at);
      default:
        return unreachable(job);
    }
  }

  #witness(
    { witness, asset }: Question,
    key: string,
    at: number,
  ): Served<{ kind: "read"; value: Listing } | FailedReading> {
    const { line } = this.#parts;
    switch (witness) {
      case "balances":
        return line.read((venue, moment) => venue.balances(key, moment), tellBalances, at);
      case "trades":
        return line.read((venue, moment) => venue.trades(key, moment), this.#tellTrades, at);
      case "orders":
        return line.read((venue, moment) => venue.orders(key, moment), this.#tellOrders, at);
      case "rails":
        return line.read((venue, moment) => venue.rails(key, moment), eachOf(told.listedRail), at);
      case "payments":
        return line.read((venue, moment) => venue.payments(key, moment), eachOf(told.payment), at);
      case "addresses":
        return line.read((venue) => venue.withdrawAddresses(key), eachOf(told.address), at);
      case "supply-changes": {
        invariant(asset !== undefined, "supply changes are asked of one asset");
        return line.read((venue, moment) => venue.supplyChanges(key, { asset }, moment), eachOf(told.supplyChange), at);
      }
      default:
        return unreachable(witness);
    }
  }

  /** The answer is there when its time has passed; then the slot ends. */
  #travel({ tookMs, date, verdict }: Served<{ kind: string; failure?: { code: string } }>, arrived: () => void): void {
    const { clock, due } = this.#parts;
    due.add(clock.monotonic() + tookMs, () => {
      const at = clock.monotonic();
      if (date === undefined) this.#slots.end({ kind: "abandoned" }, at);
      else {
        const rateLimited = verdict.failure?.code === "rate-limited";
        this.#slots.observe(date, at);
        this.#slots.end({ kind: "answered", rateLimited, retryAfterMs: undefined }, at);
      }
      this.#turn();
      arrived();
    });
  }

  #ended({ approval }: Extract<Job, { kind: "money" }>, outcome: Outcome<AnyReceipt>): void {
    const id = idOf(approval);
    const { departures, post, put } = this.#parts;
    put(post.outcome(id, outcome, departures.ended(id, outcome)));
  }

  #heard(job: Job, reading: Reading<unknown>): void {
    const { post, put } = this.#parts;
    switch (job.kind) {
      case "quotes":
        this.#parts.arrive(post.quoteEvents(reading as Parameters<Post["quoteEvents"]>[0]));
        break;
      case "pairs":
        for (const input of post.pairs(reading as Parameters<Post["pairs"]>[0])) put(input);
        break;
      case "witness":
        if (reading.kind === "read") this.#parts.heard(reading.at);
        put(post.witness(heardOf(job.question, job.askedAt, reading as Reading<Listing>), job.standing));
        break;
      default:
        invariant(false, "what moves money is not read");
    }
  }

  #dropped(job: Job, reason: string): void {
    if (job.kind === "money") this.#ended(job, notSent("dropped", reason));
    else this.#heard(job, { kind: "dropped", reason });
  }
}

type FailedReading = Extract<Reading<never>, { kind: "failed" }>;

function eachOf<R, T>(
  tell: (row: R, receivedAt: Millis) => T,
): (rows: readonly R[], receivedAt: Millis) => readonly T[] {
  return (rows, receivedAt) => rows.map((row) => tell(row, receivedAt));
}

const askQuotes = (venue: VenueCalls, moment: VenueMoment) => venue.floatQuotes(moment);
const tellQuotes = eachOf(told.floatQuote);
const tellBalances = eachOf(told.balance);

/** Field by field: a copy of all that a want may have is most of what it costs to ask. */
function keyed({ class: wanted, worth, deadline, begins }: Want, key: string): Want {
  const keyed: { -readonly [K in keyof Want]: Want[K] } = { class: wanted, key };
  if (worth !== undefined) keyed.worth = worth;
  if (deadline !== undefined) keyed.deadline = deadline;
  if (begins !== undefined) keyed.begins = begins;
  return keyed;
}

function callOf({ witness, asset }: Question): string {
  return asset === undefined ? witness : `${witness} ${asset}`;
}

function notSent(code: string, reason: string): Extract<Outcome<never>, { kind: "not-sent" }> {
  return { kind: "not-sent", code, reason };
}
