// The steward of a running bot, as its configuration wants it: none where there are no targets.

import { randomInt } from "node:crypto";
import type { Core } from "../../bot/desk.ts";
import { createSteward } from "../../bot/steward.ts";
import type { Config } from "../../config/schema.ts";
import { createRandom } from "../../domain/random.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { treasuryTermsOf } from "../treasury-terms.ts";
import { limitsOf } from "./core-of.ts";

/** Every core gets a new one: a fold of the journal fills it, as the rest of the core. */
export function withSteward(
  config: Config,
  writer: string,
  makeCore: (strategy: Strategy) => Core,
): (strategy: Strategy) => Core {
  const terms = treasuryTermsOf(config);
  if (terms.targets.length === 0) return makeCore;
  const { approvals, mint } = config.treasury;
  const people = approvals.people.map(({ name, publicKey }) => ({ name, publicKey }));
  const { orderValueMax, mintValueMax, dayValueMax } = approvals;
  const parts = {
    terms,
    rules: { ...approvals, orderValueMax, mintValueMax, dayValueMax, people },
    mintFeeBpsMax: mint.feeBpsMax,
    saltDecimals: mint.saltDecimals,
    quoteAgeMsMax: limitsOf(config).referenceAgeMsMax,
    writer,
    random: createRandom(randomInt(2 ** 47)),
  };
  return (strategy) => ({ ...makeCore(strategy), steward: createSteward(parts) });
}
