// Empty books without prices, for replaying a journal: recorded steps carry the values of their moment.

import type { Asset } from "../../domain/asset.ts";
import { Pricing } from "../../market/pricing.ts";
import { createCounters } from "../../risk/create-counters.ts";
import { Accounts } from "../accounts/accounts.ts";
import { Books } from "./books.ts";
import { HiddenPrices } from "./hidden-prices.ts";
import { Valuation } from "./valuation.ts";

export function replayedBooks(currency: Asset): Books {
  // The fee bound only affects open orders.
  const accounts = new Accounts(0);
  const prices = new Pricing({
    par: new Map(),
    venueAgeMsMax: 0,
    referenceAgeMsMax: 0,
    sourcesMin: 1,
    disagreementBpsMax: 0,
  });
  const pricing = new Valuation(accounts, prices, currency);
  return new Books({
    ...{ accounts, prices, pricing },
    counters: createCounters(currency),
    hiddenPrices: new HiddenPrices(),
  });
}
