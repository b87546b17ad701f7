import { expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { unreadyReasons } from "../../../src/watch/status/status-board.ts";
import { frozenOf } from "../../../src/watch/status/submission-list.ts";
import { doingLine } from "../../../src/watch/text/status-text.ts";
import { statusAt } from "../dashboard/stage.ts";

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

it("a journal whose time is ahead is why, before the prices that count as old for it", () => {
  const { equity } = statusAt();
  const ahead = "the journal's time is 1d 0:00:00 ahead of the clock";
  const missing = "no rate in CHF for USDC";
  expect(unreadyReasons(statusAt({ equity: { ...equity, now: undefined, missing }, ahead }), undefined)).toEqual([
    ahead,
    `equity is unknown: ${missing}`,
  ]);
});

it("a storm of 429 is why, before what follows from it", () => {
  const { budget } = statusAt();
  const calming = budget && { ...budget, rateLimited: 1, doubtsOnly: true };
  const frozen = "everything: the venue's balances cannot be read for 0:00:20 or more";
  expect(unreadyReasons(statusAt({ budget: calming, frozen }), undefined)).toEqual([
    "the venue says that we ask too often (429): nothing but doubts is asked about until it is calm; does another program use the key?",
    `frozen ${frozen}`,
  ]);
  // One such answer makes the pace slower, and no more.
  expect(unreadyReasons(statusAt({ budget: calming && { ...calming, doubtsOnly: false } }), undefined)).toEqual([]);
});

it("a pause by the venue is why, with the answer that did it, once", () => {
  const { budget } = statusAt();
  const paused = { until: 1_794_731_460_000, ms: 3_600_000, status: 503, call: "accountBalance" };
  const why = "paused by the venue until 08:31:00 (503 with Retry-After 3600 to accountBalance)";
  const status = statusAt({ budget: budget && { ...budget, doubtsOnly: true, paused } });
  expect(unreadyReasons(status, why)).toEqual([why]);
  expect(unreadyReasons(status, "the venue refuses the key")).toEqual(["the venue refuses the key", why]);
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

it("says which pair is offline where equity is unknown, and that none can be traded where all are", () => {
  const { equity } = statusAt();
  const missing = "no rate in CHF for VCHF";
  const offline = [{ symbol: "VCHF/CHF", word: "offline", since: millis(1) }];
  const seen = statusAt({ equity: { ...equity, now: undefined, missing }, offline });
  const unknown = "equity is unknown: no rate in CHF for VCHF; VCHF/CHF is offline at the venue";
  expect(unreadyReasons(seen, undefined, 2)).toEqual([unknown]);
  expect(unreadyReasons(seen, undefined, 1)).toEqual([
    "no pair can be traded: VCHF/CHF is offline at the venue",
    unknown,
  ]);
  expect(unreadyReasons(statusAt({ offline }), undefined, 2)).toEqual([]);
  expect(unreadyReasons(statusAt({ offline: [] }), undefined, 0)).toEqual([]);
});
