// Checks a mint before anything is sent: the coin and its chain, the destination wallet, the minimum mint, the funds
// that pay: the coin's fiat, or crypto up to a named limit. The first failing rule is named; conditions that cannot be known here are left to the venue.

import { type Asset, assetsOf } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { fiatOf } from "../domain/coin.ts";
import { Money, Quantity } from "../domain/money/money.ts";
import type { Quote } from "../domain/quote.ts";
import type { Random } from "../domain/random.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import type { ListedAsset } from "../exchange/port.ts";

export type MintTerms = {
  readonly feeBpsMax: number;
  /** The minimum mint; undefined if the venue has none. */
  readonly minimum: Money | undefined;
  /** Whether the request names what pays (venue.profile.mintFunding); otherwise the venue chooses. */
  readonly namesFunding?: boolean;
};

export type MintAsked = {
  readonly asset: Asset;
  readonly blockchain: string;
  readonly quantity: Quantity;
  /** The most to spend of another asset than the coin's fiat, fee included. */
  readonly spend?: Money | undefined;
};

export type SeenAtVenue = {
  readonly assets: readonly ListedAsset[];
  readonly balances: readonly Balance[];
  /** Of the venue and of reference feeds. */
  readonly quotes: readonly Quote[];
};

/** The maximum cost. */
export type MintCost = { readonly spentMax: Money; readonly feeMax: Money };

export function checkMint(
  { asset, blockchain, quantity, spend }: MintAsked,
  { assets, balances, quotes }: SeenAtVenue,
  { feeBpsMax, minimum, namesFunding = false }: MintTerms,
): Result<MintCost> {
  const fiat = fiatOf(asset);
  if (fiat === undefined) return err(`asset must be a coin that is issued against its fiat, was ${asset}`);
  const listed = whyNotIssued(asset, blockchain, assets);
  if (listed !== undefined) return err(listed);
  const small = minimum && belowMinimum(asset, quantity, minimum, quotes);
  if (small !== undefined) return err(small);
  const cost = mintCost(quantity, fiat, feeBpsMax, spend);
  const funding = cost.spentMax.asset;
  const availableOf = (one: Asset) => balances.find((balance) => balance.asset === one)?.available;
  const available = availableOf(funding);
  if (available === undefined) return err(`the venue does not say how much ${funding} there is`);
  if (available.lessThan(cost.spentMax))
    return err(
      `the mint may cost ${cost.spentMax} ${funding}, available are ${available} ${funding}${spend === undefined ? "" : `; ${funding} comes in by the account's transitional wallet address (pegbot addresses --deposit, or the portal)`}`,
    );
  if (spend === undefined) return ok(cost);
  if (funding === asset || funding === fiat) return err(`--spend must be another asset than ${asset} and ${fiat}`);
  if (!namesFunding && availableOf(fiat)?.atLeast(quantity.of(fiat)) === true)
    return err(
      `${fiat} on the account covers this mint too, and the interface does not show which field chooses what pays: ask the venue and set venue.profile.mintFunding to it, or leave --spend out`,
    );
  const rate = rateBetween(asset, funding, quotes);
  const estimate = rate === undefined ? undefined : quantity.toNumber() * rate;
  return estimate === undefined || cost.spentMax.toNumber() <= estimate * SPEND_PARTS_MAX
    ? ok(cost)
    : err(
        `--spend must be at most ${SPEND_PARTS_MAX} times the cost, which is about ${estimate.toFixed(8)} ${funding} by the venue's prices, was ${spend}`,
      );
}

/** A limit further above the venue's own prices is refused as a typing error. */
const SPEND_PARTS_MAX = 1.1;

/** The most that a mint takes, fee included: of the coin's fiat by its quantity, of another asset by the named limit. */
export function mintCost(quantity: Quantity, fiat: Asset, feeBpsMax: number, spend?: Money): MintCost {
  if (spend !== undefined) return { spentMax: spend, feeMax: spend.share(feeBpsMax, "up") };
  const feeMax = quantity.of(fiat).share(feeBpsMax, "up");
  return { spentMax: quantity.of(fiat).plus(feeMax), feeMax };
}

