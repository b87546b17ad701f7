// The whole service as a pure, synchronous core. Time comes in as a moment and randomness from the seed; refusals are
// values; every amount that moves is a posting of the ledger. The HTTP server, the portal and the backtests all use
// this one interface.

import type { Asset } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { millis } from "../../domain/time.ts";
import type { Market } from "../market/market.ts";
import { loadAccount, saveAccount } from "./account.ts";
import type { VenueCalls, VenuePortal } from "./calls.ts";
import { createChance } from "./chance.ts";
import { Dealer } from "./dealer.ts";
import { Ledger } from "./ledger.ts";
import { DEFAULT_ASSETS, DEFAULT_PAIRS } from "./listing.ts";
import { createMints } from "./mints.ts";
import { Orders } from "./orders.ts";
import { portalCalls, whyNotListed } from "./portal-calls.ts";
import { createRails } from "./rails.ts";
import { readingCalls } from "./reading.ts";
import type { Moment, Pair } from "./record.ts";
import { DEFAULT_SETTINGS, type VenueSettings } from "./settings.ts";
import { loadState, type VenueParticulars, type VenueState } from "./state.ts";
import { withTrouble } from "./trouble.ts";
import { type VenueCore, venuePockets } from "./venue-core.ts";

export interface Venue extends VenueCalls, VenuePortal {
  /** Performs every settlement that is due. Every call with a moment does this first. */
  advance(moment: Moment): void;
  /** The whole state as rows: what did not change since the last call is the same object. */
  particulars(): VenueParticulars;
}

/** A market, and optionally a saved state instead of a fresh venue. Settings and faults are no part of the state. */
export type VenueParts = {
  readonly market: Market;
  /** Overrides of DEFAULT_SETTINGS. */
  readonly settings?: Partial<VenueSettings>;
  readonly pairs?: readonly Pair[];
  readonly state?: VenueState;
};

export function createVenue(parts: VenueParts): Venue {
  const saved = parts.state === undefined ? undefined : loadState(parts.state);
  const settings = { ...DEFAULT_SETTINGS, ...parts.settings };
  const ledger = new Ledger(settings.postingsRetainedMax, saved?.ledger);
  const core: VenueCore = {
    settings,
    market: parts.market,
    ledger,
    pockets: venuePockets(ledger),
    chance: createChance(settings.seed, saved?.chance),
    assets: new Map(DEFAULT_ASSETS.map((listing) => [listing.asset, listing])),
    pairs: new Map((saved?.pairs ?? parts.pairs ?? DEFAULT_PAIRS).map((pair) => [pair.symbol, listed(pair)])),
    accounts: new Map(saved?.accounts.map((account) => [account.key, loadAccount(account, ledger, settings)])),
    faults: settings.faults,
  };
  const { dealing, seed } = settings;
  const isCoin = (asset: Asset): boolean => core.assets.get(asset)?.kind === "stablecoin";
  const dealer = new Dealer({ market: parts.market, dealing, seed, isCoin }, saved?.dealer, saved?.coins);
  const orders = new Orders(core, dealer, saved?.orders);
  const mints = createMints(core);
  const rails = createRails(core);
  // Neither clock goes back: a call with an older time cannot undo events.
  const now = { venue: millis(0), settlement: millis(0) };

  function advance(moment: Moment): Moment {
    if (moment.venue > now.venue) now.venue = moment.venue;
    if (moment.settlement > now.settlement) now.settlement = moment.settlement;
    mints.advance(now);
    rails.advance(now);
    return now;
  }

  const particulars = (): VenueParticulars => ({
    chance: core.chance.save(),
    ledger: ledger.save(),
    accounts: [...core.accounts.values()].map(saveAccount),
    pairs: [...core.pairs.values()],
    dealer: dealer.save(),
    coins: dealer.saveCoins(),
    orders: orders.save(),
  });

  const calls: VenueCalls = {
    ...readingCalls(core, dealer, advance),
    addOrder: (key, form, moment) => orders.add(key, form, advance(moment).venue),
    placeOrder: (key, order, moment) => orders.place(key, order, advance(moment).venue),
    mintTokens: (key, form, moment) => mints.mint(key, form, advance(moment)),
    addPaymentRail: (key, body, moment) => rails.add(key, body, advance(moment)),
  };
  return {
    ...withTrouble(calls, seed, settings.operation),
    ...portalCalls(core, { mints, rails }, advance),
    advance(moment) {
      advance(moment);
    },
    particulars,
  };
}

function listed(pair: Pair): Pair {
  const why = whyNotListed(pair);
  invariant(why === undefined, why ?? "");
  return pair;
}
