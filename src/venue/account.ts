// What the library keeps of an account: books, requests and gate, folded from the same journal as a bot's. A turn takes
// one fact or one wish, and its records are on disk before anything of it is sent or asked.

import { Accounts } from "../books/accounts/accounts.ts";
import { Books } from "../books/books.ts";
import { HiddenPrices } from "../books/hidden-prices.ts";
import { Valuation } from "../books/valuation.ts";
import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";
import type { Event } from "../domain/event.ts";
import type { Ids } from "../domain/ids.ts";
import type { Money, Quantity } from "../domain/money/money.ts";
import { notionalOf, stakeIn } from "../domain/notional.ts";
import type { Basis, Decision, OrderIntent, Step } from "../domain/step.ts";
import type { Ask } from "../execution/effects.ts";
import { createExecutor, type Executor } from "../execution/executor.ts";
import { DEFAULT_SETTINGS } from "../execution/parameters.ts";
import type { Moment, Witness } from "../execution/request.ts";
import { judgeMovement } from "../execution/send.ts";
import type { Journal } from "../journal/journal.ts";
import type { Entry, JournalRecord } from "../journal/record.ts";
import { Pricing } from "../market/pricing.ts";
import { Counters, type StateCommand } from "../risk/counters.ts";
import { type Approved, createGate } from "../risk/gate.ts";
import type { Candidate, Gate, GateVerdict, Rule } from "../risk/rule.ts";
import { orderFee } from "../risk/rules/losses.ts";
import { allowList } from "../risk/rules/price.ts";
import { decisionAge, openDoubts, orderRate } from "../risk/rules/rate.ts";
import { orderQuantity, spendable } from "../risk/rules/size.ts";
import {
  createMovementGate,
  type MovementGate,
  type MovementVerdict,
  type MovementWish,
} from "../risk/treasury-gate.ts";
import { VenueError } from "./contract.ts";
import type { Limits } from "./options.ts";

export type AccountParts = {
  readonly journal: Journal;
  readonly limits: Limits;
  readonly ids: Ids;
  readonly now: () => Moment;
};

export const LIFETIME_MS_MAX = 60_000;
const BATCH = 1_000;
const NO_PRICES: Basis = { bid: undefined, ask: undefined, fair: undefined, ageMs: undefined, rate: undefined };

/** The effects of a turn as they are collected. */
function newTurn() {
  const [records, asks, events] = [[] as JournalRecord[], [] as Ask[], [] as Event[]];
  const record = (one: JournalRecord): void => void records.push(one);
  const ask = (one: Ask): void => void asks.push(one);
  return { records, asks, events, record, rails: record, ask, tell: (event: Event): void => void events.push(event) };
}

export type Turn = ReturnType<typeof newTurn>;

export class Account {
  readonly books: Books;
  readonly executor: Executor;
  readonly gate: Gate<Approved>;
  readonly movements: MovementGate;
  readonly #parts: AccountParts;
  /** Read before money is sent: balances since which money was booked, and lists whose last question was not answered. */
  readonly due = new Set<Witness>();
  /** Memory is ahead of the disk: nothing may be sent. */
  broken: string | undefined = undefined;

  constructor(parts: AccountParts) {
    const { journal, limits, ids } = parts;
    this.#parts = parts;
    const { feeBpsMax } = limits;
    const currency = limits.currency as Asset;
    const accounts = new Accounts(feeBpsMax);
    const fair = { par: new Map(), venueAgeMsMax: 0, referenceAgeMsMax: 0, sourcesMin: 1, disagreementBpsMax: 0 };
    const prices = new Pricing(fair);
    const pricing = new Valuation(accounts, prices, currency);
    const equity = limits.equity?.of(currency);
    this.executor = createExecutor({
      ...{ writer: journal.writer, by: "library", settings: DEFAULT_SETTINGS, feeBpsMax },
      held: (asset) => accounts.settled(asset),
      equity: () => equity,
    });
    const counters = new Counters(currency);
    const { executor } = this;
    this.books = new Books({ accounts, counters, prices, pricing, hiddenPrices: new HiddenPrices(), executor });
    this.gate = createGate(rulesOf(limits), currency, ids);
    const mintMax = new Map(Object.entries(limits.mintMax) as [Asset, Quantity][]);
    const bounds = { mintMax, mintPerDayMax: new Map(), mintFeeBpsMax: feeBpsMax, reserveBps: 0, mintLosses: [] };
    this.movements = createMovementGate(bounds, ids);
    for (let after = 0, isOver = false; !isOver; ) {
      const read = journal.read(after, BATCH);
      if (!read.ok) throw new VenueError("failed", read.error.message);
      for (const entry of read.value) this.#fold(entry);
      after = read.value.at(-1)?.sequence ?? after;
      isOver = read.value.length < BATCH;
    }
  }

  get now(): Moment {
    return this.#parts.now();
  }

