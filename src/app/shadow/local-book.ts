// The account of a shadow: the venue's core in process, at the prices that the real venue shows, with its state in a file
// next to the journal. It fills by the shown size; last look, impact and fee are settings.

import type { Config } from "../../config/schema.ts";
import { appendLine } from "../../disk/new-file.ts";
import { type Asset, assetsOf } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import type { Quote } from "../../domain/quote.ts";
import type { Clock, Millis, Timers } from "../../domain/time.ts";
import { railBody } from "../../exchange/endpoint/rail-body.ts";
import type { Profile } from "../../exchange/profile.ts";
import type { LocalBook } from "../../exchange/shadow.ts";
import type { Answer } from "../../simulator/core/refusal.ts";
import { DEFAULT_SETTINGS } from "../../simulator/core/settings.ts";
import type { Market } from "../../simulator/market/market.ts";
import { openVenue } from "../../simulator/open-venue.ts";
import * as told from "../../simulator/port-rows.ts";
import { setUp } from "../../simulator/stage.ts";
import { VenueLine } from "../../simulator/venue-line.ts";

/** `funds`: instead of the venue's balances. */
export type ShadowTerms = Omit<Config["shadow"], "funds"> & {
  readonly funds?: Readonly<Record<string, { toString(): string }>> | undefined;
};

type BookParts = {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Without files it lasts as long as the process. */
  readonly stateFile?: string;
  /** One line of JSON for each order, with the quote that it met: a fill can be checked by hand. */
  readonly looksFile?: string;
  readonly profile: Profile;
  readonly terms: ShadowTerms;
};

export interface ShadowBook extends LocalBook {
  /** A reference rate, for pairs that the venue shows no quote of. */
  refer(quote: Quote): void;
  close(): Promise<void>;
}

/** The one account of a book. */
const KEY = "shadow-account";

export function openLocalBook({ clock, timers, stateFile, looksFile, profile, terms }: BookParts): ShadowBook {
  const prices = shownMarket(terms, profile.quotes === "absent");
  const { market } = prices;
  const { dealing, operation } = DEFAULT_SETTINGS;
  const opened = openVenue({
    ...{ clock, timers, profile, market, seed: 1, scenario: ["demo"] },
    ...(stateFile !== undefined && { stateFile }),
    settings: {
      dealing: { ...dealing, impactBps: terms.impactBps ?? 0, refusedShare: (terms.refusedPercent ?? 0) / 100 },
      operation: { ...operation, outagesPerWeek: 0, errorShare: 0 },
      // The bot applies the venue's minimum itself; only it knows the rate.
      mintMinimum: undefined,
    },
  });
  const { writer } = opened;
  const looks: string[] = [];
  const { venue } = writer;
  const line = new VenueLine(venue, () => ({ thereMs: 0, backMs: 0 }));
  // The state has no listings: an asset of no list would have no balance after a restart.
  for (const { asset } of venue.particulars().ledger.pockets) venue.listAsset(asset);
  /** Empty until the balances of the venue are known. */
  const rows = <R>(answer: Answer<readonly R[]>): readonly R[] => (answer.ok ? answer.value : []);
  const moment = () => writer.moment();
  return {
    list(pairs) {
      for (const pair of pairs) venue.list({ ...pair, feeBps: terms.feeBps ?? 0 });
    },
    show: prices.show,
    refer: prices.refer,
    open(balances) {
      if (venue.knows(KEY)) return;
      const held = balances.filter(({ available }) => available.isPositive());
      const funds = terms.funds ?? Object.fromEntries(held.map(({ asset, available }) => [asset, available]));
      for (const asset of Object.keys(funds)) venue.listAsset(asset as Asset);
      const amounts = Object.entries(funds).map(([asset, amount]) => [asset, String(amount)] as const);
      const done = setUp(venue, KEY, new Map(amounts), moment());
      if (!done.ok) throw new Error(`the local book cannot be opened: ${done.error.message}`);
    },
    order(order, at) {
      const { clientOrderId: id, symbol, side, quantity, limit } = order;
      const { verdict } = line.order(KEY, order, at);
      const asked = { side, quantity: String(quantity), limit: String(limit) };
      looks.push(JSON.stringify({ at, id, symbol, ...asked, quote: prices.shown(symbol), became: verdict.kind }));
      return verdict;
    },
    mint({ asset, blockchain, quantity, destination }, at) {
      const form = { asset, blockchain, quantity: String(quantity), ...(destination && { destination }) };
      return line.mint(KEY, form, at).verdict;
    },
    rail: (rail, at) => line.rail(KEY, railBody(rail), at).verdict,
    balances: () => rows(venue.balances(KEY, moment())),
    orders: () => rows(venue.orders(KEY, moment())),
    trades: () => rows(venue.trades(KEY, moment())),
    rails: () => rows(venue.rails(KEY, moment())).map(told.listedRail),
    payments: () => rows(venue.payments(KEY, moment())).map(told.payment),
    supplyChanges: (asset) => told.supplyChanges(rows(venue.supplyChanges(KEY, { asset }, moment()))),
    async synced() {
      if (looksFile !== undefined && looks.length > 0) appendLine(looksFile, looks.splice(0).join("\n"));
      await writer.synced();
    },
    close: () => opened.close(),
  };
}

