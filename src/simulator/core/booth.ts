// One account at one pair: the listing that it trades by and the pockets that its trades move.

import type { Account } from "./account.ts";
import type { HousePockets } from "./house.ts";
import type { Pocket } from "./ledger.ts";
import type { Pair } from "./record.ts";

export type Booth = {
  readonly account: Account;
  readonly pair: Pair;
  readonly base: Pocket;
  readonly quote: Pocket;
  readonly dealerBase: Pocket;
  readonly dealerQuote: Pocket;
  readonly fees: Pocket;
};

export function createBooth(pockets: HousePockets, account: Account, pair: Pair): Booth {
  const { base, quote } = pair;
  return {
    account,
    pair,
    base: account.available(base),
    quote: account.available(quote),
    dealerBase: pockets.dealer(base),
    dealerQuote: pockets.dealer(quote),
    fees: pockets.fees(quote),
  };
}
