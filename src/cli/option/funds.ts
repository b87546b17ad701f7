// The initial funds of an account, as given on a command line.

import { parseAsset } from "../../domain/asset.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { Quantity } from "../../domain/money/money.ts";
import { namedValues } from "./values.ts";

/** `CHF=1000000,GBP=500000`, each asset once. */
export function parseFunds(flag: string, given: string): ReadonlyMap<string, string> {
  const example = "CHF=1000000,GBP=500000";
  const funds = namedValues(flag, example, given.split(","));
  const isRight = [...funds].every(([name, text]) => parseAsset(name).ok && Quantity.parse(text).ok);
  if (!isRight) throw usageFailure(`${flag} must look like ${example}, was ${given}`);
  return funds;
}
