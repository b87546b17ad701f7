// What trading earned beyond doing nothing, exactly: changes of the rates that would have come anyway are left out.
// Formula: sum(closing amount * closing rate) - sum((opening + adopted amount) * closing rate)

import type { Money } from "../../src/domain/money/money.ts";
import type { RunRecord } from "../record/run-record.ts";
import { bookWorth, untradedWorth } from "./basis/book-worth.ts";
import { type Figure, known, mapFigure } from "./basis/figure.ts";

export function profitOverHolding({ books, settings: { currency } }: RunRecord): Figure<Money> {
  return mapFigure(bookWorth(books.closing, currency), (closing) =>
    mapFigure(untradedWorth(books, currency), (untraded) => known(closing.minus(untraded))),
  );
}
