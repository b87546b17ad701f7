// What can be known about a mint before anything is sent: the coin and its chain, the wallet it goes to, the smallest mint,
// the money that pays. The first rule that fails is named; what cannot be known here is left to the venue.

import type { Asset } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import { fiatOf } from "../../domain/coin.ts";
import type { Money, Quantity } from "../../domain/money/money.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Quote } from "../../domain/quote.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { ListedAsset } from "../../exchange/port.ts";
import { belowMinimum } from "./minimum.ts";

export type MintTerms = {
  readonly feeBpsMax: number;
  /** The smallest mint; undefined where the venue has none. */
  readonly minimum: Money | undefined;
};

export type MintAsked = {
  readonly asset: Asset;
  readonly blockchain: string;
  readonly quantity: Quantity;
  /** Before it was made recognisable; absent where it is sent as it stands. */
  readonly asked?: Quantity | undefined;
};

export type SeenAtVenue = {
  readonly assets: readonly ListedAsset[];
  readonly balances: readonly Balance[];
  readonly quotes: readonly Quote[];
};

/** What it may cost. */
export type MintCost = { readonly spentMax: Money; readonly feeMax: Money };

export function checkMint(
  { asset, blockchain, quantity, asked = quantity }: MintAsked,
  { assets, balances, quotes }: SeenAtVenue,
  { feeBpsMax, minimum }: MintTerms,
): Result<MintCost> {
  const fiat = fiatOf(asset);
  if (fiat === undefined) return err(`asset must be a coin that is issued against its fiat, was ${asset}`);
  const listed = whyNotIssued(asset, blockchain, assets);
  if (listed !== undefined) return err(listed);
  const small = minimum && belowMinimum(asset, quantity, minimum, quotes);
  if (small !== undefined && minimum !== undefined && belowMinimum(asset, asked, minimum, quotes) === undefined)
    return err(
      `${small}: of the ${asked} that were asked for a little less is sent, which makes the mint recognisable; ask for one more, or pass --exact`,
    );
  if (small !== undefined) return err(small);
  const feeMax = quantity.of(fiat).share(feeBpsMax, "up");
  const spentMax = quantity.of(fiat).plus(feeMax);
  const available = balances.find((balance) => balance.asset === fiat)?.available;
  if (available === undefined) return err(`the venue does not say how much ${fiat} there is`);
  if (available.lessThan(spentMax))
    return err(`the mint may cost ${spentMax} ${fiat}, available are ${available} ${fiat}`);
  return ok({ spentMax, feeMax });
}

/** Where the venue names chains, the chain must be one of the coin's, and active. */
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
