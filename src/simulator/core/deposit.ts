// Deposit addresses: one per account, asset and chain, a function of the seed, so that they need not be kept.

import type { Asset } from "../../domain/asset.ts";
import { createRandom } from "../../domain/random.ts";

export function depositAddressOf(seed: number, key: string, asset: Asset, blockchain: string): string {
  const random = createRandom(seed).fork(`deposit:${key}:${asset}:${blockchain}`);
  return `0x${Array.from({ length: 40 }, () => random.integer(0, 15).toString(16)).join("")}`;
}
