// What views show of accounts: amounts as floats, worked out when they are looked at and kept until the accounts change.

import type { Asset } from "../domain/asset.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Millis } from "../domain/time.ts";
import type { BalanceView, FillView, OpenOrderView } from "../strategy/view.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { OpenOrder } from "./accounts/open-orders.ts";

/** What the limits keep back: a part of each asset (RC17), and what the fee of an order may come to. */
export type KeptBack = { readonly reserveBps: number; readonly feeBps: number };

type SeenFill = { readonly fill: Fill; readonly at: Millis };

const BPS = 1e4;
const FILLS_MAX = 32;
const NONE: readonly never[] = Object.freeze([]);

export class AccountSight {
  readonly #accounts: Accounts;
  readonly #kept: KeptBack;
  #balances: readonly BalanceView[] = [];
  #balancesAt = -1;
  /** Of single assets, each with the version that it is of: most strategies look at two. */
  readonly #views = new Map<string, { readonly version: number; readonly view: BalanceView | undefined }>();
  #openOrders: readonly OpenOrderView[] = NONE;
  #openOrdersAt = -1;
  readonly #recent: SeenFill[] = [];
  #fills: readonly FillView[] | undefined = undefined;

  constructor(accounts: Accounts, kept: KeptBack) {
    this.#accounts = accounts;
    this.#kept = kept;
  }

  get balances(): readonly BalanceView[] {
    const { version, assets } = this.#accounts;
    if (this.#balancesAt !== version) {
      this.#balances = Object.freeze(assets.map((asset) => this.balanceOf(asset) as BalanceView));
      this.#balancesAt = version;
    }
    return this.#balances;
  }

  get openOrders(): readonly OpenOrderView[] {
    const { version, open } = this.#accounts;
    if (this.#openOrdersAt !== version) {
      this.#openOrders = open.size === 0 ? NONE : Object.freeze(Array.from(open.values(), orderView));
      this.#openOrdersAt = version;
    }
    return this.#openOrders;
  }

  /** Newest last. */
  get fills(): readonly FillView[] {
    this.#fills ??= Object.freeze(this.#recent.slice(-FILLS_MAX).map(fillView));
    return this.#fills;
  }

  balanceOf(asset: string): BalanceView | undefined {
    const { version } = this.#accounts;
    const known = this.#views.get(asset);
    if (known?.version === version) return known.view;
    const view = this.#accounts.assets.includes(asset as Asset) ? this.#balance(asset as Asset) : undefined;
    // A strategy may ask for any text.
    if (view !== undefined) this.#views.set(asset, { version, view });
    return view;
  }

  remember(fill: Fill, at: Millis): void {
    // Cut in blocks: what is seen of them is made when somebody looks.
    if (this.#recent.length >= 8 * FILLS_MAX) this.#recent.splice(0, this.#recent.length - FILLS_MAX);
    this.#recent.push({ fill, at });
    this.#fills = undefined;
  }

  #balance(asset: Asset): BalanceView {
    const told = this.#accounts.balance(asset);
    const spendable = floatOf(this.#accounts.spendable(asset));
    return Object.freeze({
      asset,
      available: floatOf(told?.available),
      pending: floatOf(told?.pending),
      reserved: this.#accounts.leaving(asset).toNumber(),
      spendable,
      free: spendable === undefined ? undefined : this.#free(asset, spendable),
    });
  }

  /** A signal: the gate works the same out exactly. */
  #free(asset: Asset, spendable: number): number {
    const { reserveBps, feeBps } = this.#kept;
    const held = floatOf(this.#accounts.held(asset)) ?? 0;
    const reserve = (Math.max(Math.abs(held), this.#accounts.placed(asset).toNumber()) * reserveBps) / BPS;
    return Math.max(0, (spendable - reserve) * (1 - feeBps / BPS));
  }
}

function fillView({ fill: { symbol, side, bought, sold }, at }: SeenFill): FillView {
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  const quantity = base.toNumber();
  return Object.freeze({ symbol, side, quantity, price: quote.toNumber() / quantity, at });
}

function orderView({ intent: { symbol, side, quantity, limit, decidedAt } }: OpenOrder): OpenOrderView {
  return Object.freeze({ symbol, side, quantity: quantity.toNumber(), limit: limit.toNumber(), decidedAt });
}

function floatOf(amount: Money | undefined): number | undefined {
  return amount?.toNumber();
}
