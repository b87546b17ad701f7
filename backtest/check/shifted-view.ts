// A view of the same moment that says it is another date: nothing but the times differ.

import type { NoFair } from "../../src/domain/fair.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import type {
  BalanceView,
  BarView,
  FillView,
  OpenOrderView,
  OutcomeView,
  QuoteView,
  ReportView,
  View,
  Wake,
} from "../../src/strategy/view.ts";

export class ShiftedView implements View {
  readonly #view: View;
  readonly #shiftMs: number;

  constructor(view: View, shiftMs: number) {
    this.#view = view;
    this.#shiftMs = shiftMs;
    Object.freeze(this);
  }

  get now(): number {
    return this.#view.now + this.#shiftMs;
  }

  get fills(): readonly FillView[] {
    return this.#view.fills.map((fill) => this.#fill(fill));
  }

  get openOrders(): readonly OpenOrderView[] {
    return this.#view.openOrders.map((order) => this.#order(order));
  }

  get outcomes(): readonly OutcomeView[] {
    return this.#view.outcomes.map((outcome) => {
      return outcome.kind === "refused" ? { ...outcome, at: outcome.at + this.#shiftMs } : this.#reported(outcome);
    });
  }

  get report(): ReportView | undefined {
    const { report } = this.#view;
    return report && this.#reported(report);
  }

  #fill(fill: FillView): FillView {
    return { ...fill, decidedAt: fill.decidedAt + this.#shiftMs, at: fill.at + this.#shiftMs };
  }

  #order(order: OpenOrderView): OpenOrderView {
    return { ...order, decidedAt: order.decidedAt + this.#shiftMs };
  }

  #reported<R extends ReportView>(report: R): R {
    const shifted = { ...report, at: report.at + this.#shiftMs, order: this.#order(report.order) };
    return report.kind === "filled" ? { ...shifted, fill: this.#fill(report.fill) } : shifted;
  }

  get wake(): Wake {
    return this.#view.wake;
  }

  get quote(): QuoteView | undefined {
    return this.#view.quote;
  }

  get bar(): BarView | undefined {
    return this.#view.bar;
  }

  get fair(): number | undefined {
    return this.#view.fair;
  }

  get noFair(): NoFair | undefined {
    return this.#view.noFair;
  }

  get state(): unknown {
    return this.#view.state;
  }

  get params(): unknown {
    return this.#view.params;
  }

  get balances(): readonly BalanceView[] {
    return this.#view.balances;
  }

  get instruments(): readonly Instrument[] {
    return this.#view.instruments;
  }

  get quoteOf(): View["quoteOf"] {
    return this.#view.quoteOf;
  }

  get fairOf(): View["fairOf"] {
    return this.#view.fairOf;
  }

  get noFairOf(): View["noFairOf"] {
    return this.#view.noFairOf;
  }

  get note(): View["note"] {
    return this.#view.note;
  }

  get balanceOf(): View["balanceOf"] {
    return this.#view.balanceOf;
  }

  get instrumentOf(): View["instrumentOf"] {
    return this.#view.instrumentOf;
  }

  get refusalOf(): View["refusalOf"] {
    return this.#view.refusalOf;
  }

  get buy(): View["buy"] {
    return this.#view.buy;
  }

  get sell(): View["sell"] {
    return this.#view.sell;
  }
}
