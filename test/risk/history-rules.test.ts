// The rules that look at what happened: rate, turnover, rejections, losses, repeats, doubts, fees, equity, heartbeat.

import { describe, expect, test } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price } from "../../src/domain/money/money.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { Markouts } from "../../src/risk/counters/markouts.ts";
import type { Rule } from "../../src/risk/rule.ts";
import {
  adverseMoves,
  DAILY_LOSS,
  DRAWDOWN,
  dailyFees,
  losingStreak,
  lossRule,
  orderFee,
  orderLossRule,
} from "../../src/risk/rules/losses.ts";
import {
  dailyOrders,
  duplicateIntent,
  heartbeat,
  missingHeartbeat,
  openDoubts,
  orderRate,
  rejectBreaker,
  selfOffset,
  symbolRejectBreaker,
  turnoverPerDay,
  turnoverPerHour,
} from "../../src/risk/rules/rate.ts";
import { ramp } from "../../src/risk/rules/size.ts";
import {
  aCandidate,
  aDesk,
  aFill,
  aGate,
  anIntent,
  approved,
  CHF,
  chf,
  type Engine,
  filled,
  GBP,
  marked,
  NOON,
  rejected,
  reported,
  said,
  VCHF,
  VCHF_CHF,
  VGBP_GBP,
  verdict,
} from "./stage.ts";

/** What the rule does to the bot by itself: `HALTED: reason (way out)`, or `goes on`. */
function doubts(limits: Partial<Parameters<typeof openDoubts>[0]>): Rule {
  return openDoubts({ perAssetMax: undefined, max: undefined, ageMsMax: undefined, ...limits }) as Rule;
}

function afterwards(rule: Rule, tradingCore: Engine): string {
  const [command] = aGate(rule).monitor(tradingCore);
  return command === undefined ? "goes on" : `${command.state}: ${command.subject} (${command.wayOut})`;
}

const ACCEPT =
  '(understand first what led to it: pegbot resume --reason "..." accepts it, and the whole limit counts anew from then on)';
const NO_TIME = millis(Number.NaN);

describe("RC05, the loss of a day", () => {
  const rule = lossRule(DAILY_LOSS, 50);

  test("stops at half a per cent: at the limit it goes on, one unit beyond it halts and refuses", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "100000");
    tradingCore.equity = "99500";
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
    tradingCore.equity = "99499.999999999999999999";
    expect(verdict(rule, tradingCore)).toBe("RC05");
    expect(afterwards(rule, tradingCore)).toBe(`HALTED: RC05 ${ACCEPT}`);
  });

  test("refuses what it would halt for once the order is open, its fee budget included", () => {
    const own = orderLossRule(DAILY_LOSS, 50, 20);
    const tradingCore = aDesk();
    marked(tradingCore, "100000");
    // 10,000 at 1.003 with a fee of 20 bp: 50.06 more than the 10,000 that come.
    tradingCore.equity = "99550.06";
    const order = { size: "10000", limit: "1.003" };
    expect(verdict(own, tradingCore, order)).toBe("approved 10000");
    tradingCore.equity = "99550.05";
    expect(verdict(own, tradingCore, order)).toBe("RC05");
    expect(verdict(own, tradingCore, { ...order, limit: "1" })).toBe("approved 10000");
    expect(verdict(own, tradingCore, { side: "sell", size: "10000", limit: "0.995" })).toBe("approved 10000");
    expect(verdict(own, tradingCore, { side: "sell", size: "10000", limit: "0.99" })).toBe("RC05");
    expect(verdict(rule, tradingCore, order)).toBe("approved 10000");
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    tradingCore.rates.delete(VCHF);
    expect(verdict(own, tradingCore, order)).toBe("RC05 unknown");
  });

  test("counts what was realised where that is worse than the mark", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "100000");
    tradingCore.equity = "100300";
    filled(tradingCore, { realised: "-500" });
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    filled(tradingCore, { realised: "-0.01" });
    expect(afterwards(rule, tradingCore)).toContain("HALTED: RC05");
  });

  test("refuses while the opening or the equity is unknown", () => {
    expect(verdict(rule, aDesk())).toBe("RC05 unknown");
    const tradingCore = aDesk();
    marked(tradingCore, "100000");
    tradingCore.equity = undefined;
    expect([verdict(rule, tradingCore).slice(0, 32), afterwards(rule, tradingCore)]).toEqual([
      "RC05 unknown",
      "goes on",
    ]);
  });
});

