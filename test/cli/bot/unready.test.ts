import { expect, it } from "vitest";
import { unreadyReasons } from "../../../src/cli/bot/unready.ts";
import { doingLine } from "../../../src/telemetry/doing-text.ts";
import { statusAt } from "../../dashboard/stage.ts";

it("a bot is not ready while everything is frozen, and is with some assets frozen", () => {
  const ready = unreadyReasons(statusAt({ frozen: "VCHF: one outcome is unknown" }), undefined);
  const frozen = unreadyReasons(statusAt({ frozen: "everything: a person must decide" }), undefined);
  expect(frozen).toEqual([...ready, "frozen everything: a person must decide"]);
  expect(ready).toEqual([]);
});

it("a journal whose time is ahead is why, before the prices that count as old for it", () => {
  const { equity } = statusAt();
  const ahead = "the journal's time is 1d 0:00:00 ahead of the clock";
  const missing = "no rate in CHF for USDC";
  expect(unreadyReasons(statusAt({ equity: { ...equity, now: undefined, missing }, ahead }), undefined)).toEqual([
    ahead,
    `equity is unknown: ${missing}`,
  ]);
});

it("what equity waits for is named, and that no operator was heard", () => {
  const { equity } = statusAt();
  const missing = "no rate in CHF for USDC";
  const unheard = "RC25: no heartbeat of an operator";
  expect(unreadyReasons(statusAt({ equity: { ...equity, now: undefined, missing }, unheard }), undefined)).toEqual([
    unheard,
    `equity is unknown: ${missing}`,
  ]);
});

it("a bot for which everything is frozen is not said to trade", () => {
  const frozen = "everything: a person must decide";
  const doing = (change: Parameters<typeof statusAt>[0]): string => doingLine(statusAt(change));
  expect(doing({ frozen })).toBe("not trading, everything is frozen: a person must decide");
  expect(doing({ frozen: "VCHF: one outcome is unknown" })).toBe("trading");
  expect(doing({ frozen, phase: { kind: "resolving", text: "resolving" } })).toBe("resolving");
});
