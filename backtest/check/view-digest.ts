// Everything that a view shows, as two words of a hash: two calls with the same words were shown the same. Prices are mixed
// in bit by bit, so that the last digit counts.

import type {
  BalanceView,
  FillView,
  OpenOrderView,
  OutcomeView,
  QuoteView,
  ReportView,
  View,
} from "../../src/strategy/view.ts";

export class ViewDigest {
  readonly #number = new Float64Array(1);
  readonly #bits = new Uint32Array(this.#number.buffer);
  readonly #texts = new Map<string, number>();
  #one = 0;
  #other = 0;

  /** Both words as one whole number below 2^53: 53 bits of them. */
  of(view: View): number {
    this.#one = 0x243f6a88;
    this.#other = 0x85a308d3;
    this.#add(view.now);
    this.#text(view.wake);
    this.#quote(view.quote);
    this.#add(view.fair);
    this.#text(view.noFair ?? "fair");
    this.#bar(view);
    if (view.report !== undefined) this.#outcome(view.report);
    for (const instrument of view.instruments) {
      const { symbol, status } = instrument;
      this.#text(symbol);
      this.#text(status);
      this.#quote(view.quoteOf(symbol));
      this.#add(view.fairOf(symbol));
      this.#text(view.noFairOf(symbol) ?? "fair");
    }
    for (const balance of view.balances) this.#balance(balance);
    for (const fill of view.fills) this.#fill(fill);
    for (const order of view.openOrders) this.#order(order);
    for (const outcome of view.outcomes) this.#outcome(outcome);
    return (this.#one >>> 0) * 0x20_0000 + (this.#other >>> 11);
  }

  #quote(quote: QuoteView | undefined): void {
    this.#text(quote?.symbol ?? "none");
    this.#add(quote?.bid);
    this.#add(quote?.ask);
    this.#add(quote?.bidSize);
    this.#add(quote?.askSize);
    this.#add(quote?.ageMs);
  }

  #bar({ bar }: View): void {
    if (bar === undefined) return;
    this.#text(bar.symbol);
    for (const number of [bar.open, bar.high, bar.low, bar.close, bar.volume]) this.#add(number);
  }

  #balance({ asset, available, pending, reserved, spendable }: BalanceView): void {
    this.#text(asset);
    for (const number of [available, pending, reserved, spendable]) this.#add(number);
  }

  // Not the ids: every run draws its own.
  #fill({ symbol, side, quantity, price, fee, feeAsset, decidedAt, at }: FillView): void {
    this.#text(symbol);
    this.#text(side);
    this.#text(feeAsset);
    for (const number of [quantity, price, fee, decidedAt, at]) this.#add(number);
  }

  #order({ symbol, side, quantity, limit, decidedAt }: OpenOrderView): void {
    this.#text(symbol);
    this.#text(side);
    for (const number of [quantity, limit, decidedAt]) this.#add(number);
  }

  #outcome(outcome: OutcomeView | ReportView): void {
    this.#text(outcome.kind);
    this.#add(outcome.at);
    if (outcome.kind === "refused") this.#text(outcome.rule);
    else this.#order(outcome.order);
  }

  #add(number: number | undefined): void {
    this.#number[0] = number ?? Number.NaN;
    this.#mix(this.#bits[0] as number);
    this.#mix(this.#bits[1] as number);
  }

  #text(text: string): void {
    let word = this.#texts.get(text);
    if (word === undefined) {
      word = 0x811c9dc5;
      for (let i = 0; i < text.length; i++) word = Math.imul(word ^ text.charCodeAt(i), 0x01000193);
      this.#texts.set(text, word);
    }
    this.#mix(word);
  }

  #mix(word: number): void {
    const one = Math.imul(this.#one ^ word, 0x9e3779b1);
    const other = Math.imul(this.#other ^ word, 0x85ebca77);
    this.#one = (one ^ (one >>> 15)) + other;
    this.#other = (other ^ (other >>> 13)) + one;
  }
}
