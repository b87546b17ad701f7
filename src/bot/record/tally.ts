// What is shown of a journal and is in no book: the last mark with what people put in or took out since.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { Entry } from "../../journal/record.ts";
import type { Books } from "../../risk/books.ts";

export type Mark = { readonly equity: Money; readonly at: Millis; readonly adopted: Money };

type SavedMoney = { readonly asset: Asset; readonly amount: string };

export type SavedTally = {
  readonly mark: { readonly equity: SavedMoney; readonly at: Millis; readonly adopted: SavedMoney } | null;
};

export class Tally {
  mark: Mark | undefined = undefined;
  readonly #books: Pick<Books, "peak">;
  /** As it was before the next step. */
  #peak: Money | undefined;

  /** `books`: as `saved` had them, or empty. */
  constructor(books: Pick<Books, "peak">, saved?: SavedTally) {
    this.#books = books;
    this.#peak = books.peak;
    if (saved !== undefined && saved.mark !== null)
      this.mark = { equity: load(saved.mark.equity), at: saved.mark.at, adopted: load(saved.mark.adopted) };
  }

  /** After the books have taken it. */
  take({ record }: Pick<Entry, "record">): void {
    const before = this.#peak;
    const after = this.#books.peak;
    this.#peak = after;
    if (record.kind === "step") this.#step(record.step, before, after);
  }

  #step({ mark, at }: Step, before: Money | undefined, after: Money | undefined): void {
    if (mark !== undefined) this.mark = { equity: mark, at, adopted: Money.zero(mark.asset) };
    // Without a mark the peak moves only by what people put in or took out. One that begins anew tells nothing.
    else if (this.mark !== undefined && before !== undefined && after !== undefined && before !== after)
      this.mark = { ...this.mark, adopted: this.mark.adopted.plus(after.minus(before)) };
  }

  save(): SavedTally {
    const { mark } = this;
    const saved = mark && { equity: mark.equity.toJSON(), at: mark.at, adopted: mark.adopted.toJSON() };
    return { mark: saved ?? null };
  }
}

function load({ amount, asset }: SavedMoney): Money {
  return Money.of(amount, asset);
}
