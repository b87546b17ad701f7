// An order that waits for its slot is worth what its class is and what it would earn as things stand: valued at the slot,
// not when it was decided.

import { expect, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { classWorth } from "../../../src/exchange/port.ts";
import { createPreSendChecks } from "../../../src/execution/send.ts";
import { prepareStrategy } from "../../../src/strategy/prepare.ts";
import { defineStrategy } from "../../../src/strategy/strategy.ts";
import { moment, newDesk, openDesk, quote } from "../trading-core-bench.ts";

function departed(says: boolean) {
  const definition = defineStrategy({
    name: "cheap",
    decide: ({ quote: { ask, symbol }, buy }) =>
      ask < 1 ? buy(symbol, { limit: ask, size: 100, reason: "r" }) : undefined,
    ...(says ? { worth: () => 1 } : {}),
  });
  const tradingCore = newDesk("worth000", {}, unwrap(prepareStrategy(definition, {})));
  openDesk(tradingCore);
  const [order] = tradingCore.turn([], quote(0.998, 1_000), moment(1_000)).sends;
  if (order === undefined) throw new Error("an order must be approved");
  const journal = { announce: () => expect.unreachable("nothing is sent here") };
  const departures = createPreSendChecks({
    journal,
    core: () => tradingCore,
    now: () => moment(1_000),
    lastCheck: () => undefined,
  });
  return { tradingCore, want: departures.want(order) };
}

test("an order is worth its class and what it earns at its limit, in hundredths: never less than its class", () => {
  const { tradingCore, want } = departed(true);
  // 100 at 20 bp under par are 0.20 CHF.
  expect(want.worth?.(moment(1_000).at)).toBeCloseTo(classWorth.order + 20, 6);
  // Out of the peg band there is no fair value, so nobody can say what it earns.
  tradingCore.turn([], quote(0.97, 2_000), moment(2_000));
  expect(want.worth?.(moment(2_000).at)).toBe(classWorth.order);
});

test("an order of a strategy that says nothing of worth says nothing either: its class decides", () => {
  expect(departed(false).want.worth).toBeUndefined();
});
