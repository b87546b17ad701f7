// RC16: orders of unknown outcome. So many of one asset freeze it, so many over all freeze everything, and one that stays
// unknown for too long halts the bot.

import type { Doubts } from "../books.ts";
import { type Assessment, PASS, type Rule, type Ruling } from "../rule.ts";
import { fewerThan, halted, isKnown, refuse, refuseUnknown } from "../ruling.ts";

/** Each is undefined where it is loosened. */
type DoubtLimits = {
  readonly perAssetMax: number | undefined;
  readonly max: number | undefined;
  readonly ageMsMax: number | undefined;
};

/** One rule for all three, since hardly ever is there anything for them to look at. */
export function openDoubts({ perAssetMax, max, ageMsMax }: DoubtLimits): Rule | undefined {
  if (perAssetMax === undefined && max === undefined && ageMsMax === undefined) return undefined;
  const rule: Rule = {
    code: "RC16",
    review(order, { books: { doubts }, now }) {
      if (doubts.count > 0 && perAssetMax !== undefined) {
        const frozen = reviewAssets(order, doubts, perAssetMax);
        if (frozen !== PASS) return frozen;
      }
      if (max !== undefined && doubts.count >= max)
        return refuse("RC16", "orders of unknown outcome are", doubts.count, fewerThan(max, "doubtsMax"));
      return ageMsMax === undefined || doubts.oldest === undefined ? PASS : reviewAge(doubts.oldest, ageMsMax, now);
    },
  };
  return ageMsMax === undefined ? rule : { ...rule, ...ageMonitor(ageMsMax) };
}

function reviewAssets({ sold, bought }: Assessment, doubts: Doubts, max: number): Ruling {
  for (const asset of [sold, bought]) {
    const count = doubts.countOf(asset);
    if (count < max) continue;
    return refuse("RC16", `orders of unknown outcome in ${asset} are`, count, fewerThan(max, "doubtsPerAssetMax"));
  }
  return PASS;
}

type Oldest = NonNullable<Doubts["oldest"]>;

function reviewAge({ clientOrderId, since }: Oldest, ageMsMax: number, now: number): Ruling {
  const limit = `${ageMsMax} ms`;
  if (!isKnown(now)) return refuseUnknown("RC16", "time", limit);
  const ageMs = now - since;
  return ageMs <= ageMsMax ? PASS : refuse("RC16", `outcome of ${clientOrderId} is unknown for`, `${ageMs} ms`, limit);
}

function ageMonitor(ageMsMax: number): Pick<Rule, "monitor" | "steadyUntil"> {
  return {
    monitor({ books: { doubts }, now }) {
      const { oldest } = doubts;
      if (oldest === undefined || now - oldest.since <= ageMsMax) return undefined;
      const { clientOrderId, since } = oldest;
      const wayOut = `pegbot resolve ${clientOrderId} --filled|--not-filled --reason "...", then pegbot resume --reason "..."`;
      const what = `outcome of ${clientOrderId} is unknown for`;
      const [value, limit] = [`${now - since} ms`, `${ageMsMax} ms`];
      return halted("RC16", { subject: clientOrderId, what, value, limit, wayOut });
    },
    steadyUntil: ({ doubts: { oldest } }) => (oldest?.since ?? Number.POSITIVE_INFINITY) + ageMsMax,
  };
}
