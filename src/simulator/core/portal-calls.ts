// The actions of people at the service's portal: register, clear, sign, wire, whitelist, hold; and the operator's
// changes to pairs and faults.

import type { Asset } from "../../domain/asset.ts";
import { type Account, createAccount } from "./account.ts";
import type { VenuePortal } from "./calls.ts";
import { plain } from "./listing.ts";
import type { Mints } from "./mints.ts";
import type { Rails } from "./rails.ts";
import type { Moment, Pair } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";
import { toPlain } from "./state.ts";
import { accountOf, QUANTITY_MAX, shown, type VenueCore } from "./venue-core.ts";

const KEY = /^[\x21-\x7e]{8,512}$/;
const DONE: Answer<void> = { ok: true, value: undefined };

export function portalCalls(
  core: VenueCore,
  { mints, rails }: { readonly mints: Mints; readonly rails: Rails },
  advance: (moment: Moment) => Moment,
): VenuePortal {
  const { ledger, pockets } = core;

  function change(key: string, of: (account: Account) => void): Answer<void> {
    const account = accountOf(core, key);
    if (!account.ok) return account;
    of(account.value);
    return DONE;
  }

  const listAsset = (asset: Asset): void => {
    if (!core.assets.has(asset)) core.assets.set(asset, plain(asset, asset, "crypto", {}));
  };

  return {
    registerKey(key) {
      if (!KEY.test(key)) return refused("bad_request", `key must be 8 to 512 printable characters, was ${shown(key)}`);
      if (core.accounts.has(key)) return DONE;
      core.accounts.set(key, createAccount(key, ledger, core.settings));
      return DONE;
    },
    knows: (key) => core.accounts.has(key),
    accountCount: () => core.accounts.size,
    clearKyb: (key, cleared) =>
      change(key, (account) => {
        account.kybCleared = cleared;
      }),
    signAgreement: (key, product, signed) =>
      change(key, (account) => {
        account.agreements[product] = signed;
      }),
    credit(key, asset, amount, moment) {
      const { venue } = advance(moment);
      if (!core.assets.has(asset)) return refused("unknown_asset", `asset must be a listed one, was ${shown(asset)}`);
      if (amount.moreThan(QUANTITY_MAX)) return refused("bad_request", `amount must be at most ${QUANTITY_MAX}`);
      const cause = { what: "credit", reference: "portal", at: venue };
      return change(key, (account) =>
        ledger.move(pockets.outside(asset), account.available(asset), amount.of(asset), cause),
      );
    },
    whitelist(key, row) {
      const listing = core.assets.get(row.asset);
      if (!listing?.blockchains.some(({ blockchain }) => blockchain === row.blockchain))
        return refused("bad_request", `${row.asset} must exist on the chain, was ${shown(row.blockchain)}`);
      const account = accountOf(core, key);
      if (!account.ok) return account;
      const others = account.value.addresses.filter(
        (other) => other.asset !== row.asset || other.blockchain !== row.blockchain || other.address !== row.address,
      );
      account.value.addresses = [...others, row];
      return DONE;
    },
    hold(id, held, moment, reason) {
      const at = advance(moment);
      const answer = mints.hold(id, held, at, reason) ?? rails.hold(id, held, at, reason);
      return answer ?? refused("not_found", "no mint or rail has this id");
    },
    pay: (railId, amount, moment) => rails.pay(railId, amount, advance(moment)),
    list(pair) {
      for (const asset of [pair.base, pair.quote]) listAsset(asset);
      const isNew = JSON.stringify(toPlain(core.pairs.get(pair.symbol))) !== JSON.stringify(toPlain(pair));
      if (isNew && whyNotListed(pair) === undefined) core.pairs.set(pair.symbol, pair);
    },
    listAsset,
    setPair(symbol, changes) {
      const pair = core.pairs.get(symbol);
      if (pair === undefined) return refused("unknown_symbol", `symbol must be a listed pair, was ${shown(symbol)}`);
      const changed = { ...pair, ...changes };
      const why = whyNotListed(changed);
      if (why !== undefined) return refused("bad_request", why);
      core.pairs.set(symbol, changed);
      return DONE;
    },
    setFaults(faults) {
      core.faults = { ...core.faults, ...faults };
    },
    faults: () => core.faults,
    ledger: (key) => ledger.rows(key),
  };
}

/** Amounts are exact: price times quantity must fit 18 decimals. */
export function whyNotListed(pair: Pair): string | undefined {
  const { symbol, quantityDecimals, priceDecimals, feeBps } = pair;
  for (const decimals of [quantityDecimals, priceDecimals])
    if (!Number.isInteger(decimals) || decimals < 0) return `decimals of ${symbol} must be whole, was ${decimals}`;
  if (quantityDecimals + priceDecimals > 18)
    return `decimals of ${symbol} must add up to 18 at most, was ${quantityDecimals + priceDecimals}`;
  const hundredths = feeBps * 100;
  if (!(Math.abs(hundredths - Math.round(hundredths)) < 1e-6))
    return `fee of ${symbol} must have 2 decimals, was ${feeBps}`;
  if (!(feeBps >= 0 && feeBps < 10_000)) return `fee of ${symbol} must be 0 to 9999 bp, was ${feeBps}`;
  if (pair.quantityMin.isZero()) return `minimum of ${symbol} must be positive`;
  return undefined;
}
