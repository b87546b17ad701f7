// A venue that refuses an account, a key or a question, and lists that cannot be read: what freezes and what stops the bot.

import { describe, expect, test } from "vitest";
import { type Keeping, opened } from "./keeping.ts";

describe("a venue that refuses", () => {
  test("an account stops the bot: by an answer to an order, and by one to a question", () => {
    const bot = opened();
    bot.reject(bot.send(), 403);
    expect(bot.controls).toMatchObject([
      { kind: "halt", cause: "venue", wayOut: expect.stringContaining("pegbot doctor") },
    ]);
    const other = opened();
    other.take((out) =>
      other.executor.unanswered({ witness: "trades", askedAt: other.now.mono, code: "kyb-required" }, other.now, out),
    );
    expect(other.controls).toMatchObject([
      { kind: "halt", cause: "venue", reason: "the venue forbids this account to read its trades: kyb-required" },
    ]);
  });

  test("a question with a 403 that names no reason stops the bot the second time in a row", () => {
    const bot = opened();
    const forbid = (witness: "trades" | "balances" | "payments", isShared = false) =>
      bot.take((out) =>
        bot.executor.unanswered({ witness, askedAt: bot.now.mono, code: "forbidden", isShared }, bot.now, out),
      );
    forbid("trades").trades([]);
    forbid("trades");
    // One request that two had asked for; another list; one that some keys may not ask for.
    forbid("trades", true);
    forbid("balances");
    forbid("payments");
    forbid("payments");
    expect(bot.controls).toEqual([]);
    forbid("trades");
    expect(bot.controls).toMatchObject([
      { kind: "halt", cause: "venue", reason: "the venue forbids this account to read its trades: forbidden" },
    ]);
  });

  test("the key twice in a row stops the bot; at once when something is in doubt", () => {
    const bot = opened();
    const refuse = (keeping: Keeping, isShared = false) => {
      const question = { witness: "trades", askedAt: keeping.now.mono, code: "unauthorized", isShared } as const;
      return keeping.take((out) => keeping.executor.unanswered(question, keeping.now, out));
    };
    refuse(bot).trades([]);
    refuse(bot);
    // One request, and two who had asked for it.
    refuse(bot, true);
    expect(bot.controls).toEqual([]);
    refuse(bot);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "venue", reason: "the venue refuses our key" }]);
    const doubtful = opened();
    doubtful.doubt();
    expect(refuse(doubtful).controls).toMatchObject([
      { kind: "halt", cause: "venue", wayOut: expect.stringContaining("pegbot doctor") },
    ]);
  });
});

test("an old unknown outcome and a list that cannot be read freeze everything, each with its own reason", () => {
  const bot = opened();
  const id = bot.doubt();
  const failing = (second: number) =>
    bot.at(second).take((out) => {
      bot.executor.unanswered({ witness: "trades", askedAt: bot.now.mono, code: "venue-down" }, bot.now, out);
      bot.executor.time(bot.now, out);
    });
  failing(1);
  // What nobody can read keeps no person from being called about a doubt, and of an order its report alone does that.
  expect(bot.at(901).said).toMatchObject([{ kind: "report", clientOrderId: id, report: { kind: "escalated" } }]);
  failing(901);
  expect(bot.executor.freeze(bot.now)).toEqual({
    kind: "everything",
    reason: `the outcome of ${id} is unknown for 0:15:00 or more; the venue's trades cannot be read for 0:02:00 or more`,
  });
});
