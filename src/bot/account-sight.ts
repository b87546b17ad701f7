// What views show of accounts: amounts as floats, worked out when they are looked at and kept until the accounts change.

import type { Asset } from "../domain/asset.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Millis } from "../domain/time.ts";
import type { BalanceView, FillView, OpenOrderView } from "../strategy/view.ts";
import type { Accounts } from "./accounts/accounts.ts";

const FILLS_MAX = 32;

export class AccountSight {
  readonly #accounts: Accounts;
  #version = -1;
  #balances: readonly BalanceView[] = [];
  #openOrders: readonly OpenOrderView[] = [];
  #fills: readonly FillView[] = Object.freeze([]);

  constructor(accounts: Accounts) {
    this.#accounts = accounts;
  }

  get balances(): readonly BalanceView[] {
    this.#refresh();
    return this.#balances;
  }

  get openOrders(): readonly OpenOrderView[] {
    this.#refresh();
    return this.#openOrders;
  }

  /** Newest last. */
  get fills(): readonly FillView[] {
    return this.#fills;
  }

  balanceOf(asset: string): BalanceView | undefined {
    return this.balances.find((balance) => balance.asset === asset);
  }

  remember(fill: Fill, at: Millis): void {
    const [base, quote] = fill.side === "buy" ? [fill.bought, fill.sold] : [fill.sold, fill.bought];
    const quantity = base.toNumber();
    const view = { symbol: fill.symbol, side: fill.side, quantity, price: quote.toNumber() / quantity, at };
    this.#fills = Object.freeze([...this.#fills.slice(1 - FILLS_MAX), Object.freeze(view)]);
  }

  #refresh(): void {
    if (this.#version === this.#accounts.version) return;
    this.#version = this.#accounts.version;
    this.#balances = Object.freeze(this.#accounts.assets.map((asset) => this.#balance(asset)));
    this.#openOrders = Object.freeze(
      Array.from(this.#accounts.open.values(), ({ intent: { symbol, side, quantity, limit, decidedAt } }) =>
        Object.freeze({ symbol, side, quantity: quantity.toNumber(), limit: limit.toNumber(), decidedAt }),
      ),
    );
  }

  #balance(asset: Asset): BalanceView {
    const told = this.#accounts.balance(asset);
    return Object.freeze({
      asset,
      available: floatOf(told?.available),
      pending: floatOf(told?.pending),
      reserved: this.#accounts.leaving(asset).toNumber(),
      spendable: floatOf(this.#accounts.spendable(asset)),
    });
  }
}

function floatOf(amount: Money | undefined): number | undefined {
  return amount?.toNumber();
}