describe("RC06, the loss from the peak", () => {
  const rule = lossRule(DRAWDOWN, 100);

  test("counts from the highest mark, over days", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "100000");
    marked(tradingCore, "110000");
    tradingCore.now = millis(NOON + 86_400_000);
    marked(tradingCore, "109000");
    tradingCore.equity = "108900";
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
    tradingCore.equity = "108899.99";
    expect(verdict(rule, tradingCore)).toBe("RC06");
    expect(afterwards(rule, tradingCore)).toBe(`HALTED: RC06 ${ACCEPT}`);
  });

  test("refuses while there is no peak or no equity", () => {
    expect(verdict(rule, aDesk())).toContain("RC06 unknown");
    const tradingCore = aDesk();
    marked(tradingCore, "100000");
    tradingCore.equity = undefined;
    expect(verdict(rule, tradingCore)).toContain("RC06 unknown");
  });
});

describe("RC10, the order rate", () => {
  test("lets so many out in any minute, and the next when the first is a minute old", () => {
    const rule = orderRate(3);
    const tradingCore = aDesk();
    for (const ms of [0, 10, 20]) {
      tradingCore.now = millis(NOON + ms);
      expect(verdict(rule, tradingCore)).toBe("approved 100");
      approved(tradingCore);
    }
    tradingCore.now = millis(NOON + 59_999);
    expect(verdict(rule, tradingCore)).toBe("RC10");
    tradingCore.now = millis(NOON + 60_000);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    tradingCore.now = NO_TIME;
    expect(verdict(rule, tradingCore)).toContain("RC10 unknown");
  });

  test("halts when the orders of a day are used up, and a new day has them again", () => {
    const rule = dailyOrders(2);
    const tradingCore = aDesk();
    marked(tradingCore, "1");
    filled(tradingCore);
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
    const last = approved(tradingCore);
    expect(verdict(rule, tradingCore)).toBe("RC10");
    // The last one still has to leave.
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    reported(tradingCore, last, { kind: "filled", fill: aFill(last), confirmed: false });
    expect(verdict(rule, tradingCore)).toBe("RC10");
    expect(afterwards(rule, tradingCore)).toBe(`HALTED: RC10 ${ACCEPT}`);
    tradingCore.now = millis(NOON + 43_200_000);
    marked(tradingCore, "1");
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
  });
});

describe("RC11, turnover", () => {
  test("counts open orders as if they filled, to the last step", () => {
    for (const rule of [turnoverPerHour(chf("1000")), turnoverPerDay(chf("1000"))]) {
      const tradingCore = aDesk();
      filled(tradingCore, { id: "T-1", size: "500" });
      approved(tradingCore, { id: "T-2", size: "400" });
      expect(verdict(rule, tradingCore, { size: "100" })).toBe("approved 100");
      expect(verdict(rule, tradingCore, { size: "100.01" })).toBe("approved 100");
      expect(aGate(rule).review(aCandidate({ size: "250" }), tradingCore)).toMatchObject({
        capped: [{ rule: "RC11", value: "1,150 CHF", limit: "1,000 CHF" }],
      });
      approved(tradingCore, { id: "T-3", size: "99.95" });
      expect(verdict(rule, tradingCore, { size: "100" })).toMatch(/^RC11/);
    }
  });

  test("gives back what did not trade", () => {
    const tradingCore = aDesk();
    rejected(tradingCore, { size: "1000" });
    expect(verdict(turnoverPerHour(chf("1000")), tradingCore, { size: "1000" })).toBe("approved 1000");
  });

  test("forgets an hour only when all of its minute is out", () => {
    const rule = turnoverPerHour(chf("1000"));
    const tradingCore = aDesk();
    filled(tradingCore, { size: "1000" });
    tradingCore.now = millis(NOON + 3_600_000);
    expect(verdict(rule, tradingCore)).toContain("RC11");
    tradingCore.now = millis(NOON + 3_660_000);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
  });

  test("halts on value traded beyond the limit, and on a fill that nobody can value", () => {
    for (const rule of [turnoverPerHour(chf("100")), turnoverPerDay(chf("100"))]) {
      const tradingCore = aDesk();
      filled(tradingCore, { size: "100" });
      expect(afterwards(rule, tradingCore)).toBe("goes on");
      filled(tradingCore, { size: "0.01" });
      expect(afterwards(rule, tradingCore)).toMatch(/HALTED: RC11/);
      const blind = aDesk();
      filled(blind, { symbol: VGBP_GBP });
      expect(afterwards(rule, blind)).toContain("HALTED: RC11 value traded");
      expect(verdict(rule, blind, { size: "1" })).toContain("RC11");
    }
  });

  test("refuses an order that cannot be valued", () => {
    expect(verdict(turnoverPerDay(chf("100")), aDesk(), { symbol: VGBP_GBP })).toContain("RC11 unknown");
  });

  test("values in the currency of the limits, at the rate of the approval", () => {
    const tradingCore = aDesk();
    tradingCore.rates.set(GBP, Price.of("1.25"));
    filled(tradingCore, { symbol: VGBP_GBP, size: "80" });
    expect(String(tradingCore.counters.day.turnover)).toBe("100");
  });
});