  /** Returns what is to be asked once the records are on disk. */
  async turn<T>(work: (turn: Turn, now: Moment) => T): Promise<{ readonly value: T; readonly asks: readonly Ask[] }> {
    if (this.broken !== undefined) throw new VenueError("failed", this.broken, AGAIN);
    const { journal } = this.#parts;
    const turn = newTurn();
    const written = await journal.transact(() => {
      const moment = this.now;
      this.books.moment = moment;
      this.books.take({ kind: "timer", receivedAt: moment.at });
      const value = work(turn, moment);
      for (let event = turn.events.shift(); event !== undefined; event = turn.events.shift()) this.#step(event, turn);
      return { records: turn.records, value };
    });
    if (written.ok) return { value: written.value, asks: turn.asks };
    this.broken = `the journal cannot be written: ${written.error.message}`;
    throw new VenueError("failed", this.broken, AGAIN);
  }

  /** Reserves and records an order that the gate approves. */
  order(candidate: Candidate, turn: Turn, now: Moment): GateVerdict<Approved> {
    const { books, gate, executor } = this;
    const verdict = gate.review(candidate, books);
    if (verdict.kind === "refused") return verdict;
    const { intent } = verdict;
    books.approved(intent, NO_PRICES);
    const { symbol, side, limit, quantity, reason } = candidate;
    const proposal = { symbol, side, limit: limit.toNumber(), size: String(quantity), reason, lifetimeMs: undefined };
    books.prices.moment.sequence++;
    const decision = { proposal, basis: NO_PRICES, verdict };
    this.#record({ kind: "timer", receivedAt: now.at }, turn, [{ kind: "submit", intent }], [decision]);
    executor.intend(intent, stakeOf(intent, books.pricing.currency), now, turn);
    return verdict;
  }

  /** The same for a mint or a rail. */
  move(wish: MovementWish, turn: Turn, now: Moment): MovementVerdict {
    const { books, executor } = this;
    const verdict = judgeMovement(wish, this, now);
    if (verdict.kind === "refused") return verdict;
    const stake = wish.kind === "mint" ? stakeIn(books.pricing.currency, wish.mint.spentMax, undefined) : undefined;
    executor.intend(verdict.movement, stake, now, turn);
    return verdict;
  }

  #fold(entry: Entry): void {
    const { record } = entry;
    if (record.kind === "step") this.books.replay(record.step);
    else if (record.kind === "control") this.books.control(record);
    this.executor.fold(entry);
  }

  #step(given: Event, turn: Turn): void {
    const { books, gate } = this;
    const event = books.valued(given);
    if (event.kind === "movement" || (event.kind === "report" && event.report.kind === "filled"))
      this.due.add("balances");
    const taken = books.take(event);
    const found = [...(typeof taken === "string" ? [] : [taken]), ...gate.monitor(books)];
    if (event.kind === "control" && event.control.kind === "resume") this.executor.resumed();
    this.#record(
      event,
      turn,
      found.filter((command) => this.#isNews(command)),
    );
  }

  /** A state only gets stricter here, or gains a reason. */
  #isNews(command: StateCommand): boolean {
    const { counters } = this.books;
    const before = counters.tradingState;
    this.books.command(command);
    return counters.tradingState !== before;
  }

  #record(event: Event, turn: Turn, commands: Step["commands"], decisions: readonly Decision[] = []): void {
    const { sequence, now: at } = this.books;
    turn.record({ kind: "step", at, step: { sequence, at, event, decisions, commands, mark: undefined } });
  }
}

/** No price bounds a limit here, and a sale brings its limit or more: a coin counts at par at least, other money is of unknown worth. */
function stakeOf(order: OrderIntent, currency: Asset): Money | undefined {
  const { base, quote } = assetsOf(order.symbol);
  const [atLimit, isAtPar] = [notionalOf(order), standsFor(base) === quote];
  const most = order.side === "buy" ? atLimit : isAtPar ? atLimit.max(order.quantity.of(quote)) : undefined;
  return most && stakeIn(currency, most, undefined);
}

export const AGAIN = "close the venue and open it again, which verifies the journal";

/** The limit price is the caller's: no rule here needs a fair value. An order is never cut, it is refused. */
function rulesOf({ orderQuantityMax, ordersPerMinuteMax, feeBpsMax }: Limits): readonly Rule[] {
  const most = orderQuantityMax && new Map(Object.entries(orderQuantityMax) as [PairSymbol, Quantity][]);
  const rules = [
    most && allowList(new Set(most.keys())),
    decisionAge(LIFETIME_MS_MAX),
    openDoubts({ perAssetMax: 1, max: 2, ageMsMax: undefined }),
    ordersPerMinuteMax === undefined ? undefined : orderRate(ordersPerMinuteMax),
    most && orderQuantity(most),
    spendable(0, feeBpsMax),
    orderFee(feeBpsMax),
  ];
  return rules.filter((rule) => rule !== undefined);
}
