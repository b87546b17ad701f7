// The calls that only read: listings, quotes, balances and histories.

import type { Asset } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { Answer } from "./answer.ts";
import type { VenueCalls } from "./calls.ts";
import type { Dealer } from "./dealer.ts";
import { depositAddressOf } from "./deposit.ts";
import { page, publishedBy } from "./history.ts";
import { accountOf, type House, shown } from "./house.ts";
import { keptList } from "./kept-list.ts";
import type { BalanceRow, Moment, OrderRow, Pair, TradeRow } from "./record.ts";
import { refused } from "./refusal.ts";

type ReadingCalls = Omit<VenueCalls, "addOrder" | "placeOrder" | "outcome" | "mintTokens" | "addPaymentRail">;

export function readingCalls(house: House, dealer: Dealer, advance: (moment: Moment) => Moment): ReadingCalls {
  const { settings } = house;

  function read<T>(key: string, moment: Moment, of: (account: Account, at: Millis) => T): Answer<T> {
    const { venue } = advance(moment);
    const account = accountOf(house, key);
    return account.ok ? { ok: true, value: of(account.value, venue) } : account;
  }

  function quoted<Q>(moment: Moment, of: (pair: Pair, at: Millis) => Q | undefined): Answer<readonly Q[]> {
    if (!settings.quotesShown) return refused("not_available", "there are no quotes here");
    const { venue } = advance(moment);
    const quotes: Q[] = [];
    for (const pair of house.pairs.values()) {
      const quote = pair.status === "online" ? of(pair, venue) : undefined;
      if (quote !== undefined) quotes.push(quote);
    }
    return { ok: true, value: quotes };
  }

  return {
    assets: () => [...house.assets.values()],
    pairs: () => [...house.pairs.values()],
    quotes: (moment) => quoted(moment, dealer.quote),
    floatQuotes: (moment) => quoted(moment, dealer.floats),
    balances: (key, moment) => read(key, moment, (account, at) => balancesOf(house, account, at)),
    orders: (key, moment) => read(key, moment, ({ orders }, at) => page(orders, settings, publishedBy(at))),
    trades: (key, moment) =>
      read(key, moment, (account, at) => tradesOf(account)(page(account.trades, settings, publishedBy(at)))),
    supplyChanges(key, form, moment) {
      const asset = form.asset || undefined;
      if (asset !== undefined && !house.assets.has(asset))
        return refused("unknown_asset", `asset must be a listed one, was ${shown(asset)}`);
      return read(key, moment, ({ mints }) =>
        page(mints, settings, (row) => asset === undefined || row.asset === asset),
      );
    },
    rails: (key, moment) => read(key, moment, ({ rails }) => page(rails, settings)),
    payments: (key, moment) => read(key, moment, ({ payments }) => page(payments, settings)),
    withdrawAddresses(key) {
      const account = accountOf(house, key);
      return account.ok ? { ok: true, value: [...account.value.addresses] } : account;
    },
    depositAddress(key, form) {
      const account = accountOf(house, key);
      if (!account.ok) return account;
      const listing = house.assets.get(form.asset ?? "");
      if (listing === undefined)
        return refused("unknown_asset", `asset must be a listed one, was ${shown(form.asset)}`);
      const chain = listing.blockchains.find(({ blockchain, active }) => blockchain === form.blockchain && active);
      if (chain === undefined)
        return refused(
          "bad_request",
          `blockchain must be an active one of ${listing.asset}, was ${shown(form.blockchain)}`,
        );
      return { ok: true, value: depositAddressOf(settings.seed, key, listing.asset, chain.blockchain) };
    },
  };
}

type Telling = (orders: readonly OrderRow[]) => readonly TradeRow[];

/** An order is in the page of many readings, and is the same trade in each. */
const tellings = new WeakMap<Account, Telling>();

function tradesOf(account: Account): Telling {
  const known = tellings.get(account);
  if (known !== undefined) return known;
  const telling = keptList(tradeOf);
  tellings.set(account, telling);
  return telling;
}

function tradeOf(order: OrderRow): TradeRow {
  const { orderId, clientOrderId, symbol, side, quantity, price, bought, sold, fee, status, at, publishedAt } = order;
  invariant(price !== undefined, "what is among the trades has filled");
  const tradeId = `T${orderId}`;
  return {
    tradeId,
    orderId,
    clientOrderId,
    symbol,
    side,
    quantity,
    price,
    bought,
    sold,
    fee,
    status,
    at,
    publishedAt,
  };
}

/** One row per listed asset, zeros included; by fault, as things stood a while ago. */
function balancesOf(house: House, account: Account, at: Millis): readonly BalanceRow[] {
  const { ledger, faults } = house;
  const shownAt = millis(at - faults.balanceLagMs);
  const row = (asset: Asset): BalanceRow => ({
    asset,
    available: ledger.heldAt(account.available(asset), shownAt),
    pending: ledger.heldAt(account.pending(asset), shownAt),
  });
  return [...house.assets.values()].map(({ asset }) => row(asset));
}
