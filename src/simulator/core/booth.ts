// One account at one pair: the listing that it trades by and the pockets that its trades move, looked up once.

import { Money, type Quantity } from "../../domain/money/money.ts";
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
  readonly noBase: Money;
  readonly noQuote: Money;
  /** The last quantity that may be ordered here: most orders have the size of the one before. */
  quantity: Quantity | undefined;
  /** So much of the base asset. */
  size: Money;
};

/** The booth of whoever traded a pair last is kept; a pair that was changed is another one. */
export function createBooths(pockets: HousePockets): (account: Account, pair: Pair) => Booth {
  const booths = new Map<string, Booth>();
  let last: Booth | undefined;
  return (account, pair) => {
    if (last !== undefined && last.pair === pair && last.account === account) return last;
    last = booths.get(pair.symbol);
    if (last === undefined || last.pair !== pair || last.account !== account) {
      last = createBooth(pockets, account, pair);
      booths.set(pair.symbol, last);
    }
    return last;
  };
}

function createBooth(pockets: HousePockets, account: Account, pair: Pair): Booth {
  const { base, quote } = pair;
  return {
    account,
    pair,
    base: account.available(base),
    quote: account.available(quote),
    dealerBase: pockets.dealer(base),
    dealerQuote: pockets.dealer(quote),
    fees: pockets.fees(quote),
    noBase: Money.zero(base),
    noQuote: Money.zero(quote),
    quantity: undefined,
    size: Money.zero(base),
  };
}
