// One request may serve several who asked: each hears the answer, and a failure is counted once.

import { expect, test } from "vitest";
import { createDispatch } from "../../src/bot/effects/dispatch.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Exchange, Reading, TradeRecord } from "../../src/exchange/port.ts";
import { failure } from "./life.ts";

test("of those who share a request that failed, all hear it and one of them brings the failure", async () => {
  const readings: Reading<readonly TradeRecord[]>[] = [
    { kind: "failed", failure: failure("unauthorized", 401) },
    { kind: "failed", failure: failure("unauthorized", 401) },
  ];
  let next = 0;
  const dispatch = createDispatch({
    // The budget hands one reading to everybody who waits for the same slot.
    exchange: { trades: async () => readings[Math.floor(next++ / 2)] } as unknown as Exchange,
    journal: { announce: () => expect.unreachable("nothing is sent here") },
    core: () => expect.unreachable("nothing is sent here"),
    now: () => ({ at: millis(0), mono: mono(0) }),
    lastCheck: () => undefined,
    heard: () => {},
  });
  const question = { witness: "trades", asset: undefined, class: "confirmation" } as const;
  const heard = [];
  for (let i = 0; i < 4; i++) heard.push(await dispatch.ask(question));
  expect(heard.map((one) => one.kind === "unanswered" && [one.code, one.isShared])).toEqual([
    ["unauthorized", false],
    ["unauthorized", true],
    ["unauthorized", false],
    ["unauthorized", true],
  ]);
});
