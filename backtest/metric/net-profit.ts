// What the run earned, exactly: worth at the end less worth at the start less what people paid in. The start is when the books
// open: a bot reads for some seconds first, and the rates of that moment value what it opens with, in every figure of money,
// although the first sample is stamped with the beginning of the run (`--from`). Whoever values the opening by the first row of
// the data is apart by what rates did in those seconds; profit over holding is not. A run that begins where something held has
// no price (a hole) opens with what it held before its first order, at the first rates that there are for all of it.
// Formula: sum(closing amount * closing rate) - sum(opening amount * opening rate) - value of what was adopted

import type { Money } from "../../src/domain/money/money.ts";
import type { RunRecord } from "../record/run-record.ts";
import { adoptedWorth, bookWorth, openingWorth } from "./basis/book-worth.ts";
import { type Figure, known, mapFigure } from "./basis/figure.ts";

export function netProfit({ books, settings: { currency } }: RunRecord): Figure<Money> {
  return mapFigure(bookWorth(books.closing, currency), (closing) =>
    mapFigure(openingWorth(books, currency), (opening) =>
      mapFigure(adoptedWorth(books, currency), (adopted) => known(closing.minus(opening).minus(adopted))),
    ),
  );
}
