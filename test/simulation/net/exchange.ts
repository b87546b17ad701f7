// The way to the venue for one process: a slot a second, latency, lost requests and answers, lists that are late. A process
// that was killed hears nothing any more; what it had sent arrives all the same.

import type { Asset } from "../../../src/domain/asset.ts";
import type { Instrument } from "../../../src/domain/instrument.ts";
import { Quantity } from "../../../src/domain/money/money.ts";
import type { Random } from "../../../src/domain/random.ts";
import { type Clock, type Millis, millis, type Timers } from "../../../src/domain/time.ts";
import type { Exchange, Failure, MoneyWant, Nonce, Outcome, Reading } from "../../../src/exchange/port.ts";
import type { Life } from "../../support/crash-journal.ts";
import type { Kind } from "./kinds.ts";
import { CHF, type NetVenue, PAIR, VCHF } from "./venue.ts";

const SLOT_MS = 1_000;
const TIMEOUT_MS = 10_000;

/** What all processes share: slots, nonces, and how late each list is. */
export class Wire {
  readonly clock: Clock;
  readonly venue: NetVenue;
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #kind: Kind;
  readonly #lateMs = new Map<string, number>();
  /** Nothing is lost, late or failing any more. */
  isPeaceful = false;
  /** Called as a request that moves money leaves. */
  onSend: ((life: Life) => void) | undefined;
  #freeAt = 0;
  #nonce = 1_000;

  constructor(clock: Clock, timers: Timers, venue: NetVenue, random: Random, kind: Kind) {
    this.clock = clock;
    this.#timers = timers;
    this.venue = venue;
    this.#random = random;
    this.#kind = kind;
  }

  /** `isFresh`: for a person who looks at the portal, which is never behind. */
  exchange(life: Life, isFresh = false): Exchange {
    const read = <T>(list: string, rows: (at: Millis) => T): Promise<Reading<T>> =>
      this.#read(life, () => rows(this.#shownAt(list, isFresh)));
    const { venue } = this;
    return {
      assets: () => read("assets", () => []),
      pairs: () => read("pairs", () => [INSTRUMENT]),
      quotes: () => read("quotes", () => [this.#quote()]),
      balances: () => read("balances", (at) => venue.balances(at)),
      orders: () => read("orders", (at) => venue.orders(at)),
      trades: () => read("trades", (at) => venue.trades(at)),
      rails: () => read("rails", (at) => venue.rails(at)),
      payments: () => read("payments", (at) => venue.payments(at)),
      supplyChanges: (asset: Asset) => read("supply-changes", (at) => (asset === VCHF ? venue.supplyChanges(at) : [])),
      withdrawAddresses: () => read("addresses", () => []),
      depositAddress: () => read("deposit", () => "0x1"),
      addOrder: (order, want) =>
        this.#send(life, want, this.#kind.lost, () => {
          const fill = venue.order(order);
          return fill && { ...fill, tradeId: undefined };
        }),
      mintTokens: (mint, want) =>
        this.#send(life, want, Math.max(this.#kind.lost, this.#kind.lostMints), () =>
          venue.mint(mint, this.#kind.mintFeeBps),
        ),
      addPaymentRail: (rail, want) => this.#send(life, want, 0, () => venue.rail(rail)),
    };
  }

  /** The time that an answer of this list shows. */
  #shownAt(list: string, isFresh: boolean): Millis {
    const now = this.clock.now();
    if (this.isPeaceful || isFresh) return now;
    let late = this.#lateMs.get(list);
    if (late === undefined) {
      late = (this.#random.integer(0, 2) / 2) * this.#kind.lateMs;
      this.#lateMs.set(list, late);
    }
    const behind = this.#random.next() < this.#kind.behind ? this.#random.integer(5_000, 60_000) : 0;
    return millis(now - Math.max(late, behind));
  }

  async #read<T>(life: Life, rows: () => T): Promise<Reading<T>> {
    await this.#slot(life);
    const nonce = this.#next();
    const isFailing = !this.isPeaceful && this.#random.next() < 0.01;
    await this.#wait(life, this.#latencyMs());
    this.venue.accept(nonce);
    const value = rows();
    const at = this.clock.now();
    if (isFailing) {
      await this.#wait(life, TIMEOUT_MS);
      return { kind: "failed", failure: failure("timeout", "no answer within the time limit") };
    }
    await this.#wait(life, this.#latencyMs());
    return { kind: "read", value, at, receivedAt: this.clock.now(), nonce };
  }

  async #send<T>(life: Life, want: MoneyWant, lost: number, execute: () => T | undefined): Promise<Outcome<T>> {
    await this.#slot(life);
    const { clock, venue } = this;
    if (want.deadline !== undefined && clock.monotonic() > want.deadline)
      return notSent("stale", "the slot came too late");
    const dropped = want.recheck(clock.now());
    if (dropped !== undefined) return notSent("rechecked", dropped);
    const nonce = this.#next();
    try {
      want.sending({ nonce, digest: `d${nonce}`, host: "venue" });
    } catch (error) {
      if (life.isAlive) throw error;
      return never();
    }
    const refused = want.lastCheck();
    if (refused !== undefined) return notSent("switch", refused);
    this.onSend?.(life);
    let result: T | undefined;
    const fate = this.isPeaceful ? 1 : this.#random.next();
    const isRequestLost = fate < lost / 3;
    const isAnswerLost = fate < lost;
    const arrive = (): void => {
      venue.accept(nonce);
      result = execute();
    };
    if (isRequestLost) venue.lose(nonce, () => execute());
    else this.#timers.after(this.#latencyMs(), arrive);
    await this.#wait(life, isAnswerLost ? TIMEOUT_MS : 2 * LATENCY_MS_MAX);
    const receivedAt = clock.now();
    if (isAnswerLost)
      return { kind: "doubt", failure: failure("timeout", "no answer within the time limit"), nonce, halt: false };
    if (result === undefined)
      return { kind: "rejected", failure: failure("unfilled", "order cannot be filled"), nonce, receivedAt };
    return { kind: "accepted", value: result, nonce, receivedAt };
  }

  #next(): Nonce {
    return ++this.#nonce as Nonce;
  }

  #latencyMs(): number {
    return this.#random.integer(20, LATENCY_MS_MAX);
  }

  async #slot(life: Life): Promise<void> {
    const now = this.clock.monotonic();
    this.#freeAt = Math.max(this.#freeAt + SLOT_MS, now);
    await this.#wait(life, this.#freeAt - now);
  }

  #wait(life: Life, ms: number): Promise<void> {
    return new Promise((resolve) => {
      life.timers(this.#timers).after(ms, resolve);
    });
  }

  #quote() {
    const bid = 0.9995 + this.#random.integer(0, 20) / 100_000;
    const receivedAt = this.clock.now();
    const size = 1_000_000;
    return {
      symbol: PAIR,
      bid,
      ask: bid + 0.0005,
      bidSize: size,
      askSize: size,
      source: "venue",
      at: undefined,
      receivedAt,
    };
  }
}

const LATENCY_MS_MAX = 200;

const INSTRUMENT: Instrument = {
  symbol: PAIR,
  base: VCHF,
  quote: CHF,
  status: "online",
  quantityDecimals: 2,
  priceDecimals: 6,
  quantityMin: Quantity.of("1"),
};

function failure(code: string, message: string): Failure {
  return { code, status: undefined, venueCode: undefined, message };
}

function notSent(code: string, reason: string): Outcome<never> {
  return { kind: "not-sent", code, reason };
}

function never(): Promise<never> {
  return new Promise(() => {});
}
