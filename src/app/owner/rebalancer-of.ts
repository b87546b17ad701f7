// The rebalancer of a running bot for its configuration; none without targets or plans of people to carry out.

import { randomInt } from "node:crypto";
import type { MakeCore } from "../../bot/core.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import { createRandom } from "../../domain/random.ts";
import { railDraftsOf, treasuryTermsOf } from "../../operation/terms/treasury-terms.ts";
import type { RebalancerParts } from "../../treasury/rebalancer/parts.ts";
import { Rebalancer } from "../../treasury/rebalancer/rebalancer.ts";

/** Every core gets a new rebalancer; folding the journal fills it like the rest of the core. */
export function withRebalancer(config: Config, writer: string, makeCore: MakeCore): MakeCore {
  const parts = rebalancerParts(config, randomInt(2 ** 47));
  if (parts === undefined) return makeCore;
  return (strategy, saved) => ({ ...makeCore(strategy, saved), rebalancer: new Rebalancer({ ...parts, writer }) });
}

/** Undefined without targets if one person alone can move money. */
export function rebalancerParts(config: Config, seed: number): Omit<RebalancerParts, "writer"> | undefined {
  const terms = treasuryTermsOf(config);
  const { approvals, mint, destinations } = config.treasury;
  if (terms.targets.length === 0 && approvals.persons === 1) return undefined;
  return {
    terms,
    rules: approvals,
    rails: railDraftsOf(config),
    wallets: Object.values(destinations).filter((one) => one.kind === "wallet"),
    saltDecimals: mint.saltDecimals,
    quoteAgeMsMax: limitsOf(config).referenceAgeMsMax,
    random: createRandom(seed).fork("rebalancing"),
  };
}
