import { expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { unreadyReasons } from "../../../src/watch/status/status-board.ts";
import { frozenOf } from "../../../src/watch/status/submission-list.ts";
import { statusAt, T0 } from "../dashboard/stage.ts";

it("a bot is not ready while everything is frozen, and is with some assets frozen", () => {
  const ready = unreadyReasons(statusAt({ frozen: "VCHF: one outcome is unknown" }), undefined);
  const frozen = unreadyReasons(statusAt({ frozen: "everything: a person must decide" }), undefined);
  expect(frozen).toEqual([...ready, "frozen everything: a person must decide"]);
  expect(ready).toEqual([]);
});

it("assets that are in all pairs that may be traded are everything", () => {
  const freeze = {
    kind: "assets",
    assets: ["VCHF" as Asset, "CHF" as Asset],
    reason: "its outcome is unknown",
  } as const;
  const [one, other] = ["VCHF/CHF" as PairSymbol, "VGBP/GBP" as PairSymbol];
  const all = "everything: VCHF, CHF are in all pairs of risk.symbols: its outcome is unknown";
  expect(frozenOf(freeze, [one])).toBe(all);
  expect(unreadyReasons(statusAt({ frozen: all }), undefined)).toEqual([`frozen ${all}`]);
  expect(frozenOf(freeze, [one, other])).toBe("VCHF, CHF: its outcome is unknown");
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

it.each([
  ["FROZEN", "everything: a person must decide", { frozen: "everything: a person must decide" }],
  ["STARTING", "resolving", { frozen: "everything: x", phase: { kind: "resolving", text: "resolving" } }],
  ["CAPPED", "RC03: too much GBP", { idle: { since: T0, reason: "RC03: too much GBP", rule: "RC03" } }],
  ["IDLE", "RC08: old", { idle: { since: T0, reason: "RC08: old", rule: "RC08" } }],
  ["STOPPED", "no bot runs", { phase: { kind: "ended", text: "no bot runs" } }],
] as const)("the word is %s, with why", (word, why, change) => {
  const { state } = statusAt(change);
  expect([state.word, state.why]).toEqual([word, why]);
  expect(state.frees).not.toBe("");
});
