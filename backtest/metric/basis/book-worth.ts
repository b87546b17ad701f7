// What the books are worth at an end of the run, exactly: amounts at exact rates, rounded down.

import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Price } from "../../../src/domain/money/money.ts";
import type { Books, Holding } from "../../record/run-record.ts";
import { type Figure, known, notAvailable } from "./figure.ts";

export function bookWorth(holdings: readonly Holding[], currency: Asset): Figure<Money> {
  let total = Money.zero(currency);
  for (const { asset, amount, rate } of holdings) {
    const held = Money.of(amount, asset);
    if (held.isZero()) continue;
    if (rate === undefined) return notAvailable(`${asset} has no rate in ${currency}`);
    total = total.plus(held.valued(Price.of(rate), currency, "down"));
  }
  return known(total);
}

export function openingWorth({ opening }: Books, currency: Asset): Figure<Money> {
  return opening === undefined ? NEVER_OPENED : bookWorth(opening, currency);
}

const NEVER_OPENED = notAvailable(
  "the books never opened: in this time the bot did not come to know what it holds and what all of it is worth",
);

/** Net value of what people put in. */
export function adoptedWorth(books: Books, currency: Asset): Figure<Money> {
  let total = Money.zero(currency);
  for (const { value } of books.adopted) {
    if (value === undefined) return notAvailable("something was adopted that had no rate");
    total = total.plus(Money.of(value, currency));
  }
  return known(total);
}

/** What was there at the opening and put in later, at the rates of the close. */
export function untradedWorth({ opening, closing, adopted }: Books, currency: Asset): Figure<Money> {
  if (opening === undefined) return NEVER_OPENED;
  const amounts = new Map<Asset, Money>();
  const add = (asset: Asset, amount: string): void => {
    amounts.set(asset, (amounts.get(asset) ?? Money.zero(asset)).plus(Money.of(amount, asset)));
  };
  for (const { asset, amount } of opening) add(asset, amount);
  for (const one of adopted) for (const { asset, amount } of one.amounts) add(asset, amount);
  const rates = new Map(closing.map(({ asset, rate }) => [asset, rate]));
  const held = [...amounts].map(([asset, amount]) => ({ asset, amount: amount.toString(), rate: rates.get(asset) }));
  return bookWorth(held, currency);
}
