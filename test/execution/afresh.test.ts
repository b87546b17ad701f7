import { expect, test } from "vitest";
import { mono } from "../../src/domain/time.ts";
import { Afresh } from "../../src/execution/afresh.ts";
import type { Ask } from "../../src/execution/executor.ts";
import type { Witness } from "../../src/execution/submission.ts";

const ALL = ["balances", "trades", "orders"] as const;

/** What it asks for at a moment. */
function follow(afresh: Afresh, at: number): readonly Witness[] {
  const asks: Ask[] = [];
  afresh.follow(mono(at), { ask: (ask) => asks.push(ask) });
  return asks.map(({ witness }) => witness);
}

test("after a person's word each list counts that was asked for since, and none that was asked for before", () => {
  const afresh = new Afresh();
  follow(afresh, 0);
  afresh.demand();
  expect(afresh.reason()).toMatch(/^balances, trades, orders have not been read since a person let the bot go on/);
  // On its way while the person spoke, and answered before anybody asked anew.
  afresh.answered({ witness: "balances", askedAt: mono(5) });
  expect(follow(afresh, 10)).toEqual(ALL);
  for (const witness of ALL) afresh.answered({ witness, askedAt: mono(9) });
  expect(afresh.reason()).toMatch(/^balances, trades, orders have/);
  for (const witness of ALL) afresh.answered({ witness, askedAt: mono(10) });
  expect([afresh.reason(), follow(afresh, 20)]).toEqual([undefined, []]);
});

test("what is not answered is asked for again, and a word in between begins anew", () => {
  const afresh = new Afresh();
  follow(afresh, 0);
  afresh.demand();
  follow(afresh, 10);
  afresh.answered({ witness: "orders", askedAt: mono(10) });
  expect(follow(afresh, 11)).toEqual([]);
  afresh.unanswered("orders");
  expect(follow(afresh, 12)).toEqual([]);
  afresh.unanswered("trades");
  expect(follow(afresh, 13)).toEqual(["balances", "trades"]);
  afresh.demand();
  expect(follow(afresh, 14)).toEqual(ALL);
});

test("whoever does not follow the account is not held up: a start reads it all, and a command what it needs", () => {
  const afresh = new Afresh();
  afresh.demand();
  expect(afresh.reason()).toBe(undefined);
});
