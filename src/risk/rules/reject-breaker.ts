// RC12: rejections in a row, of one symbol and of all. So many freeze for a while, twice as many halt the bot: then a person
// has to look. Orders that found no counterpart are no rejections.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Streak } from "../books.ts";
import { reviewFreeze } from "../freeze.ts";
import { type Breach, PASS, type RiskContext, type Rule } from "../rule.ts";
import { halted } from "../ruling.ts";

export function rejectBreaker(max: number, freezeMs: number): Rule {
  return {
    code: "RC12",
    review: (_, { books, now }) =>
      reviewFreeze("RC12", "rejections in a row are", books.rejects, { max, freezeMs, now }),
    monitor: ({ books }) => tooMany("all", "rejections in a row are", books.rejects, max),
  };
}

export function symbolRejectBreaker(symbols: readonly PairSymbol[], max: number, freezeMs: number): Rule {
  return {
    code: "RC12",
    review({ symbol }, { books, now }) {
      const streak = books.rejectsOf(symbol);
      if (streak.count < max) return PASS;
      return reviewFreeze("RC12", `rejections of ${symbol} in a row are`, streak, { max, freezeMs, now });
    },
    monitor({ books }: RiskContext) {
      for (const symbol of symbols) {
        const breach = tooMany(symbol, `rejections of ${symbol} in a row are`, books.rejectsOf(symbol), max);
        if (breach !== undefined) return breach;
      }
      return undefined;
    },
  };
}

function tooMany(subject: string, what: string, { count }: Streak, max: number): Breach | undefined {
  return count < 2 * max ? undefined : halted("RC12", { subject, what, value: count, limit: 2 * max - 1 });
}