describe("RC12, rejections in a row", () => {
  test.each([
    ["all symbols", rejectBreaker(3, 900_000)],
    ["one symbol", symbolRejectBreaker([VCHF_CHF], 3, 900_000)],
  ])("of %s freeze for a while from the last one, and twice as many halt", (_, rule) => {
    const tradingCore = aDesk();
    rejected(tradingCore);
    rejected(tradingCore);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    rejected(tradingCore);
    expect(verdict(rule, tradingCore)).toMatch(/^RC12/);
    tradingCore.now = millis(NOON + 899_999);
    expect(verdict(rule, tradingCore)).toContain("RC12");
    tradingCore.now = millis(NOON + 900_000);
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
    rejected(tradingCore);
    rejected(tradingCore);
    expect([verdict(rule, tradingCore).slice(0, 4), afterwards(rule, tradingCore)]).toEqual(["RC12", "goes on"]);
    rejected(tradingCore);
    expect(afterwards(rule, tradingCore)).toMatch(/HALTED: RC12/);
  });

  test("end with a fill, and do not grow by orders that found no counterpart", () => {
    const rule = rejectBreaker(2, 900_000);
    const tradingCore = aDesk();
    rejected(tradingCore);
    for (let i = 0; i < 5; i++) rejected(tradingCore, {}, "unfilled");
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    rejected(tradingCore);
    expect(verdict(rule, tradingCore)).toContain("RC12");
    filled(tradingCore);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
  });

  test("of one symbol leave the others alone", () => {
    const rule = symbolRejectBreaker([VCHF_CHF, VGBP_GBP], 1, 900_000);
    const tradingCore = aDesk();
    rejected(tradingCore);
    expect(verdict(rule, tradingCore)).toContain("RC12");
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP })).toBe("approved 100");
    tradingCore.now = NO_TIME;
    expect(verdict(rule, tradingCore)).toContain("RC12 unknown");
  });
});

describe("RC13, losing fills in a row", () => {
  const rule = losingStreak(2, 60_000);

  test("freeze for a while; an even or winning fill ends the streak, an opening one does not", () => {
    const tradingCore = aDesk();
    filled(tradingCore, { realised: "-0.01" });
    filled(tradingCore);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    filled(tradingCore, { realised: "-0.01" });
    expect(verdict(rule, tradingCore)).toBe("RC13");
    tradingCore.now = millis(NOON + 59_999);
    expect(verdict(rule, tradingCore)).toBe("RC13");
    tradingCore.now = NO_TIME;
    expect(verdict(rule, tradingCore)).toContain("RC13 unknown");
    tradingCore.now = millis(NOON + 60_000);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    filled(tradingCore, { realised: "0" });
    filled(tradingCore, { realised: "-1" });
    expect(verdict(rule, tradingCore)).toBe("approved 100");
  });
});

