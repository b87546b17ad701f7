// The last look before a mint or a rail leaves: what has come to be known since it was approved counts.

import { expect, test } from "vitest";
import { IDLE } from "../../src/bot/start-up.ts";
import { millis } from "../../src/domain/time.ts";
import { createDepartures } from "../../src/execution/departure.ts";
import { moment, newDesk, openDesk } from "../bot/desk-bench.ts";
import { CHF, VCHF } from "./life.ts";

test("a rail that was approved does not leave once rails are frozen, and does when a person has looked", () => {
  const desk = newDesk("frozen00", {}, IDLE);
  openDesk(desk);
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
  const [approved] = desk.turn([], { kind: "movement", wish: { kind: "rail", rail, ...terms } }, moment(1_000)).sends;
  if (approved === undefined) throw new Error("a rail must be approved");
  const want = createDepartures({
    journal: { announce: () => expect.unreachable("nothing is sent here") },
    core: () => desk,
    now: () => moment(1_000),
    lastCheck: () => undefined,
  }).want(approved);
  expect(want.recheck(at)).toBeUndefined();
  const record = { kind: "rails", at, whitelist: undefined, reason: "the whitelist has changed", by: "bot" } as const;
  desk.executor.acknowledge({ ...record, state: "frozen" });
  expect(want.recheck(at)).toMatch(/^rails are frozen: the whitelist has changed/);
  desk.executor.acknowledge({ ...record, state: "released" });
  expect(want.recheck(at)).toBeUndefined();
});
