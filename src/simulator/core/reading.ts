// The read-only calls: listings, quotes, balances and histories.

import type { Asset } from "../../domain/asset.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { QuotesAt, VenueCalls } from "./calls.ts";
import type { Dealer } from "./dealer.ts";
import { page } from "./history.ts";
import type { BalanceRow, FloatQuote, Moment, OrderRow, Pair, TradeRow, VenueQuote } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";
import { accountOf, depositAddressOf, shown, unknownKey, type VenueCore } from "./venue-core.ts";

type ReadingCalls = Omit<VenueCalls, "addOrder" | "placeOrder" | "outcome" | "mintTokens" | "addPaymentRail">;

export function readingCalls(core: VenueCore, dealer: Dealer, advance: (moment: Moment) => Moment): ReadingCalls {
  const { settings } = core;
  const balances = (account: Account, at: Millis) => balancesOf(core, account, at);

  function read<T>(key: string, moment: Moment, of: (account: Account, at: Millis) => T): Answer<T> {
    const { venue } = advance(moment);
    const account = core.accounts.get(key);
    return account === undefined ? unknownKey() : { ok: true, value: of(account, venue) };
  }

  function quotes(moment: Moment): Answer<readonly VenueQuote[]> {
    if (!settings.quotesShown) return refused("not_available", "there are no quotes here");
    const { venue } = advance(moment);
    const online = [...core.pairs.values()].filter(({ status }) => status === "online");
    return { ok: true, value: online.flatMap((pair) => dealer.quote(pair, venue) ?? []) };
  }

  function quotesAt(moment: Moment): Answer<QuotesAt> {
    if (!settings.quotesShown) return quotes(moment) as Answer<never>;
    const { venue: at } = advance(moment);
    const of = (pair: Pair | undefined) => (pair?.status === "online" ? dealer.floats(pair, at) : undefined);
    const all = (): readonly FloatQuote[] => {
      const rows: FloatQuote[] = [];
      for (const pair of core.pairs.values()) {
        const quote = of(pair);
        if (quote !== undefined) rows.push(quote);
      }
      return rows;
    };
    return { ok: true, value: { at, of: (symbol) => of(core.pairs.get(symbol)), all } };
  }

  return {
    assets: () => [...core.assets.values()],
    pairs: () => [...core.pairs.values()],
    quotes,
    quotesAt,
    balances: (key, moment) => read(key, moment, balances),
    orders: (key, moment) => read(key, moment, ordersOf),
    trades: (key, moment) => read(key, moment, tradesOf),
    supplyChanges(key, form, moment) {
      const asset = form.asset || undefined;
      if (asset !== undefined && !core.assets.has(asset))
        return refused("unknown_asset", `asset must be a listed one, was ${shown(asset)}`);
      return read(key, moment, ({ mints }) =>
        page(mints, settings, (row) => asset === undefined || row.asset === asset),
      );
    },
    rails: (key, moment) => read(key, moment, ({ rails }) => page(rails, settings)),
    payments: (key, moment) => read(key, moment, ({ payments }) => page(payments, settings)),
    withdrawAddresses(key) {
      const account = accountOf(core, key);
      return account.ok ? { ok: true, value: [...account.value.addresses] } : account;
    },
    depositAddress(key, form) {
      const account = accountOf(core, key);
      if (!account.ok) return account;
      const listing = core.assets.get(form.asset ?? "");
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

function ordersOf({ orders }: Account, at: Millis): readonly OrderRow[] {
  return orders.page(at);
}

function tradesOf({ trades }: Account, at: Millis): readonly TradeRow[] {
  return trades.page(at);
}

/** With the balance lag fault, the balances of an earlier time. */
function balancesOf({ ledger, faults, assets }: VenueCore, account: Account, at: Millis): readonly BalanceRow[] {
  const shownAt = millis(at - faults.balanceLagMs);
  return ([...assets.keys()] as Asset[]).map((asset) => ({
    asset,
    available: ledger.heldAt(account.available(asset), shownAt),
    pending: ledger.heldAt(account.pending(asset), shownAt),
  }));
}