describe("RC36, prices that turn against our fills", () => {
  const rule = adverseMoves(2);

  /** A fill at a mid of 1, and the mid of its pair a minute later. */
  function traded(tradingCore: ReturnType<typeof aDesk>, mid: number, side: "buy" | "sell" = "buy", ms = 61_000): void {
    const intent = anIntent({ side });
    tradingCore.counters.apply({ kind: "approved", intent, rate: undefined, mid: 1, at: tradingCore.now });
    reported(tradingCore, intent, { kind: "filled", fill: aFill(intent), confirmed: true });
    tradingCore.now = millis(tradingCore.now + ms);
    tradingCore.counters.apply({ kind: "mids", mids: [{ symbol: intent.symbol, mid }], at: tradingCore.now });
  }

  test("halt by the tenth, bought or sold; resume accepts it", () => {
    const tradingCore = aDesk();
    for (let i = 0; i < 9; i++) traded(tradingCore, i % 2 ? 0.9995 : 1.0005, i % 2 ? "buy" : "sell");
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    traded(tradingCore, 0.9995);
    // All moved by 5 bp, so their standard error is zero.
    expect(afterwards(rule, tradingCore)).toContain("HALTED: RC36");
    expect(afterwards(rule, tradingCore)).toContain("pegbot resume");
    tradingCore.counters.apply({
      kind: "state",
      command: { kind: "state", state: "HALTED", cause: "loss", reason: "RC36", wayOut: "resume" },
      at: tradingCore.now,
    });
    tradingCore.counters.apply({
      kind: "control",
      control: { kind: "resume", reason: "seen", by: "anna" },
      at: tradingCore.now,
    });
    expect(afterwards(rule, tradingCore)).toBe("goes on");
  });

  test("are one observation where several pairs filled before one move, and a pair without quotes holds up no other", () => {
    const counters = new Markouts();
    const SEEN = { mid: 1, price: 1 };
    const pairs = ["VCHF/USDC", "USDC/CHF", "VCHF/ETH", "VGBP/USDC"] as PairSymbol[];
    const later = (ms: number): Millis => millis(NOON + ms);
    for (let i = 0; i < 5; i++) {
      for (const symbol of pairs) counters.filled(symbol, "buy", SEEN, later(i * 70_000));
      expect(counters.waiting.map(({ symbol }) => symbol)).toEqual(["VCHF/USDC"]);
      counters.priced([{ symbol: pairs[0] as PairSymbol, mid: 0.9995 }], later(i * 70_000 + 61_000));
    }
    // Five observations: with one of each pair there were twenty, and a halt.
    expect(counters.adverseBps).toBe(0);
    counters.filled("VCHF/BTC" as PairSymbol, "buy", SEEN, later(400_000));
    counters.filled(pairs[0] as PairSymbol, "buy", SEEN, later(459_999));
    expect(counters.waiting.map(({ symbol }) => symbol)).toEqual(["VCHF/BTC"]);
    counters.filled(pairs[0] as PairSymbol, "buy", SEEN, later(460_000));
    expect(counters.waiting.map(({ symbol }) => symbol)).toEqual(["VCHF/BTC", "VCHF/USDC"]);
  });

  test("without a mid each side is measured by its own next fill: our spread counts neither against us nor for us", () => {
    /** The mid changes by so many basis points from one round trip to the next; sold `spread` dearer than bought. */
    const turned = (drift: (i: number) => number, spread: number, everyMs = 130_000): Markouts => {
      const counters = new Markouts();
      for (let i = 0; i < 44; i++) {
        const [side, sign] = i % 2 ? (["sell", 1] as const) : (["buy", -1] as const);
        const price = 1 + drift(i) * 1e-4 + (sign * spread) / 2;
        counters.filled(VCHF_CHF, side, { mid: undefined, price }, millis(NOON + i * everyMs));
      }
      return counters;
    };
    // A flat market: taken at the ask, given at the bid, 10 bp apart; and the other way round.
    for (const spread of [-0.001, 0.001]) {
      expect(turned(() => 0, spread).missing).toBe(0);
      expect(turned(() => 0, spread).adverseBps).toBe(0);
    }
    // After LATE_MS a fill says nothing any more.
    expect(turned(() => 0, 0.001, 301_000).missing).toBe(10);
    // Both sides are measured: a fall that both share is no selection.
    expect(turned((i) => -i, 0).missing).toBe(0);
    expect(turned((i) => -i, 0).adverseBps).toBe(0);
  });

  test("do not halt by one jump, by a mid that comes too late, or by prices that follow us", () => {
    const tradingCore = aDesk();
    for (let i = 0; i < 20; i++) traded(tradingCore, i === 9 ? 0.98 : 1);
    // It counts for 10 bp: the mean is -0.5 bp, and so is its standard error.
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    for (let i = 0; i < 20; i++) traded(tradingCore, 1.0005);
    for (let i = 0; i < 20; i++) traded(tradingCore, 0.9995, "buy", 600_001);
    expect(afterwards(rule, tradingCore)).toBe("goes on");
  });
});

