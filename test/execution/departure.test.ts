// The last look before something leaves: what has come to be known since it was approved counts.

import { expect, test } from "vitest";
import type { Engine } from "../../src/bot/engine.ts";
import { IDLE } from "../../src/bot/strategy-host/strategy-state.ts";
import { millis } from "../../src/domain/time.ts";
import { createPreSendChecks } from "../../src/execution/send.ts";
import { moment, newDesk, openDesk } from "../bot/trading-core-bench.ts";
import { CHF, VCHF } from "./life.ts";

/** At `moment(1_000)`. */
function approvedRail(tradingCore: Engine) {
  openDesk(tradingCore);
  const rail = {
    type: "StablecoinToFiat",
    sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
    destination: "CH93",
    memo: undefined,
    asset: VCHF,
    currency: CHF,
    blockchain: "ETH",
    known: [],
  } as const;
  const { at } = moment(1_000);
  const terms = { isAnother: false, decidedAt: at, expiresAt: millis(at + 600_000), reason: "test" };
  const [approved] = tradingCore.process(
    { kind: "movement", wish: { kind: "rail", rail, ...terms } },
    moment(1_000),
  ).sends;
  if (approved === undefined) throw new Error("a rail must be approved");
  return approved;
}

test("a rail that was approved does not leave once rails are frozen, and does when a person has looked", () => {
  const tradingCore = newDesk("frozen00", {}, IDLE);
  const approved = approvedRail(tradingCore);
  const { at } = moment(1_000);
  const want = createPreSendChecks({
    journal: { announce: () => expect.unreachable("nothing is sent here") },
    core: () => tradingCore,
    now: () => moment(1_000),
    lastCheck: () => undefined,
  }).want(approved);
  expect(want.recheck(at)).toBeUndefined();
  const record = { kind: "rails", at, whitelist: undefined, reason: "the whitelist has changed", by: "bot" } as const;
  tradingCore.executor.treasury.rails.fold({ ...record, state: "frozen" });
  expect(want.recheck(at)).toMatch(/^rails are frozen: the whitelist has changed/);
  tradingCore.executor.treasury.rails.fold({ ...record, state: "released" });
  expect(want.recheck(at)).toBeUndefined();
});

test("the switch is asked once more after everything else was looked at, as the last word", () => {
  const tradingCore = newDesk("switch00", {}, IDLE);
  const approved = approvedRail(tradingCore);
  const answers = [undefined, "HALTED: by file"];
  let asked = 0;
  const departures = createPreSendChecks({
    journal: { announce: () => expect.unreachable("nothing is sent here") },
    core: () => tradingCore,
    now: () => moment(1_000),
    lastCheck: () => answers[asked++],
  });
  expect(departures.want(approved).lastCheck()).toBe("HALTED: by file");
  expect(asked).toBe(2);
});
