// The books that a record is read beside. Who has nothing but steps folds them by the bot's own accounts, so that both agree
// to the last digit; who has the bot itself asks its accounts and keeps none beside them.

import { Accounts } from "../../src/bot/accounts/accounts.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Event } from "../../src/domain/event.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import type { Money } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../src/domain/order.ts";
import type { OrderIntent } from "../../src/domain/step.ts";
import type { Millis } from "../../src/domain/time.ts";

/** What a fill brought when it entered the books. */
export type Booked = { readonly realised: Money | undefined };

export interface StepBooks {
  /** What is held and in flight is the same while it stands still. */
  readonly version: number;
  held(asset: Asset): Money | undefined;
  inFlight(asset: Asset): Money | undefined;
  /** Balances, instruments, mints and payments, what people put in. */
  event(event: Event, at: Millis): void;
  /** False when it is of no pair that is listed: nothing can come of it. */
  approve(intent: OrderIntent): boolean;
  release(id: ClientOrderId): void;
  /** Undefined when the fill is not new to the books. */
  book(fill: Fill): Booked | undefined;
}

export class FoldedBooks implements StepBooks {
  // The budget for fees only widens reservations, and none is asked for here.
  readonly #accounts = new Accounts(0);
  #instruments: ReadonlyMap<PairSymbol, Instrument> = new Map();

  get version(): number {
    return this.#accounts.ledger.version;
  }

  held(asset: Asset): Money | undefined {
    return this.#accounts.held(asset);
  }

  inFlight(asset: Asset): Money {
    return this.#accounts.inFlight(asset);
  }

  event(event: Event, at: Millis): void {
    if (event.kind === "instruments")
      this.#instruments = new Map(event.instruments.map((instrument) => [instrument.symbol, instrument]));
    else if (event.kind === "balances") this.#accounts.tell(event.balances);
    else if (event.kind === "movement") this.#accounts.move(event.id, event.report, at);
    else if (event.kind === "adoption") this.#accounts.adopt(event.amounts, event.costs);
  }

  approve(intent: OrderIntent): boolean {
    const isListed = this.#instruments.has(intent.symbol);
    if (isListed) this.#accounts.reserve(intent);
    return isListed;
  }

  release(id: ClientOrderId): void {
    this.#accounts.release(id);
  }

  book(fill: Fill): Booked | undefined {
    const booking = this.#accounts.book(fill);
    return booking.kind === "booked" ? booking : undefined;
  }
}

/** Of a bot in this process: every step has been taken by its accounts before it is recorded. */
export class RunningBooks implements StepBooks {
  #accounts: Accounts | undefined;
  /** Since the last step that was read: one, as a rule. */
  readonly #booked: { readonly id: ClientOrderId; readonly realised: Money | undefined }[] = [];

  follow(accounts: Accounts): void {
    this.#accounts = accounts;
    accounts.onBooked = ({ clientOrderId: id }, realised) => this.#booked.push({ id, realised });
  }

  get version(): number {
    return this.#accounts?.ledger.version ?? 0;
  }

  held(asset: Asset): Money | undefined {
    return this.#accounts?.held(asset);
  }

  inFlight(asset: Asset): Money | undefined {
    return this.#accounts?.inFlight(asset);
  }

  event(): void {}

  approve(): boolean {
    return true;
  }

  release(): void {}

  book(fill: Fill): Booked | undefined {
    const place = this.#booked.findIndex(({ id }) => id === fill.clientOrderId);
    return place < 0 ? undefined : this.#booked.splice(place, 1)[0];
  }
}
