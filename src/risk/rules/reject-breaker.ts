// RC12: rejections in a row, of one symbol and of all. So many freeze for a while, twice as many halt the bot: then a person
// has to look. Orders that found no counterpart are no rejections.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Streak } from "../books.ts";
import { reviewFreeze, type StreakLimit } from "../freeze.ts";
import { type Breach, PASS, type RiskContext, type Rule } from "../rule.ts";
import { fewerThan, halted } from "../ruling.ts";

export function rejectBreaker(max: number, freezeMs: number): Rule {
  const limit = { name: "rejectsMax", max, freezeMs };
  return {
    code: "RC12",
    review: (_, { books, now }) => reviewFreeze("RC12", "rejections in a row are", books.rejects, limit, now),
    monitor: ({ books }) => tooMany("all", "rejections in a row are", books.rejects, limit),
  };
}

export function symbolRejectBreaker(symbols: readonly PairSymbol[], max: number, freezeMs: number): Rule {
  const limit = { name: "rejectsPerSymbolMax", max, freezeMs };
  return {
    code: "RC12",
    review({ symbol }, { books, now }) {
      const streak = books.rejectsOf(symbol);
      if (streak.count < max) return PASS;
      return reviewFreeze("RC12", `rejections of ${symbol} in a row are`, streak, limit, now);
    },
    monitor({ books }: RiskContext) {
      for (const symbol of symbols) {
        const breach = tooMany(symbol, `rejections of ${symbol} in a row are`, books.rejectsOf(symbol), limit);
        if (breach !== undefined) return breach;
      }
      return undefined;
    },
  };
}

function tooMany(subject: string, what: string, { count }: Streak, { name, max }: StreakLimit): Breach | undefined {
  if (count < 2 * max) return undefined;
  return halted("RC12", { subject, what, value: count, limit: fewerThan(2 * max, `twice ${name}`) });
}
