// Books of the real parts, with those of a test in place of some.

import { Accounts } from "../../src/books/accounts/accounts.ts";
import { Books, type BooksParts } from "../../src/books/books.ts";
import { HiddenPrices } from "../../src/books/hidden-prices.ts";
import { Valuation } from "../../src/books/valuation.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { type FairSettings, Pricing } from "../../src/market/pricing.ts";
import { Counters } from "../../src/risk/counters.ts";

const CHF = "CHF" as Asset;
const FAIR: FairSettings = {
  par: new Map(),
  venueAgeMsMax: 5_000,
  referenceAgeMsMax: 5_000,
  sourcesMin: 2,
  disagreementBpsMax: 30,
};

export function testBooks({
  accounts = new Accounts(20),
  counters = new Counters(CHF),
  prices = new Pricing(FAIR),
  ...rest
}: Partial<Omit<BooksParts, "pricing">> = {}): Books {
  const pricing = new Valuation(accounts, prices, CHF);
  return new Books({ accounts, counters, prices, pricing, hiddenPrices: new HiddenPrices(), ...rest });
}