type Shown = Pick<Quote, "bid" | "ask" | "bidSize" | "askSize">;
/** A reference that is older has no price. */
const RATE_MS_MAX = 60_000;

/** The prices of the last answer. */
function shownMarket({ refillMs, halfSpreadBps }: ShadowTerms, isBlind: boolean) {
  const quotes = new Map<string, Shown>();
  const rates = new Map<string, { readonly middle: number; readonly at: Millis }>();
  const rateAt = (symbol: string, at: Millis): number | undefined => {
    const known = rates.get(symbol);
    return known !== undefined && at - known.at <= RATE_MS_MAX ? known.middle : undefined;
  };
  const rate = (base: Asset, quote: Asset, at: Millis): number | undefined => {
    if (base === quote) return 1;
    const inverse = rateAt(`${quote}/${base}`, at);
    return rateAt(`${base}/${quote}`, at) ?? (inverse && 1 / inverse);
  };
  /** Coins at par, currencies at their reference. */
  const around = (base: Asset, quote: Asset, at: Millis): Shown | undefined => {
    const middle = rate(base, quote, at) ?? rate(fiatOf(base) ?? base, fiatOf(quote) ?? quote, at);
    const half = halfSpreadBps / 1e4;
    if (middle === undefined) return undefined;
    return { bid: middle * (1 - half), ask: middle * (1 + half), bidSize: undefined, askSize: undefined };
  };
  const market: Market = {
    read(symbol, at, into, shift = 0) {
      const { base, quote } = assetsOf(symbol);
      const top = quotes.get(symbol) ?? (isBlind ? around(base, quote, at) : undefined);
      if (top === undefined) return false;
      const factor = Math.exp(shift);
      const { bidSize = Number.MAX_SAFE_INTEGER, askSize = Number.MAX_SAFE_INTEGER } = top;
      Object.assign(into, { bid: top.bid * factor, ask: top.ask * factor, bidSize, askSize });
      return true;
    },
    rate,
    closure: () => "open",
    stale: () => 0,
    depthEpoch: (at) => Math.floor(at / refillMs),
  };
  return {
    market,
    show(shown: readonly (Shown & Pick<Quote, "symbol">)[]): void {
      quotes.clear();
      for (const { symbol, bid, ask, bidSize, askSize } of shown) quotes.set(symbol, { bid, ask, bidSize, askSize });
    },
    shown: (symbol: string): Shown | undefined => quotes.get(symbol),
    refer({ symbol, bid, ask, receivedAt: at }: Quote): void {
      rates.set(symbol, { middle: (bid + ask) / 2, at });
    },
  };
}
