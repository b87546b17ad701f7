// The stress table: what a return from a de-peg, an end of the issuer, a loss of everything at the venue and a halt of its
// withdrawals would cost now. Status, page and report show it; the first two are bounded by RC34 and RC37.

import type { Asset } from "../domain/asset.ts";
import { issuerOf, VENUE } from "../domain/coin.ts";
import type { Money } from "../domain/money/money.ts";
import { type Limits, type Off, unlessOff } from "./limits.ts";
import type { RiskContext } from "./rule.ts";
import { isAtIssuer, valueOfAll } from "./rules/exposure.ts";

export type Stress = {
  readonly key: "depeg-loss" | "issuer-loss" | "everything-lost";
  readonly rule: string;
  readonly name: string;
  readonly cost: Money | undefined;
  /** Of equity; undefined where nothing bounds it. */
  readonly limitBps: number | undefined;
};

export function stressOf(limits: Limits, context: Pick<RiskContext, "accounts" | "pricing">): readonly Stress[] {
  const { depegLossBpsMax, depegAssumedBps: returned, issuerLossBpsMax, issuerEndBps: ended } = limits;
  const value = (isPart: (asset: Asset) => boolean): Money | undefined => valueOfAll(context, isPart);
  return [
    {
      key: "depeg-loss",
      rule: "RC34",
      name: `cost of a de-peg of the venue's coins by ${returned / 100} %`,
      cost: value((asset) => issuerOf(asset) === VENUE)?.share(returned, "up"),
      limitBps: bounding(depegLossBpsMax, returned),
    },
    {
      key: "issuer-loss",
      rule: "RC37",
      name: `cost of an end of the issuer at ${ended / 100} %, fiat there included`,
      cost: value(isAtIssuer)?.share(ended, "up"),
      limitBps: bounding(issuerLossBpsMax, ended),
    },
    {
      key: "everything-lost",
      rule: "RC37",
      name: "everything at the venue: lost in the worst case, held while withdrawals are stopped",
      cost: value(() => true),
      limitBps: undefined,
    },
  ];
}

/** A limit that all of equity cannot reach bounds nothing. */
function bounding(limit: number | Off, assumedBps: number): number | undefined {
  const bps = unlessOff(limit);
  return bps === undefined || bps >= assumedBps ? undefined : bps;
}
