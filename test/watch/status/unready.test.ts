import { expect, it } from "vitest";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
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