/** If the venue lists chains, the chain must be one of the coin's and active. */
export function whyNotIssued(asset: Asset, blockchain: string, assets: readonly ListedAsset[]): string | undefined {
  const listed = assets.find((one) => one.asset === asset);
  if (listed === undefined) return `the venue lists no ${asset}`;
  const chains = listed.blockchains;
  if (chains === undefined) return undefined;
  const chain = chains.find((one) => one.blockchain === blockchain);
  const names = chains.flatMap((one) => (one.active ? [one.blockchain] : [])).join(", ");
  if (chain === undefined) return `chain of ${asset} must be one of ${names}, was ${printable(blockchain, 20)}`;
  return chain.active ? undefined : `chain ${blockchain} of ${asset} is not active now; active are ${names}`;
}

/** The tolerated difference between the venue's own rate and its quotes, as a fraction. */
const DOUBT = 0.01;

/** Why the venue would reject the size, by a rate between the fiats; without one the venue decides. */
export function belowMinimum(
  asset: Asset,
  quantity: Quantity,
  minimum: Money,
  quotes: readonly Quote[],
): string | undefined {
  if (fiatOf(asset) === minimum.asset)
    return quantity.of(minimum.asset).lessThan(minimum) ? tooLittle(minimum, `${quantity}`) : undefined;
  // The venue counts a coin at par: its own price on the market says nothing here.
  const isCoinless = ({ symbol }: Quote): boolean => {
    const { base, quote } = assetsOf(symbol);
    return fiatOf(base) === undefined && fiatOf(quote) === undefined;
  };
  const rate = rateBetween(asset, minimum.asset, quotes.filter(isCoinless));
  if (rate === undefined) return undefined;
  const worth = quantity.toNumber() * rate;
  return worth < minimum.toNumber() * (1 - DOUBT) ? tooLittle(minimum, `about ${Math.floor(worth)}`) : undefined;
}

/** Nothing can be taken off it, so it is sent as it stands: a salt takes less than one unit. */
export function isSmallest(asset: Asset, quantity: Quantity, minimum: Money | undefined): boolean {
  if (minimum === undefined || fiatOf(asset) !== minimum.asset) return false;
  return quantity.of(minimum.asset).minus(minimum).lessThan(Money.of("1", minimum.asset));
}

function tooLittle(minimum: Money, worth: string): string {
  return `a mint must be worth at least ${minimum} ${minimum.asset}, was ${worth}`;
}

/** The value of one unit, over the fewest pairs at their mid prices, with coins at par. */
function rateBetween(from: Asset, to: Asset, quotes: readonly Quote[]): number | undefined {
  const atPar = (asset: Asset): Asset => fiatOf(asset) ?? asset;
  const hops = quotes.flatMap(({ symbol, bid, ask }) => {
    const { base, quote } = assetsOf(symbol);
    const [one, other, mid] = [atPar(base), atPar(quote), (bid + ask) / 2];
    return mid > 0 && Number.isFinite(mid)
      ? ([
          [one, other, mid],
          [other, one, 1 / mid],
        ] as const)
      : [];
  });
  const found = new Map<Asset, number>([[atPar(from), 1]]);
  // Iterating a map also visits entries added meanwhile, so this is a breadth-first search.
  for (const [asset, rate] of found)
    for (const [at, next, price] of hops) if (at === asset && !found.has(next)) found.set(next, rate * price);
  return found.get(atPar(to));
}

/** A salt is at most this part of the quantity, one in 100,000, and less than one unit. */
export const SALT_PARTS = 100_000;

/**
 * Subtracts a small random salt, so that the mint is recognisable by its quantity. `taken`: quantities of known mints.
 */
export function saltedQuantity(
  approved: Quantity,
  taken: readonly Quantity[],
  { decimals, random }: { readonly decimals: number; readonly random: Random },
): Result<Quantity> {
  // Whole units only: the division is then exact.
  const most = Math.floor((approved.rounded(0, "down").toNumber() * 10 ** decimals) / SALT_PARTS);
  const steps = Math.min(most, 10 ** decimals - 1);
  if (steps === 0)
    return err(
      `${approved} is too small to be made recognisable: ${decimals} decimals would change it by more than one part in ${SALT_PARTS}; pass --exact`,
    );
  const offset = random.integer(0, steps - 1);
  for (let n = 0; n < steps; n++) {
    const salt = Quantity.ofSteps(((offset + n) % steps) + 1, decimals);
    const salted = approved.minus(salt);
    if (salted !== undefined && !taken.some((one) => one.equals(salted))) return ok(salted);
  }
  return err(
    `no quantity of ${decimals} decimals below ${approved} is free: pass --exact, or ask for another quantity`,
  );
}