describe("RC14, the same order again", () => {
  const rule = duplicateIntent(30_000);

  test("is refused within the window, and only if it is the same in everything", () => {
    const tradingCore = aDesk();
    approved(tradingCore, { id: "T-7" });
    tradingCore.now = millis(NOON + 29_999);
    expect(verdict(rule, tradingCore)).toBe("RC14");
    expect(verdict(rule, tradingCore, { side: "sell" })).toBe("approved 100");
    expect(verdict(rule, tradingCore, { size: "100.01" })).toBe("approved 100.01");
    expect(verdict(rule, tradingCore, { limit: "1.0001" })).toBe("approved 100");
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP })).toBe("approved 100");
    tradingCore.now = millis(NOON + 30_000);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    tradingCore.now = NO_TIME;
    expect(verdict(rule, tradingCore)).toContain("RC14 unknown");
  });
});

describe("RC14, of an order that was made smaller", () => {
  test.each([
    ["what was approved", "10", "100"],
    ["what was asked for", "100", "100"],
  ])("compares %s, so that it is not sent again while it waits for its outcome", (_, before, size) => {
    const tradingCore = aDesk();
    approved(tradingCore, { size: before });
    const gate = aGate(duplicateIntent(30_000), ramp(2, 1_000));
    expect(said(gate.review(aCandidate({ size }), tradingCore))).toContain("RC14");
    expect(said(gate.review(aCandidate({ size: "200" }), tradingCore))).toBe("approved 20");
    const capped = aGate(ramp(2, 1_000), duplicateIntent(30_000));
    expect(said(capped.review(aCandidate({ size }), tradingCore))).toBe("RC14");
  });
});

describe("RC15, trading back", () => {
  const rule = selfOffset(60_000, 10);

  test("needs a profit after the fee budget of both orders", () => {
    const tradingCore = aDesk();
    approved(tradingCore, { side: "buy", limit: "1" });
    // 1 x (1 + 20 bp) = 1.002
    expect(verdict(rule, tradingCore, { side: "sell", limit: "1.0021" })).toBe("approved 100");
    expect(verdict(rule, tradingCore, { side: "sell", limit: "1.002" })).toBe("RC15");
    expect(verdict(rule, tradingCore, { side: "buy", limit: "1" })).toBe("approved 100");
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP, side: "sell", limit: "1" })).toBe("approved 100");
  });

  test("is as strict the other way round, and ends with the window", () => {
    const tradingCore = aDesk();
    approved(tradingCore, { side: "sell", limit: "1.002" });
    tradingCore.now = millis(NOON + 59_999);
    // 1.002 x (1 - 20 bp) = 0.999996
    expect(verdict(rule, tradingCore, { limit: "0.9999" })).toBe("approved 100");
    expect(verdict(rule, tradingCore, { limit: "1" })).toBe("RC15");
    tradingCore.now = millis(NOON + 60_000);
    expect(verdict(rule, tradingCore, { limit: "1" })).toBe("approved 100");
  });

  test("is measured by the opposite order that leaves least, wherever among several it stands", () => {
    for (const limits of [
      ["1", "1.001", "1.0005"],
      ["1.001", "1", "1.0005"],
    ]) {
      const tradingCore = aDesk();
      for (const limit of limits) approved(tradingCore, { side: "buy", limit });
      expect(verdict(rule, tradingCore, { side: "sell", limit: "1.0025" })).toBe("RC15");
      for (const limit of limits) approved(tradingCore, { symbol: VGBP_GBP, side: "sell", limit });
      expect(verdict(rule, tradingCore, { symbol: VGBP_GBP, side: "buy", limit: "0.9985" })).toBe("RC15");
    }
  });
});

