// The accounts as shown in views: amounts as floats, computed when they are read.

import type { Asset } from "../domain/asset.ts";
import type { OrderReport } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import type { Money } from "../domain/money/money.ts";
import { type Fill, fillPrice } from "../domain/order.ts";
import type { Decision, OrderIntent } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import type { BalanceView, FillView, OpenOrderView, OutcomeView, ReportView } from "../strategy/view.ts";
import type { Accounts, Figure } from "./accounts/accounts.ts";

/** The amounts that limits keep back: a share of each asset (RC17), and the maximum fee of an order. */
export type KeptBack = { readonly reserveBps: number; readonly feeBps: number };

type Filled = { readonly fill: Fill; readonly intent: OrderIntent; readonly at: Millis };

const BPS = 1e4;
const FILLS_MAX = 32;

export class AccountViews {
  readonly #accounts: Accounts;
  readonly #kept: KeptBack;
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
    return Object.freeze(this.#accounts.assets.map((asset) => this.#balance(asset)));
  }

  get openOrders(): readonly OpenOrderView[] {
    return Object.freeze(Array.from(this.#accounts.open.values(), ({ intent }) => orderView(intent)));
  }

  /** Newest last. */
  get fills(): readonly FillView[] {
    this.#fills ??= Object.freeze(this.#listed());
    return this.#fills;
  }

  /** A strategy may pass any text. */
  balanceOf(asset: string): BalanceView | undefined {
    return this.#accounts.assets.includes(asset as Asset) ? this.#balance(asset as Asset) : undefined;
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

function fillView(fill: Fill, { reason, decidedAt }: OrderIntent, at: Millis): FillView {
  const { clientOrderId: id, symbol, side, bought, sold, fee } = fill;
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  const quantity = base.toNumber();
  const price = fillPrice(quote.toNumber(), quantity);
  const paid = { price, fee: fee.toNumber(), feeAsset: fee.asset };
  return Object.freeze({ id, symbol, side, quantity, ...paid, reason, decidedAt, at });
}

function orderView(intent: OrderIntent): OpenOrderView {
  const { clientOrderId: id, symbol, side, reason, decidedAt } = intent;
  const [quantity, limit] = [intent.quantity.toNumber(), intent.limit.toNumber()];
  return Object.freeze({ id, symbol, side, quantity, limit, reason, decidedAt });
}

function floatOf(amount: Money | undefined): number | undefined {
  return amount?.toNumber();
}

const OUTCOMES_MAX = 32;

/** An order's report, or a refused proposal's decision, which has no intent. */
type Kept = {
  readonly intent: OrderIntent | undefined;
  readonly what: OrderReport | Decision;
  readonly at: Millis;
};

export class OutcomeViews {
  readonly #recent: Kept[] = [];
  #outcomes: readonly OutcomeView[] | undefined = undefined;

  /** Newest last. */
  get outcomes(): readonly OutcomeView[] {
    this.#outcomes ??= Object.freeze(this.#recent.flatMap((kept) => outcomeView(kept) ?? []));
    return this.#outcomes;
  }

  remember(intent: OrderIntent | undefined, what: OrderReport | Decision, at: Millis): void {
    this.#recent.push({ intent, what, at });
    if (this.#recent.length > OUTCOMES_MAX) this.#recent.shift();
    this.#outcomes = undefined;
  }
}

function outcomeView({ intent, what, at }: Kept): OutcomeView | undefined {
  if (intent === undefined) return refusalView(what as Decision, at);
  const view = reportView(what as OrderReport, intent, at);
  return view === undefined || isOpen(view) ? undefined : view;
}

function isOpen(view: ReportView): view is Extract<ReportView, { readonly kind: "doubt" | "escalated" }> {
  return view.kind === "doubt" || view.kind === "escalated";
}

function refusalView({ proposal, verdict }: Decision, at: Millis): OutcomeView | undefined {
  if (verdict.kind !== "refused") return undefined;
  const { rule, message: why } = verdict.refusal;
  return Object.freeze({ kind: "refused", proposal: proposal && Object.freeze({ ...proposal }), rule, why, at });
}

/** Undefined for a report that the order is only being sent. */
export function reportView(report: OrderReport, intent: OrderIntent, at: Millis): ReportView | undefined {
  const { kind } = report;
  switch (kind) {
    case "sending":
      return undefined;
    case "filled":
      return Object.freeze({ kind, order: orderView(intent), fill: fillView(report.fill, intent, at), at });
    case "rejected": {
      const { code, message: why } = report;
      return Object.freeze({ kind, order: orderView(intent), code, why, at });
    }
    case "doubt":
      return Object.freeze({ kind, order: orderView(intent), why: report.cause, at });
    case "not-sent":
    case "dead":
    case "escalated":
      return Object.freeze({ kind, order: orderView(intent), why: report.reason, at });
    default:
      return unreachable(kind);
  }
}
