// The calls of the library. Reads with a journal are evidence too: what they show confirms and resolves. A money call
// compares venue and books first, passes the gate, and leaves by the one dispatch; `settle` asks what is due.

import { errorMessage } from "../domain/error-message.ts";
import { pauseOrStop } from "../domain/pause.ts";
import { millis, type Timers } from "../domain/time.ts";
import { ABORTED } from "../exchange/budget/scheduler.ts";
import { type Exchange, type Reading as PortReading, unreadText, type Want } from "../exchange/port.ts";
import type { Profile } from "../exchange/profile.ts";
import { compareWithVenue, comparisonAsks, judgeStart } from "../execution/adjustment.ts";
import type { Dispatch, Heard, Question } from "../execution/dispatch.ts";
import type { Answer, Ask } from "../execution/effects.ts";
import { ESSENTIAL } from "../execution/parameters.ts";
import type { Moment, MoneyRequest, Witness } from "../execution/request.ts";
import { idOf } from "../execution/send.ts";
import { RESUME, stopsOf } from "../risk/trading-state.ts";
import type { Approval } from "../risk/treasury-gate.ts";
import type { Account, Turn } from "./account.ts";
import {
  type CallOptions,
  type Failure,
  type MintResult,
  type MoneyResult,
  type NewMint,
  type NewOrder,
  type NewRail,
  type OrderResult,
  type RailResult,
  type Reading,
  type Venue,
  VenueError,
} from "./contract.ts";
import type { Limits } from "./options.ts";
import { isOver, resultOf } from "./result.ts";
import { candidateOf, coinsIn, type Lookup, type MovementContent, mintOf, Refused, railOf } from "./wish.ts";

export type LibraryParts = {
  readonly exchange: Exchange;
  readonly dispatch: Dispatch;
  /** Without a state folder there is none. */
  readonly account: Account | undefined;
  readonly timers: Timers;
  readonly profile: Profile;
  readonly limits: Limits;
  /** Refuses another host than the journal's, and a clock that is wrong; asked before anything is sent. */
  readonly requireHost: () => Promise<void>;
  /** Why nothing may be sent: the kill file. */
  readonly stopped: () => string | undefined;
  /** The venue's time is not known yet: windows wait for it. */
  readonly isUnsure: () => boolean;
  /** Ends waiting reads; then the rest is closed. */
  readonly end: () => void;
  readonly close: () => Promise<unknown>;
};

type Decide = (turn: Turn, now: Moment) => ReturnType<Account["order"]> | ReturnType<Account["move"]>;

const ABORT: Failure = { code: "aborted", message: ABORTED };
const CLOSED: Failure = { code: "closed", message: "the venue was closed" };
const MOVEMENT_MS = 30_000;
const LOOK_MS = 1_000;

