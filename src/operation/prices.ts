// The current prices as the bot would have them: an adopted amount or a payment that crosses the account's border
// shifts the bases of the loss limits by its value.

import type { Asset } from "../domain/asset.ts";
import type { Trader } from "./money.ts";

/** The reference feeds of an owner that has just begun need a moment. */
const WITHIN_MS = 5_000;

/** Without an answer of the venue fewer prices are known; that does not end an operation that repairs the books. */
export async function seePrices(trader: Trader, assets: readonly Asset[]): Promise<void> {
  await trader.quotes({ class: "other" });
  const late = new AbortController();
  const cancel = trader.timers.after(WITHIN_MS, () => late.abort());
  const { pricing } = trader.core().books;
  const isPriced = (asset: Asset): boolean => asset === pricing.currency || pricing.rate(asset) !== undefined;
  await trader.until(() => assets.every(isPriced) || undefined, late.signal);
  cancel();
}
