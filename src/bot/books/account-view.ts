// The accounts as shown in views: amounts as floats, computed on first read and cached until the accounts change.

import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import { type Fill, fillPrice } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { BalanceView, FillView, OpenOrderView } from "../../strategy/view.ts";
import type { Accounts, Figure } from "../accounts/accounts.ts";
import type { OpenOrder } from "../accounts/open-orders.ts";

/** The amounts that limits keep back: a share of each asset (RC17), and the maximum fee of an order. */
export type KeptBack = { readonly reserveBps: number; readonly feeBps: number };

type Filled = { readonly fill: Fill; readonly intent: OrderIntent; readonly at: Millis };

const BPS = 1e4;
const FILLS_MAX = 32;
const NONE: readonly never[] = Object.freeze([]);

export class AccountViews {
  readonly #accounts: Accounts;
  readonly #kept: KeptBack;
  #balances: readonly BalanceView[] = [];
  #balancesAt = -1;
  /** The views of single assets at this version; most strategies read two. */
  readonly #views = new Map<string, BalanceView>();
  #viewsAt = -1;
  #openOrders: readonly OpenOrderView[] = NONE;
  #openOrdersAt = -1;
  #orderViews: ReadonlyMap<OpenOrder, OpenOrderView> = new Map();
  /** The last fills, oldest first. */
  readonly #recent: Filled[] = [];
  #fills: readonly FillView[] | undefined = undefined;
  /** Earlier fills, from a saved engine. */
  readonly #before: readonly FillView[];

  constructor(accounts: Accounts, kept: KeptBack, fills: readonly FillView[]) {
    this.#accounts = accounts;
    this.#kept = kept;
    this.#before = fills.map((fill) => Object.freeze({ ...fill }));
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
    if (open.size === 0) return NONE;
    if (this.#openOrdersAt !== version) {
      // An order's view does not change while the order is open.
      const views = new Map<OpenOrder, OpenOrderView>();
      for (const order of open.values()) views.set(order, this.#orderViews.get(order) ?? orderView(order.intent));
      this.#orderViews = views;
      this.#openOrders = Object.freeze([...views.values()]);
      this.#openOrdersAt = version;
    }
    return this.#openOrders;
  }

  /** Newest last. */
  get fills(): readonly FillView[] {
    this.#fills ??= Object.freeze(this.#listed());
    return this.#fills;
  }

  /** The same object while the accounts are unchanged. A strategy may pass any text. */
  balanceOf(asset: string): BalanceView | undefined {
    const { version, assets } = this.#accounts;
    if (this.#viewsAt !== version) this.#views.clear();
    this.#viewsAt = version;
    const known = this.#views.get(asset);
    if (known !== undefined || !assets.includes(asset as Asset)) return known;
    const view = this.#balance(asset as Asset);
    this.#views.set(asset, view);
    return view;
  }

  /** The view is built on first read. */
  remember(fill: Fill, intent: OrderIntent, at: Millis): void {
    this.#recent.push({ fill, intent, at });
    if (this.#recent.length > FILLS_MAX) this.#recent.shift();
    this.#fills = undefined;
  }

  #listed(): FillView[] {
    const views = this.#recent.map(({ fill, intent, at }) => fillView(fill, intent, at));
    return [...this.#before, ...views].slice(-FILLS_MAX);
  }

  #balance(asset: Asset): BalanceView {
    const told = this.#accounts.balance(asset);
    const figure = this.#accounts.figureOf(asset);
    const spendable = floatOf(figure.spendable);
    return Object.freeze({
      asset,
      available: floatOf(told?.available),
      pending: floatOf(told?.pending),
      reserved: figure.leaving.toNumber(),
      spendable,
      free: spendable === undefined ? undefined : this.#free(figure, spendable),
    });
  }

  /** In floats, as a signal; the gate computes the same exactly. */
  #free({ held, placed }: Figure, spendable: number): number {
    const { reserveBps, feeBps } = this.#kept;
    const reserve = (Math.max(Math.abs(floatOf(held) ?? 0), placed.toNumber()) * reserveBps) / BPS;
    return Math.max(0, (spendable - reserve) * (1 - feeBps / BPS));
  }
}

export function fillView(fill: Fill, { reason, decidedAt }: OrderIntent, at: Millis): FillView {
  const { clientOrderId: id, symbol, side, bought, sold, fee } = fill;
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  const quantity = base.toNumber();
  const price = fillPrice(quote.toNumber(), quantity);
  const paid = { price, fee: fee.toNumber(), feeAsset: fee.asset };
  return Object.freeze({ id, symbol, side, quantity, ...paid, reason, decidedAt, at });
}

export function orderView(intent: OrderIntent): OpenOrderView {
  const { clientOrderId: id, symbol, side, reason, decidedAt } = intent;
  const [quantity, limit] = [intent.quantity.toNumber(), intent.limit.toNumber()];
  return Object.freeze({ id, symbol, side, quantity, limit, reason, decidedAt });
}

function floatOf(amount: Money | undefined): number | undefined {
  return amount?.toNumber();
}
