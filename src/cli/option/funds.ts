// The initial funds of an account, as given on a command line.

import { parseAsset } from "../../domain/asset.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { Quantity } from "../../domain/money/money.ts";

/** `CHF=1000000,GBP=500000`, each asset once. */
export function parseFunds(flag: string, given: string): ReadonlyMap<string, string> {
  const funds = new Map<string, string>();
  for (const part of given.split(",")) {
    const [name = "", text = "", ...rest] = part.split("=");
    const asset = parseAsset(name);
    const amount = Quantity.parse(text);
    if (!asset.ok || !amount.ok || rest.length > 0 || funds.has(name))
      throw usageFailure(`${flag} must look like CHF=1000000,GBP=500000, was ${given}`);
    funds.set(name, text);
  }
  return funds;
}