describe("RC16, orders of unknown outcome", () => {
  const doubt = { kind: "doubt", cause: "timeout" } as const;

  test("freeze both assets of their pair, and no other", () => {
    const rule = doubts({ perAssetMax: 1 });
    const tradingCore = aDesk();
    const intent = approved(tradingCore);
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    reported(tradingCore, intent, doubt);
    expect(verdict(rule, tradingCore)).toBe("RC16");
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP })).toBe("approved 100");
    reported(tradingCore, intent, { kind: "escalated", reason: "no evidence" });
    expect(tradingCore.counters.doubts.count).toBe(1);
    reported(tradingCore, intent, { kind: "filled", fill: aFill(intent), confirmed: true });
    expect(verdict(rule, tradingCore)).toBe("approved 100");
  });

  test("freeze what their pair shares with another, on whichever side of an order it is", () => {
    const tradingCore = aDesk();
    const intent = { ...anIntent(), symbol: "VCHF/USDC" as PairSymbol };
    tradingCore.counters.apply({
      ...{ kind: "report", intent, clientOrderId: intent.clientOrderId, report: doubt },
      ...{ first: true, realised: undefined, at: NOON },
    });
    for (const side of ["buy", "sell"] as const)
      expect(verdict(doubts({ perAssetMax: 1 }), tradingCore, { side })).toBe("RC16");
  });

  test("of which nobody knows the pair freeze every asset", () => {
    const tradingCore = aDesk();
    const { clientOrderId } = approved(tradingCore, { symbol: VGBP_GBP });
    tradingCore.counters.apply({
      kind: "report",
      intent: undefined,
      clientOrderId,
      report: doubt,
      first: true,
      realised: undefined,
      at: NOON,
    });
    expect(verdict(doubts({ perAssetMax: 1 }), tradingCore)).toContain("RC16");
  });

  test("freeze everything when there are too many", () => {
    const rule = doubts({ max: 2 });
    const tradingCore = aDesk();
    reported(tradingCore, approved(tradingCore, { id: "T-1" }), doubt);
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP })).toBe("approved 100");
    reported(tradingCore, approved(tradingCore, { id: "T-2" }), doubt);
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP })).toBe("RC16");
  });

  test("halt when one stays unknown for too long, and the way out names the order", () => {
    const rule = doubts({ ageMsMax: 900_000 });
    const tradingCore = aDesk();
    expect(verdict(rule, tradingCore)).toBe("approved 100");
    reported(tradingCore, approved(tradingCore, { id: "T-9" }), doubt);
    tradingCore.now = millis(NOON + 900_000);
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
    tradingCore.now = millis(NOON + 900_001);
    expect(verdict(rule, tradingCore)).toBe("RC16");
    expect(afterwards(rule, tradingCore)).toContain('(pegbot resolve T-9 --filled|--not-filled --reason "..."');
    tradingCore.now = NO_TIME;
    expect(verdict(rule, tradingCore)).toContain("RC16 unknown");
  });

  test("are as old as the first word of the oldest of them, whatever is said of it later", () => {
    const rule = doubts({ ageMsMax: 900_000 });
    const tradingCore = aDesk();
    const first = approved(tradingCore, { id: "T-1" });
    reported(tradingCore, first, doubt);
    tradingCore.now = millis(NOON + 600_000);
    reported(tradingCore, approved(tradingCore, { id: "T-2" }), doubt);
    reported(tradingCore, first, { kind: "escalated", reason: "no evidence" });
    tradingCore.now = millis(NOON + 900_001);
    expect(verdict(rule, tradingCore)).toBe("RC16");
  });
});

