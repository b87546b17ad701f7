// One mint or one rail that a person wants, as a step for others to approve: everything that decides what it costs and where money
// ends up is in it, to the letter.

import type { Asset } from "../../domain/asset.ts";
import { Money, type Quantity } from "../../domain/money/money.ts";
import type { Registration } from "../plan/door.ts";
import { BANK, potOf } from "../plan/pot.ts";
import type { Direction } from "../rail/check-rail.ts";
import type { ContentStep } from "./plan-content.ts";

export type MintWished = {
  readonly asset: Asset;
  readonly fiat: Asset;
  readonly chain: string;
  readonly quantity: Quantity;
  readonly feeBpsMax: number;
  /** A wallet of ours; undefined for the account. */
  readonly to: string | undefined;
  readonly isExact: boolean;
};

export function mintStep({ asset, fiat, chain, quantity, feeBpsMax, to, isExact }: MintWished): ContentStep {
  return {
    name: `mint ${asset} on ${chain}`,
    way: { kind: "mint", asset, chain, feeBpsMax, to, ...(isExact && { isExact }) },
    quantity: String(quantity),
    takes: `${quantity} ${potOf(fiat)}`,
    brings: `${quantity} ${potOf(asset, to === undefined ? undefined : chain)}`,
    value: String(quantity),
  };
}

export function railStep(direction: Direction, template: string, registers: Registration): ContentStep {
  const { rail, toAccount } = registers;
  const { asset, currency, blockchain: chain, destination: to, memo } = rail;
  const isOn = direction === "on";
  const [bank, coins] = [potOf(currency, BANK), potOf(asset, isOn && !toAccount ? chain : undefined)];
  const nothing = String(Money.zero(asset));
  return {
    name: `rail ${direction} ${template}`,
    way: { kind: isOn ? "on-ramp" : "off-ramp", template, asset, chain, to, memo, registers },
    // It registers a way: money moves only with the payments on it.
    quantity: nothing,
    takes: `${nothing} ${isOn ? bank : coins}`,
    brings: `${nothing} ${isOn ? coins : bank}`,
    value: nothing,
  };
}
