// RC16: orders of unknown outcome. So many of one asset freeze it, so many over all freeze everything, and one that stays
// unknown for too long halts the bot.

import { PASS, type Rule } from "../rule.ts";
import { halted, isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function doubtsPerAsset(max: number): Rule {
  return {
    code: "RC16",
    review({ bought, sold }, { books: { doubts } }) {
      if (doubts.count === 0) return PASS;
      for (const asset of [sold, bought]) {
        const count = doubts.countOf(asset);
        if (count >= max) return refuse("RC16", `orders of unknown outcome in ${asset} are`, count, max - 1);
      }
      return PASS;
    },
  };
}

export function doubtsOverAll(max: number): Rule {
  return {
    code: "RC16",
    review(_, { books: { doubts } }) {
      return doubts.count < max ? PASS : refuse("RC16", "orders of unknown outcome are", doubts.count, max - 1);
    },
  };
}

export function doubtAge(ageMsMax: number): Rule {
  const limit = `${ageMsMax} ms`;
  return {
    code: "RC16",
    review(_, { books: { doubts }, now }) {
      const { oldest } = doubts;
      if (oldest === undefined) return PASS;
      if (!isKnown(now)) return refuseUnknown("RC16", "time", limit);
      const ageMs = now - oldest.since;
      return ageMs <= ageMsMax
        ? PASS
        : refuse("RC16", `outcome of ${oldest.clientOrderId} is unknown for`, `${ageMs} ms`, limit);
    },
    monitor({ books: { doubts }, now }) {
      const { oldest } = doubts;
      if (oldest === undefined || now - oldest.since <= ageMsMax) return undefined;
      const wayOut = `pegbot resolve ${oldest.clientOrderId} --filled|--not-filled --reason "...", then pegbot resume --reason "..."`;
      return halted(
        "RC16",
        `outcome of ${oldest.clientOrderId} is unknown for`,
        `${now - oldest.since} ms`,
        limit,
        wayOut,
      );
    },
    steadyUntil: ({ doubts: { oldest } }) => (oldest?.since ?? Number.POSITIVE_INFINITY) + ageMsMax,
  };
}
