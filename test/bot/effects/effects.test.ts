// After money moved the balances are read; what history shows of a fill that was answered before moves none. After a rejection
// that a pair's own rules may be behind, the pairs are read, and after a proposal
// that is refused because of their list.

import { expect, it } from "vitest";
import { TurnEffects } from "../../../src/bot/effects/effects.ts";
import { PollSchedule, pollDefaults } from "../../../src/bot/effects/poll-schedule.ts";
import type { StartUp } from "../../../src/bot/effects/startup.ts";
import type { Engine } from "../../../src/bot/engine.ts";
import { QUIET, type Turn } from "../../../src/bot/turn.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import type { OrderReport } from "../../../src/domain/event.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../../src/domain/order.ts";
import type { Step } from "../../../src/domain/step.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import { FRESH } from "../../../src/risk/trading-state.ts";

const AT = millis(1_794_731_400_000);
const chf = Money.of("1", "CHF" as Asset);
const trading = { phase: { kind: "trading" }, isOver: true, after: () => ({ inputs: [], asks: [] }) };
const tradingCore = { books: { counters: { tradingState: FRESH } } };

function reported(clientOrderId: ClientOrderId, report: OrderReport): Turn {
  const event = { kind: "report", clientOrderId, report, receivedAt: AT } as const;
  return { ...QUIET, steps: [{ sequence: 1, at: AT, event, decisions: [], commands: [], mark: undefined }] };
}

function filled(id: string, confirmed: boolean): Turn {
  const clientOrderId = id as ClientOrderId;
  const legs = { bought: Money.of("1", "VCHF" as Asset), sold: chf, fee: Money.zero("CHF" as Asset) };
  const names = { clientOrderId, orderId: "1", tradeId: undefined, symbol: "VCHF/CHF" as PairSymbol };
  const fill: Fill = { ...names, side: "buy", ...legs, at: AT };
  return reported(clientOrderId, { kind: "filled", fill, confirmed });
}

it("reads the pairs after a rejection that their own rules may be behind, and after no other", () => {
  const polls = new PollSchedule(pollDefaults);
  const effects = new TurnEffects(trading as unknown as StartUp, polls);
  let now = 1_000;
  const readsAfter = (turn: Turn): readonly string[] => {
    now += 20_000;
    const moment = { at: AT, mono: mono(now) };
    const { reads } = effects.after({ kind: "save" }, turn, tradingCore as unknown as Engine, moment, false);
    for (const read of reads) polls.ended(read, "answered", moment.mono);
    return reads;
  };
  const rejected = (code: string) =>
    reported("T-foremans-3" as ClientOrderId, { kind: "rejected", code, message: "min_order_size" });
  expect(readsAfter(QUIET)).toContain("pairs");
  for (const code of ["unfilled", "price-out-of-band", "rate-limited", "forbidden"])
    expect(readsAfter(rejected(code)), code).not.toContain("pairs");
  for (const code of ["below-minimum", "invalid-order", "unknown-symbol", "unknown-code"])
    expect(readsAfter(rejected(code)), code).toContain("pairs");
});

it("counts the venue as one without quotes until a quote of it comes", () => {
  const startUp = { ...trading, isUnquoted: false };
  const effects = new TurnEffects(startUp as unknown as StartUp, new PollSchedule(pollDefaults));
  const after = (kind: "unquoted" | "save", source?: string): boolean => {
    const event = { kind: "quote", source } as unknown as Step["event"];
    const step = { sequence: 1, at: AT, event, decisions: [], commands: [], mark: undefined };
    const turn = source === undefined ? QUIET : { ...QUIET, steps: [step] };
    effects.after({ kind }, turn, tradingCore as unknown as Engine, { at: AT, mono: mono(0) }, false);
    return startUp.isUnquoted;
  };
  expect([after("unquoted"), after("save", "ecb"), after("save", "venue")]).toEqual([true, true, false]);
});

it("reads the balances once for a fill that is answered and then seen in history, and for one that only history shows", () => {
  const polls = new PollSchedule(pollDefaults);
  const effects = new TurnEffects(trading as unknown as StartUp, polls);
  let now = 1_000;
  const readsAfter = (turn: Turn): readonly string[] => {
    now += 1;
    const moment = { at: AT, mono: mono(now) };
    const { reads } = effects.after({ kind: "save" }, turn, tradingCore as unknown as Engine, moment, false);
    for (const read of reads) polls.ended(read, "answered", moment.mono);
    return reads;
  };
  expect(readsAfter(QUIET)).toContain("balances");
  expect(readsAfter(QUIET)).not.toContain("balances");
  expect(readsAfter(filled("T-foremans-1", false))).toContain("balances");
  expect(readsAfter(filled("T-foremans-1", true))).not.toContain("balances");
  expect(readsAfter(filled("T-foremans-2", true))).toContain("balances");
  expect(readsAfter(filled("T-foremans-1", true))).toContain("balances");
});