describe("RC18, fees", () => {
  test("of one fill halt the bot beyond the budget, in either asset of the pair", () => {
    const rule = orderFee(10);
    const tradingCore = aDesk();
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
    filled(tradingCore, { size: "100", fee: chf("0.1") });
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    filled(tradingCore, { size: "100", limit: "2", fee: Money.of("0.1", VCHF) });
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    filled(tradingCore, { id: "T-3", size: "100", fee: chf("0.100000000000000001") });
    expect(afterwards(rule, tradingCore)).toBe(`HALTED: RC18 T-3 ${ACCEPT}`);
  });

  test("of a day are those of now, not of when the rule was last asked", () => {
    const rule = dailyFees(chf("1"), 10);
    const tradingCore = aDesk();
    expect(verdict(rule, tradingCore, { size: "900" })).toBe("approved 900");
    filled(tradingCore, { size: "100", fee: chf("0.5") });
    expect(verdict(rule, tradingCore, { size: "900" })).toContain("RC18");
  });

  test("in an asset that is none of the pair halt the bot", () => {
    const tradingCore = aDesk();
    filled(tradingCore, { id: "T-4", fee: Money.of("0.01", GBP) });
    expect(afterwards(orderFee(10), tradingCore)).toBe(`HALTED: RC18 T-4 ${ACCEPT}`);
    expect(verdict(dailyFees(chf("10"), 10), tradingCore)).toContain("RC18 unknown");
  });

  test("of a day count open orders at their budget, and halt beyond the limit", () => {
    const rule = dailyFees(chf("1"), 10);
    const tradingCore = aDesk();
    filled(tradingCore, { id: "T-1", size: "500", fee: chf("0.5") });
    approved(tradingCore, { id: "T-2", size: "400" });
    // 0.5 + (400 + 100) x 0.1 % = 1
    expect(verdict(rule, tradingCore, { size: "100" })).toBe("approved 100");
    expect(verdict(rule, tradingCore, { size: "100.01" })).toBe("RC18");
    expect(verdict(rule, tradingCore, { symbol: VGBP_GBP })).toContain("RC18 unknown");
    filled(tradingCore, { id: "T-3", fee: chf("0.5") });
    expect(afterwards(rule, tradingCore)).toBe("goes on");
    filled(tradingCore, { id: "T-4", fee: chf("0.01") });
    expect(afterwards(rule, tradingCore)).toBe(`HALTED: RC18 day ${ACCEPT}`);
  });

  test("of a day are exact at the limit where no whole number of millionths fits", () => {
    // 1,000 at 0.3 % is 3; a budget of 30 bp fits 333.333... times.
    const rule = dailyFees(chf("3"), 30);
    expect(verdict(rule, aDesk(), { size: "1000" })).toBe("approved 1000");
    expect(verdict(rule, aDesk(), { size: "1000.01" })).toContain("RC18");
  });
});

describe("RC25, the heartbeat", () => {
  const rule = heartbeat(60_000);

  test("keeps sending allowed; its absence reduces, then halts", () => {
    const tradingCore = aDesk();
    expect([verdict(rule, tradingCore).slice(0, 4), afterwards(rule, tradingCore)]).toEqual(["RC25", "goes on"]);
    tradingCore.counters.apply({ kind: "control", control: { kind: "heartbeat", by: "watchdog" }, at: NOON });
    tradingCore.now = millis(NOON + 60_000);
    expect([verdict(rule, tradingCore), afterwards(rule, tradingCore)]).toEqual(["approved 100", "goes on"]);
    tradingCore.now = millis(NOON + 60_001);
    expect(verdict(rule, tradingCore)).toBe("RC25");
    expect(afterwards(rule, tradingCore)).toMatch(/^REDUCED: RC25.*pegbot resume/);
    tradingCore.now = millis(NOON + 120_000);
    expect(afterwards(rule, tradingCore)).toMatch(/^REDUCED: RC25/);
    tradingCore.now = millis(NOON + 120_001);
    expect(afterwards(rule, tradingCore)).toMatch(/^HALTED: RC25/);
    expect(missingHeartbeat(60_000, tradingCore)).toMatch(/^RC25/);
    expect(missingHeartbeat(120_001, tradingCore)).toBeUndefined();
    expect(missingHeartbeat(60_000, aDesk())).toContain("there was none yet");
    // A heartbeat of the future proves nothing.
    for (const now of [NO_TIME, millis(NOON - 1)]) {
      tradingCore.now = now;
      expect(verdict(rule, tradingCore)).toContain("RC25 unknown");
    }
  });
});

test("a loss in another currency counts at the rate of the approval, rounded against us", () => {
  const tradingCore = aDesk();
  tradingCore.rates.set(GBP, Price.of("1.1"));
  filled(tradingCore, { symbol: VGBP_GBP, realised: "-0.000000000000000001" });
  expect(tradingCore.counters.day.realised.equals(Money.of("-0.000000000000000002", CHF))).toBe(true);
});
