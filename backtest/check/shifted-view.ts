// A view of the same moment that says it is another date: nothing but the times differ.

import type { Instrument } from "../../src/domain/instrument.ts";
import type { BalanceView, BarView, FillView, OpenOrderView, QuoteView, View, Wake } from "../../src/strategy/view.ts";

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
    return this.#view.fills.map(({ symbol, side, quantity, price, at }) => ({
      symbol,
      side,
      quantity,
      price,
      at: at + this.#shiftMs,
    }));
  }

  get openOrders(): readonly OpenOrderView[] {
    return this.#view.openOrders.map(({ symbol, side, quantity, limit, decidedAt }) => ({
      symbol,
      side,
      quantity,
      limit,
      decidedAt: decidedAt + this.#shiftMs,
    }));
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

  get balanceOf(): View["balanceOf"] {
    return this.#view.balanceOf;
  }

  get instrumentOf(): View["instrumentOf"] {
    return this.#view.instrumentOf;
  }

  get buy(): View["buy"] {
    return this.#view.buy;
  }

  get sell(): View["sell"] {
    return this.#view.sell;
  }
}
