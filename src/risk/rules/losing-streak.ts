// RC13: losing fills in a row. So many freeze trading for a while.

import { reviewFreeze } from "../freeze.ts";
import type { Rule } from "../rule.ts";

export function losingStreak(max: number, freezeMs: number): Rule {
  const limit = { name: "lossesMax", max, freezeMs };
  return {
    code: "RC13",
    review: (_, { books, now }) => reviewFreeze("RC13", "losing fills in a row are", books.losses, limit, now),
  };
}