export class Library implements Venue {
  readonly #parts: LibraryParts;
  readonly #flights = new Map<string, Promise<void>>();
  readonly #underWay = new Set<Promise<unknown>>();
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  readonly assets: Venue["assets"] = (options) => this.#plain((exchange, want) => exchange.assets(want), options);
  readonly quotes: Venue["quotes"] = (options) => this.#plain((exchange, want) => exchange.quotes(want), options);
  readonly pairs: Venue["pairs"] = (options) =>
    this.#plain(async (exchange, want) => {
      const reading = await exchange.pairs(want);
      const { account } = this.#parts;
      if (reading.kind === "read" && reading.value.length > 0)
        await account?.turn((turn, { at }) =>
          turn.tell({ kind: "instruments", instruments: reading.value, receivedAt: at }),
        );
      return reading;
    }, options);
  readonly balances: Venue["balances"] = (options) => this.#list("balances", options);
  readonly orders: Venue["orders"] = (options) => this.#list("orders", options);
  readonly trades: Venue["trades"] = (options) => this.#list("trades", options);
  readonly rails: Venue["rails"] = (options) => this.#list("rails", options);
  readonly payments: Venue["payments"] = (options) => this.#list("payments", options);
  readonly withdrawAddresses: Venue["withdrawAddresses"] = (options) => this.#list("addresses", options);
  readonly supplyChanges: Venue["supplyChanges"] = (asset, options) =>
    this.#list("supply-changes", options, asset as Ask["asset"]);

  order(order: NewOrder, options?: CallOptions): Promise<OrderResult> {
    const calledAt = this.#parts.account?.now;
    const decide = async (account: Account): Promise<Decide> => {
      return (turn, now) => {
        const waitedMs = now.mono - (calledAt ?? now).mono;
        return account.order(candidateOf(order, account.books.instruments, { at: now.at, waitedMs }), turn, now);
      };
    };
    return this.#money(decide, options) as Promise<OrderResult>;
  }

  mint(mint: NewMint, options?: CallOptions): Promise<MintResult> {
    return this.#move((look) => mintOf(mint, look), mint.reason, options) as Promise<MintResult>;
  }

  rail(rail: NewRail, options?: CallOptions): Promise<RailResult> {
    return this.#move((look) => railOf(rail, look), rail.reason, options) as Promise<RailResult>;
  }

  #move(
    contentOf: (look: Lookup) => Promise<MovementContent>,
    reason = "library",
    options?: CallOptions,
  ): Promise<MoneyResult> {
    return this.#money(async (account): Promise<Decide> => {
      const content = await contentOf(this.#lookup(account));
      return (turn, now) => {
        const terms = { decidedAt: now.at, expiresAt: millis(now.at + MOVEMENT_MS), reason };
        return account.move({ ...content, ...terms }, turn, now);
      };
    }, options);
  }

  async settle(sent: MoneyResult, options: CallOptions = {}): Promise<MoneyResult> {
    const { id } = sent;
    const { account, timers } = this.#parts;
    if (id === undefined || account === undefined) return sent;
    const signal = ownSignal(options) ?? new AbortController().signal;
    for (;;) {
      await Promise.race([this.#flights.get(id), aborted(signal)]);
      const isBroken = account.broken !== undefined;
      if (!this.#isOpen(account, id) || isBroken || signal.aborted) return this.#result(account, id);
      if (this.#isClosing) throw new VenueError("closed", CLOSED.message);
      await this.#ready(account).catch(passOver);
      await this.#follow(account).catch(passOver);
      if (this.#isOpen(account, id)) await pauseOrStop(timers, LOOK_MS, signal);
    }
  }

  unsettled(): readonly MoneyResult[] {
    const { account } = this.#parts;
    const open = account?.executor.open() ?? [];
    const isUncertain = ({ state: { kind } }: MoneyRequest): boolean => kind === "unknown" || kind === "accepted";
    return open.filter((one) => isUncertain(one) || !isOver(one)).map((one) => resultOf(one, account?.broken));
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  get #isClosing(): boolean {
    return this.#closing !== undefined;
  }

  async #end(): Promise<void> {
    this.#parts.dispatch.close(CLOSED.message);
    await Promise.all(this.#flights.values());
    this.#parts.end();
    // Each may begin another; none finds a slot any more.
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.#parts.close();
  }

  #plain<T>(
    ask: (exchange: Exchange, want: Want) => Promise<PortReading<T>>,
    options: CallOptions | undefined,
  ): Promise<Reading<T>> {
    return this.#read<T>(async (signal) => {
      const reading = await ask(this.#parts.exchange, { class: "quote", signal });
      if (reading.kind === "failed") return reading;
      if (reading.kind === "dropped") return failed(reading.code ?? "dropped", reading.reason);
      const { value, receivedAt: at, problems = [] } = reading;
      return { kind: "read", value, at, unread: problems.map(unreadText) };
    }, options);
  }

  #list<T>(witness: Witness, options: CallOptions | undefined, asset?: Ask["asset"]): Promise<Reading<T>> {
    return this.#read<T>(async (signal) => {
      const heard = await this.#ask({ witness, asset, class: "quote", signal });
      if (heard.kind === "unanswered") return failed(heard.code, heard.message);
      const { rows, receivedAt: at, unread = [] } = heard.answer;
      return { kind: "read", value: rows as T, at, unread: unread.map(unreadText) };
    }, options);
  }

  async #read<T>(
    work: (signal: AbortSignal | undefined) => Promise<Reading<T>>,
    options: CallOptions | undefined,
  ): Promise<Reading<T>> {
    if (this.#isClosing) return { kind: "failed", failure: CLOSED };
    const signal = ownSignal(options);
    const read = this.#tracked(work(signal));
    if (signal === undefined) return read;
    return Promise.race([read, aborted(signal).then(() => ({ kind: "failed", failure: ABORT }) as const)]);
  }

  /** A question of the account: its answer is evidence before it is anything else. */
  #ask(question: Question): Promise<Heard> {
    return this.#tracked(this.#hear(question));
  }

  /** Nothing is closed under it. */
  #tracked<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(passOver, passOver);
    this.#underWay.add(ended);
    void ended.then(() => this.#underWay.delete(ended));
    return work;
  }

  async #hear(question: Question): Promise<Heard> {
    const { dispatch, account } = this.#parts;
    const heard = await dispatch.ask(question);
    if (account === undefined) return heard;
    const { asks } = await account.turn((turn, now) => {
      const { witness } = heard.kind === "answer" ? heard.answer : heard;
      if (heard.kind === "answer") account.due.delete(witness);
      else if (ESSENTIAL.includes(witness)) account.due.add(witness);
      if (heard.kind === "unanswered") return account.executor.unanswered(heard, now, turn);
      account.executor.answered(heard.answer, now, turn);
      if (heard.answer.witness === "balances")
        turn.tell({ kind: "balances", balances: heard.answer.rows, receivedAt: now.at });
    });
    this.#askLater(asks);
    return heard;
  }

  #askLater(asks: readonly Ask[]): void {
    for (const ask of asks) void this.#ask(ask).catch(passOver);
  }

  /** Asks what is due about requests, and takes the answers. */
  async #follow(account: Account): Promise<void> {
    const { asks } = await account.turn((turn, now) => {
      account.executor.recover(now, turn, this.#parts.isUnsure());
      account.executor.time(now, turn);
    });
    await Promise.all(asks.map((ask) => this.#ask(ask)));
  }

  /** Once in a process, before anything is sent: the venue's lists are read, and books that were never opened open with them. */
  async #ready(account: Account): Promise<void> {
    this.#opening ??= this.#compare(account);
    await this.#opening.catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
  }

  async #compare(account: Account): Promise<void> {
    const { executor, books } = account;
    await this.#parts.requireHost();
    const pairs = await this.pairs();
    if (pairs.kind === "failed") throw new Refused(pairs.failure.code, pairs.failure.message);
    await this.#follow(account);
    const all = comparisonAsks(coinsIn(books.instruments), executor.treasury.hasRails);
    const asks = executor.isOpened ? all.filter(({ witness }) => ESSENTIAL.includes(witness)) : all;
    const answers = await Promise.all(asks.map((ask) => this.#answerTo(ask)));
    if (executor.isOpened) return;
    await account.turn((turn, now) => {
      const compared = compareWithVenue(executor, answers, books.accounts, now);
      if (!compared.ok) throw new Refused("unreadable", compared.error);
      const start = judgeStart(executor, compared.value, now, "library");
      if (start.kind === "refused") throw new Refused("books-unopened", start.reason, start.wayOut);
      if (start.kind !== "first") return;
      const { record } = start.plan;
      executor.adopt(record, now, turn);
      turn.tell({ kind: "adoption", amounts: record.amounts, reason: record.reason, receivedAt: record.at });
    });
  }

  async #answerTo(ask: Ask): Promise<Answer> {
    const heard = await this.#ask(ask);
    if (heard.kind === "answer") return heard.answer;
    throw new Refused(codeOf(heard.code, heard.message), `${heard.witness}: ${heard.message}`);
  }

  #money(prepare: (account: Account) => Promise<Decide>, options?: CallOptions): Promise<MoneyResult> {
    return this.#tracked(this.#moved(prepare, options));
  }

  async #moved(prepare: (account: Account) => Promise<Decide>, options?: CallOptions): Promise<MoneyResult> {
    const { account } = this.#parts;
    const signal = ownSignal(options);
    try {
      if (this.#isClosing) return notSent(CLOSED);
      if (account === undefined) return notSent(STATELESS);
      if (signal?.aborted) return notSent(ABORT);
      const stopped = this.#parts.stopped();
      if (stopped !== undefined) return notSent({ code: "halted", message: stopped, next: RESUME });
      await this.#ready(account);
      await this.#follow(account);
      for (const witness of account.due) await this.#answerTo({ witness, asset: undefined, class: "balance" });
      const decide = await prepare(account);
      if (signal?.aborted) return notSent(ABORT);
      if (this.#isClosing) return notSent(CLOSED);
      const { value } = await account.turn(decide);
      if (value.kind === "refused") return notSent(this.#refusalOf(account, value.refusal));
      return await this.#send(account, "intent" in value ? value.intent : value.movement, signal);
    } catch (error) {
      if (error instanceof Refused) return notSent(this.#isClosing ? CLOSED : error.failure);
      throw error;
    }
  }

  /** A halt names what leads out of it. */
  #refusalOf({ books }: Account, { rule, message }: { readonly rule: string; readonly message: string }): Failure {
    const [stop] = stopsOf(books.counters.tradingState);
    // Nothing is cut here, so what a cut would have left is not said.
    return { code: rule, message: message.replace(/; what is left of the order.*/, ""), next: stop?.wayOut };
  }

  async #send(account: Account, approval: Approval, signal: AbortSignal | undefined): Promise<MoneyResult> {
    const id = idOf(approval);
    const flight = this.#carry(account, approval, signal);
    this.#flights.set(id, flight);
    void flight.then(() => this.#flights.delete(id));
    await (signal === undefined ? flight : Promise.race([flight, aborted(signal)]));
    // Aborted in the queue, it ends at once; once its record of sending is written, bytes may be out.
    if (account.executor.get(id)?.state.kind === "intended") await flight;
    return this.#result(account, id);
  }

  /** It always resolves: whatever goes wrong after bytes may have left is an unknown outcome, and nothing more is sent. */
  async #carry(account: Account, approval: Approval, signal: AbortSignal | undefined): Promise<void> {
    try {
      const { id, outcome, control } = await this.#parts.dispatch.send(approval, signal);
      const { asks } = await account.turn((turn, now) => {
        account.executor.outcome(id, outcome, now, turn);
        if (control !== undefined) turn.tell({ kind: "control", control, receivedAt: now.at });
      });
      this.#askLater(asks);
    } catch (error) {
      account.broken ??= errorMessage(error);
    }
  }

  #isOpen(account: Account, id: string): boolean {
    const request = account.executor.get(id);
    return request !== undefined && !isOver(request);
  }

  #result(account: Account, id: string): MoneyResult {
    const request = account.executor.get(id);
    if (request === undefined) throw new VenueError("refused", `the journal must know ${id}, and does not`);
    return resultOf(request, account.broken);
  }

  #lookup({ executor }: Account): Lookup {
    const { exchange, profile, limits } = this.#parts;
    return {
      ...{ executor, profile, limits },
      assets: () => exchange.assets({ class: "balance" }),
      ask: (ask) => this.#answerTo(ask),
      depositAddress: (asset, blockchain) => exchange.depositAddress(asset, blockchain, { class: "balance" }),
    };
  }
}

const STATELESS: Failure = {
  code: "state-required",
  message: "money calls need a journal, and this venue was opened without state",
  next: 'createVenue({ ..., state: "./state" })',
};

function notSent(failure: Failure): MoneyResult {
  return { kind: "not-sent", id: undefined, failure };
}

function failed(code: string, message: string): Reading<never> {
  return { kind: "failed", failure: { code: codeOf(code, message), message } };
}

function codeOf(code: string, message: string): string {
  return message === ABORTED ? ABORT.code : code;
}

/** Of this call alone: listeners end with it, however long the caller keeps its own. */
function ownSignal(options: CallOptions | undefined): AbortSignal | undefined {
  return options?.signal && AbortSignal.any([options.signal]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A look that failed is made again, and a broken journal shows in what follows. */
function passOver(): void {}
