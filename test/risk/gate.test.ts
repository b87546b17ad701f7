// The gate: state first, every rule in turn, smaller orders reviewed again, and nothing approved twice out of one limit.

import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { createIds } from "../../src/domain/ids.ts";
import type { MadeMint, MintIntent } from "../../src/domain/mint.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { Side } from "../../src/domain/order.ts";
import type { RailIntent } from "../../src/domain/rail.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import type { Refusal } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { createMintLossRules, createRules } from "../../src/risk/create-rules.ts";
import { type Approved, createGate } from "../../src/risk/gate.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { type Candidate, type Gate, PASS, type Rule } from "../../src/risk/rule.ts";
import { assetExposure } from "../../src/risk/rules/exposure.ts";
import { orderRate, turnoverPerHour } from "../../src/risk/rules/rate.ts";
import { ramp, spendable } from "../../src/risk/rules/size.ts";
import { createMovementGate, type MovementWish } from "../../src/risk/treasury-gate.ts";
import { anInstrument } from "../support/instrument.ts";
import {
  aCandidate,
  aDesk,
  aFair,
  aGate,
  CHF,
  chf,
  type Engine,
  filled,
  marked,
  NOON,
  plenty,
  rejected,
  said,
  someLimits,
  VCHF,
  VCHF_CHF,
  VGBP,
} from "./stage.ts";

/** What the engine does with an approved order: books and reservations at once. */
function reserve(tradingCore: Engine, intent: Approved): void {
  tradingCore.counters.apply({ kind: "approved", intent, rate: Price.of("1"), at: tradingCore.now });
  const [sold, bought] = intent.side === "buy" ? [CHF, VCHF] : [VCHF, CHF];
  const notional = intent.limit.times(intent.quantity, CHF, "up").toString();
  const [out, into] =
    intent.side === "buy" ? [notional, intent.quantity.toString()] : [intent.quantity.toString(), notional];
  const from = tradingCore.holdings.get(sold);
  const to = tradingCore.holdings.get(bought);
  if (from?.spendable !== undefined)
    from.spendable = Money.of(from.spendable, sold).minus(Money.of(out, sold)).toString();
  if (to?.atMost !== undefined) to.atMost = Money.of(to.atMost, bought).plus(Money.of(into, bought)).toString();
}

describe("state comes first", () => {
  const blind = () => {
    const tradingCore = aDesk();
    tradingCore.holdings.clear();
    tradingCore.fairs.clear();
    tradingCore.equity = undefined;
    return tradingCore;
  };

  test("HALTED refuses everything, needs nothing else to know it, and names the way out", () => {
    const tradingCore = blind();
    tradingCore.counters.apply({
      kind: "control",
      control: { kind: "kill", reason: "looks wrong", by: "anna" },
      at: NOON,
    });
    for (const side of ["buy", "sell"] as const)
      expect(said(aGate(...createRules(someLimits())).review(aCandidate({ side }), tradingCore))).toBe("RC23");
  });

  test("HALTED refuses everything", () => {
    const tradingCore = blind();
    const command = {
      kind: "state",
      state: "HALTED",
      cause: "other",
      reason: "RC05: lost",
      wayOut: "pegbot resume",
    } as const;
    tradingCore.counters.apply({ kind: "state", command, at: NOON });
    expect(said(aGate().review(aCandidate({ side: "sell" }), tradingCore))).toBe("RC24");
    expect(rechecked(aGate(), aCandidate({ side: "sell" }), tradingCore)?.rule).toBe("RC24");
  });

  describe("REDUCED", () => {
    const reduced = (vchf: string, vgbp = "0"): Engine => {
      const tradingCore = aDesk();
      tradingCore.holdings.set(VCHF, { ...plenty(), atLeast: vchf, atMost: vchf });
      tradingCore.holdings.set(VGBP, { ...plenty(), atLeast: vgbp, atMost: vgbp });
      const control = { kind: "reduce", cause: "other", reason: "new version", wayOut: "wait" } as const;
      tradingCore.counters.apply({ kind: "control", control, at: NOON });
      return tradingCore;
    };
    const VGBP_VCHF = "VGBP/VCHF" as PairSymbol;
    const cross = anInstrument({ symbol: VGBP_VCHF, base: VGBP, quote: VCHF, quantityMin: Quantity.of("0.1") });
    const asked = (tradingCore: Engine, side: Side) => said(aGate().review(aCandidate({ side }), tradingCore));
    const crossed = (tradingCore: Engine, side: Side) =>
      said(aGate().review(aCandidate({ symbol: VGBP_VCHF, instrument: cross, side, limit: "1.25" }), tradingCore));

    test("lets a holding be sold for the currency of the limits, down to nothing and not past it", () => {
      expect(asked(reduced("100.01"), "sell")).toBe("approved 100");
      expect(asked(reduced("100"), "sell")).toBe("approved 100");
      expect(asked(reduced("99.99"), "sell")).toBe("approved 99.99");
      expect(asked(reduced("0"), "sell")).toBe("RC24");
    });

    test("lets a debt be bought back, and no more than that", () => {
      expect(asked(reduced("100"), "buy")).toContain("RC24");
      expect(asked(reduced("0"), "buy")).toContain("RC24");
      expect(asked(reduced("-40"), "buy")).toBe("approved 40");
      expect(asked(reduced("-40"), "sell")).toContain("RC24");
    });

    test("does not let one exposure be swapped for another", () => {
      expect(crossed(reduced("1000", "1000"), "sell")).toContain("RC24");
      expect(crossed(reduced("1000", "1000"), "buy")).toContain("RC24");
      expect(crossed(reduced("0", "1000"), "sell")).toContain("RC24");
    });

    test("lets a holding pay a debt, as far as both go toward zero", () => {
      // 50 VCHF of debt are 40 VGBP at 1.25
      expect(crossed(reduced("-50", "1000"), "sell")).toBe("approved 40");
      expect(crossed(reduced("-5000", "30"), "sell")).toBe("approved 30");
      // 50 VCHF buy back 40 VGBP at 1.25
      expect(crossed(reduced("50", "-1000"), "buy")).toBe("approved 40");
    });

    test("refuses while a position is unknown", () => {
      const tradingCore = reduced("100");
      tradingCore.holdings.set(VCHF, { ...plenty(), atLeast: undefined, atMost: undefined });
      for (const side of ["buy", "sell"] as const) expect(asked(tradingCore, side)).toContain("RC24");
    });

    test("stops an order that waits for its slot unless it still reduces, itself counted as open", () => {
      const recheck = (tradingCore: Engine, side: Side) => rechecked(aGate(), aCandidate({ side }), tradingCore)?.rule;
      expect(recheck(reduced("0"), "sell")).toBeUndefined();
      expect(recheck(reduced("-0.01"), "sell")).toBe("RC24");
      expect(recheck(reduced("100"), "buy")).toBe("RC24");
      expect(recheck(reduced("0"), "buy")).toBeUndefined();
    });
  });

  test("a state that is no state refuses", () => {
    const tradingCore = aDesk();
    const { counters } = tradingCore;
    counters.tradingState = { ...counters.tradingState, state: "GREEN" as "ACTIVE" };
    expect(said(aGate().review(aCandidate(), tradingCore))).toContain("RC24");
  });
});

describe("caps", () => {
  test("are applied one after the other, each named, and the smaller order meets every rule again", () => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(VCHF, { ...plenty(), atMost: "960" });
    const verdict = aGate(ramp(1, 5_000), assetExposure(chf("1000"))).review(aCandidate({ size: "100" }), tradingCore);
    expect(said(verdict)).toBe("approved 40");
    expect(verdict.kind === "approved" && verdict.capped.map(({ rule, limit }) => `${rule} ${limit}`)).toEqual([
      "RC29 50 VCHF",
      "RC03 1,000 CHF",
    ]);
  });

  test("do not add up over rounds: half of what was asked stays half", () => {
    expect(said(aGate(ramp(1, 5_000)).review(aCandidate({ size: "100" }), aDesk()))).toBe("approved 50");
  });

  test("lead to a refusal when an earlier rule does not take the smaller order", () => {
    const noSmall: Rule = {
      code: "RC99",
      review: ({ quantity }) =>
        quantity.lessThan(Quantity.of("60"))
          ? { kind: "refuse", refusal: { rule: "RC99", limit: "60", value: String(quantity), message: "too small" } }
          : PASS,
    };
    expect(said(aGate(noSmall, ramp(1, 5_000)).review(aCandidate({ size: "100" }), aDesk()))).toBe("RC99");
  });

  test("of a rule that makes nothing smaller are a bug", () => {
    const refusal = { rule: "RC99", limit: "", value: "", message: "" };
    const stuck: Rule = { code: "RC99", review: ({ quantity }) => ({ kind: "cap", quantity, refusal }) };
    expect(() => aGate(stuck).review(aCandidate(), aDesk())).toThrow("RC99 must make an order smaller");
  });
});

describe("two proposals of one event", () => {
  test.each([
    ["exposure", assetExposure(chf("100100")), {}],
    ["spendable", spendable(0, 0), { [CHF]: { ...plenty(), spendable: "100" } }],
    ["order rate", orderRate(1), {}],
    ["turnover", turnoverPerHour(chf("100")), {}],
  ])("never both pass a limit of %s that one of them fills", (_, rule, holdings) => {
    const tradingCore = aDesk();
    for (const [asset, holding] of Object.entries(holdings)) tradingCore.holdings.set(asset as typeof CHF, holding);
    const gate = aGate(rule);
    const first = gate.review(aCandidate({ size: "100" }), tradingCore);
    expect(said(first)).toBe("approved 100");
    if (first.kind === "approved") reserve(tradingCore, first.intent);
    expect(gate.review(aCandidate({ size: "99", limit: "1.0001" }), tradingCore).kind).toBe("refused");
  });
});

test("who only asks hears what every rule has against it, not the first alone", () => {
  const gate = aGate(assetExposure(chf("1")), turnoverPerHour(chf("0.01")));
  const found = gate.preview(aCandidate({ size: "100" }), aDesk());
  const rules = found.kind === "refused" ? [found.refusal, ...found.others].map(({ rule }) => rule) : [];
  expect(rules).toEqual(["RC03", "RC11"]);
});

test("what is approved has an id of its own and the candidate's terms; who only asks uses up none", () => {
  const gate = createGate([], CHF, createIds("T", "abcdefgh", 6));
  expect(gate.preview(aCandidate(), aDesk())).toMatchObject({ kind: "passes", capped: [], isOffPeg: false });
  const verdict = gate.review(aCandidate({ size: "5", limit: "1.01", side: "sell" }), aDesk());
  expect(JSON.parse(JSON.stringify(verdict))).toEqual({
    kind: "approved",
    intent: {
      clientOrderId: "T-abcdefgh-7",
      symbol: "VCHF/CHF",
      side: "sell",
      quantity: "5",
      limit: "1.01",
      reason: "test",
      decidedAt: NOON,
      expiresAt: NOON + 3_000,
    },
    capped: [],
  });
});

describe("the gate of mints and rails", () => {
  const terms = { decidedAt: NOON, expiresAt: millis(NOON + 1_000), reason: "test" };
  const aMint = (asset: Asset, quantity: string, change: Partial<MintIntent> = {}): MintIntent => ({
    asset,
    blockchain: "ETH",
    quantity: Quantity.of(quantity),
    spentMax: chf(quantity),
    feeMax: chf("0"),
    known: [],
    ...change,
  });
  const limits = {
    mintMax: new Map([[VCHF, Quantity.of("1000")]]),
    mintPerDayMax: new Map([[VCHF, Quantity.of("1500")]]),
    mintFeeBpsMax: 10,
    reserveBps: 1_000,
    mintLosses: [],
  };
  const IDS = createIds("M", "abcdefgh");
  const OFF = "off: in a test of another limit";
  const NO_DEPEG = {
    depegLossBpsMax: OFF,
    depegAssumedBps: 1_200,
    issuerLossBpsMax: OFF,
    issuerEndBps: 6_000,
  } as const;
  const gate = createMovementGate(limits, IDS);
  const said = (wish: MovementWish, tradingCore: Engine, recent: readonly MadeMint[] = []): string => {
    const verdict = gate.review(wish, tradingCore, recent);
    return verdict.kind === "approved" ? "approved" : `${verdict.refusal.rule}: ${verdict.refusal.message}`;
  };
  const mint = (intent: MintIntent, tradingCore: Engine = aDesk(), recent: readonly MadeMint[] = []): string =>
    said({ kind: "mint", mint: intent, ...terms }, tradingCore, recent);

  test("lets a mint through up to each of its limits, and not past it", () => {
    expect(mint(aMint(VCHF, "1000"))).toBe("approved");
    expect(mint(aMint(VCHF, "1000.01"))).toBe("RM03: a mint of VCHF is of 1,000.01, limit is 1,000");
    const made = (asset: Asset, quantity: string, hour: number): MadeMint => ({
      ...aMint(asset, quantity),
      intendedAt: millis(Date.UTC(2026, 10, 15, hour)),
    });
    const recent = [made(VCHF, "500", 20), made(VGBP, "9000", 1)];
    expect(mint(aMint(VCHF, "1000"), aDesk(), recent)).toBe("approved");
    const beyond = (quantity: string, ...more: readonly MadeMint[]): string =>
      mint(aMint(VCHF, quantity), aDesk(), [...recent, ...more]);
    // The older of the two is enough: 500 and 1,000 are within.
    expect(beyond("1000", made(VCHF, "0.01", 14))).toBe(
      "RM04: mints of VCHF within 24 hours, 500.01 before this one, come to 1,500.01, limit is 1500 (there is room for it from 2026-11-16T14:00:01Z on)",
    );
    // 501 and 1,000 are not: both have to be older.
    expect(beyond("1000", made(VCHF, "501", 22))).toContain("from 2026-11-16T22:00:01Z on");
    const small = createMovementGate({ ...limits, mintPerDayMax: new Map([[VCHF, Quantity.of("900")]]) }, IDS);
    expect(small.review({ kind: "mint", mint: aMint(VCHF, "1000"), ...terms }, aDesk(), [])).toMatchObject({
      refusal: { message: expect.stringContaining("limit is 900 (it is more than that by itself)") },
    });
    expect(mint(aMint(VCHF, "1600"))).toMatch(/^RM03: .*; RM04: mints of VCHF .* come to 1,600, limit is 1500/);
    expect(mint(aMint(VCHF, "1000", { feeMax: chf("1") }))).toBe("approved");
    expect(mint(aMint(VCHF, "1000", { feeMax: chf("1.01") }))).toBe(
      "RM05: fee of the mint may be 1.01 CHF, limit is 1 CHF",
    );
  });

  test("refuses a mint whose fee budget would be a loss that halts the bot, and leaves it open where nobody can tell", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "100000");
    const losses = createMintLossRules({ ...NO_DEPEG, dailyLossBpsMax: 50, drawdownBpsMax: 60 });
    const strict = createMovementGate({ ...limits, mintLosses: losses }, IDS);
    const wish = {
      kind: "mint",
      mint: aMint(VCHF, "1000", { spentMax: chf("1001"), feeMax: chf("1") }),
      ...terms,
    } as const;
    const refusal = (): string => {
      const verdict = strict.review(wish, tradingCore, []);
      return verdict.kind === "approved" ? "approved" : `${verdict.refusal.rule}: ${verdict.refusal.message}`;
    };
    // 50 bp of 100,000 are 500: 499 are lost, and a fee of 1 is within.
    tradingCore.equity = "99501";
    expect(refusal()).toBe("approved");
    tradingCore.equity = "99500.99";
    expect(refusal()).toBe("RC05: loss of the day with this mint at its worst is 500.01 CHF, limit is 500 CHF");
    expect(mint(wish.mint, tradingCore)).toBe("approved");
    tradingCore.equity = undefined;
    expect(refusal()).toBe("approved");
    const peak = createMovementGate(
      {
        ...limits,
        mintLosses: createMintLossRules({ ...NO_DEPEG, dailyLossBpsMax: OFF, drawdownBpsMax: 60 }),
      },
      IDS,
    );
    tradingCore.equity = "99400.5";
    expect(peak.review(wish, tradingCore, [])).toMatchObject({ refusal: { rule: "RC06", value: "600.5 CHF" } });
  });

  test("refuses a mint past what a de-peg may cost, and every mint of a coin that is off its peg", () => {
    const tradingCore = aDesk();
    const depegs = {
      dailyLossBpsMax: OFF,
      drawdownBpsMax: OFF,
      depegLossBpsMax: 400,
      depegAssumedBps: 1_200,
      issuerLossBpsMax: OFF,
      issuerEndBps: 6_000,
    } as const;
    const capped = createMovementGate({ ...limits, mintLosses: createMintLossRules(depegs) }, IDS);
    const refusal = (quantity: string): string => {
      const verdict = capped.review({ kind: "mint", mint: aMint(VCHF, quantity), ...terms }, tradingCore, []);
      return verdict.kind === "approved" ? "approved" : `${verdict.refusal.rule}: ${verdict.refusal.message}`;
    };
    // A third of 6,000 is 1,999.8 in whole basis points; 1,500 are held.
    tradingCore.equity = "6000";
    tradingCore.holdings.set(VCHF, { spendable: "1500", held: "1500", atMost: "1500" });
    expect(refusal("499.8")).toBe("approved");
    expect(refusal("499.81")).toBe(
      "RC34: coins of the venue would be worth 1,999.81 CHF, limit is 1,999.8 CHF, 33.33 % of equity, so that a de-peg by 12 % costs at most 4 % of it",
    );
    tradingCore.fairs.set(VCHF_CHF, { kind: "none", reason: "off-peg" });
    expect(refusal("1")).toBe("RC34: VCHF is off its peg, limit is no mint of a coin that is");
  });

  test("leaves the reserve of what is held, or was put in where that is more", () => {
    const tradingCore = aDesk();
    tradingCore.holdings.set(CHF, { spendable: "1000", held: "1000" });
    expect([mint(aMint(VCHF, "900"), tradingCore), mint(aMint(VCHF, "900.01"), tradingCore)]).toEqual([
      "approved",
      "RM06: mint may spend 900.01 CHF, limit is 900 CHF after a reserve of 1000 bp",
    ]);
    tradingCore.holdings.set(CHF, { spendable: "1000", held: "1000", placed: "5000" });
    expect([mint(aMint(VCHF, "500"), tradingCore), mint(aMint(VCHF, "500.01"), tradingCore)]).toEqual([
      "approved",
      "RM06: mint may spend 500.01 CHF, limit is 500 CHF after a reserve of 1000 bp",
    ]);
    for (const unknown of [{ held: "1000" }, { spendable: "1000" }]) {
      tradingCore.holdings.set(CHF, unknown);
      expect(mint(aMint(VCHF, "1"), tradingCore)).toContain("RM06: spendable CHF is unknown");
    }
  });

  test("lets nothing out unless ACTIVE, nor past the end of an approval", () => {
    const rail: MovementWish = { kind: "rail", rail: {} as RailIntent, isAnother: false, ...terms };
    const tradingCore = aDesk();
    tradingCore.now = terms.expiresAt;
    expect(said(rail, tradingCore)).toBe("approved");
    tradingCore.now = millis(terms.expiresAt + 1);
    expect(said(rail, tradingCore)).toBe("RM02: approval is past its end by 1 ms, limit is 0 ms");
    for (const [kind, rule] of [
      ["reduce", "RM01"],
      ["halt", "RC24"],
    ] as const) {
      const stopped = aDesk();
      stopped.counters.apply({
        kind: "control",
        control: { kind, cause: "other", reason: "stop", wayOut: "resume" },
        at: NOON,
      });
      expect([said(rail, stopped), mint(aMint(VCHF, "1"), stopped)]).toEqual([
        expect.stringMatching(`^${rule}: .*limit is no`),
        expect.stringMatching(`^${rule}: .*limit is no`),
      ]);
    }
  });
});

test("a notional that is not limit times size is not believed", () => {
  const lying = { ...aCandidate({ size: "60000" }), notional: chf("1") };
  const [rule] = createRules(someLimits()).filter(({ code }) => code === "RC01");
  expect(said(aGate(rule as Rule).review(lying, aDesk()))).toBe("approved 50000");
});

test("when a slot opens, price and age are asked again, and rate and duplicates are not", () => {
  const tradingCore = aDesk();
  const gate = aGate(...createRules(someLimits()));
  marked(tradingCore, "100000");
  const verdict = gate.review(aCandidate({ size: "10" }), tradingCore);
  expect(said(verdict)).toBe("approved 1");
  if (verdict.kind === "approved") reserve(tradingCore, verdict.intent);
  const order = aCandidate({ size: "1" });
  expect(rechecked(gate, order, tradingCore)).toBeUndefined();
  tradingCore.fairs.set(VCHF_CHF, aFair({ value: 0.99 }));
  expect(rechecked(gate, order, tradingCore)?.rule).toBe("RC07");
  tradingCore.fairs.set(VCHF_CHF, aFair());
  tradingCore.now = millis(NOON + 3_001);
  expect(rechecked(gate, order, tradingCore)?.rule).toBe("RC28");
});

describe("the rules that look back", () => {
  test("name every breach, also of a bot that is stopped: whoever resumes has to know all of them", () => {
    const tradingCore = aDesk();
    const gate = aGate(...createRules(someLimits({ ordersPerDayMax: 1, rejectsMax: 1 })));
    marked(tradingCore, "100000");
    expect(gate.monitor(tradingCore)).toEqual([]);
    rejected(tradingCore);
    rejected(tradingCore);
    const commands = gate.monitor(tradingCore);
    expect(commands.map(({ state, subject }) => `${state} ${subject}`)).toEqual(["HALTED RC12 all", "HALTED RC10"]);
    for (const command of commands) tradingCore.counters.apply({ kind: "state", command, at: NOON });
    expect(gate.monitor(tradingCore)).toEqual(commands);
    tradingCore.counters.apply({ kind: "control", control: { kind: "kill", reason: "stop", by: "anna" }, at: NOON });
    expect(gate.monitor(tradingCore)).toEqual(commands);
  });

  test("start anew when a person resumes: the same figures do not halt again", () => {
    const tradingCore = aDesk();
    const gate = aGate(...createRules(someLimits({ ordersPerDayMax: 1 })));
    marked(tradingCore, "100000");
    filled(tradingCore, { size: "10", realised: "-900", fee: chf("5") });
    tradingCore.equity = "90000";
    const [command] = gate.monitor(tradingCore);
    if (command !== undefined) tradingCore.counters.apply({ kind: "state", command, at: NOON });
    tradingCore.counters.apply({ kind: "control", control: { kind: "resume", reason: "seen", by: "anna" }, at: NOON });
    expect([tradingCore.counters.state, gate.monitor(tradingCore)]).toEqual(["ACTIVE", []]);
    expect(said(gate.review(aCandidate(), tradingCore))).toContain("RC05 unknown");
    marked(tradingCore, "90000");
    expect(said(gate.review(aCandidate({ size: "20" }), tradingCore))).toBe("approved 2");
  });
});

describe("a set of limits", () => {
  test("makes every rule that can be asked before an order, in a fixed order", () => {
    const codes = createRules(someLimits({ heartbeatMsMax: 900_000 })).flatMap(({ code }) => code.split(" "));
    const all =
      "RC01 RC02 RC03 RC04 RC05 RC06 RC07 RC08 RC09 RC10 RC11 RC12 RC13 RC14 RC15 RC16 RC17 RC18 RC19 RC25 RC28 RC29 RC34 RC35 RC36 RC37";
    expect([...new Set(codes)].sort().join(" ")).toBe(all);
  });

  test("makes no rule of a limit that is loosened by name, and keeps those that cannot be", () => {
    const off = "off: this is a test";
    const firm = [
      "currency",
      "symbols",
      "referenceAgeMsMax",
      "referenceSourcesMin",
      "rejectFreezeMs",
      "lossFreezeMs",
      "decisionAgeMsMax",
      "rampSizeBps",
      "markAgeMsMax",
      "markHaircutBps",
      "depegAssumedBps",
      "issuerEndBps",
      "exit",
    ];
    const keys = Object.keys(someLimits()).filter((key) => !firm.includes(key));
    const loose = createRules(someLimits(Object.fromEntries(keys.map((key) => [key, off]))));
    expect(loose.map(({ code }) => code)).toEqual(["RC19", "RC28", "RC08 RC09", "RC35", "RC35", "RC17"]);
  });

  test("for paper is complete and lets an ordinary order through", () => {
    const tradingCore = aDesk();
    marked(tradingCore, "1000000");
    tradingCore.equity = "1000000";
    expect(said(aGate(...createRules(paperLimits)).review(aCandidate({ size: "500" }), tradingCore))).toBe(
      "approved 500",
    );
  });
});

test("whatever is proposed, the approved orders stay inside every limit together", () => {
  const seed = 20_260_302;
  const random = createRandom(seed);
  let approvals = 0;
  for (let round = 0; round < 200; round++) {
    const { broken, orders } = drive(random);
    expect(broken, `seed ${seed}, round ${round}`).toEqual([]);
    approvals += orders;
  }
  expect(approvals).toBeGreaterThan(400);
});

/** Random proposals against tight limits; what an independent count finds broken. */
function drive(random: Random): { broken: string[]; orders: number } {
  const tradingCore = aDesk();
  tradingCore.holdings.set(VCHF, { spendable: "1000", held: "1000", atMost: "1000" });
  tradingCore.holdings.set(CHF, { spendable: "3000", held: "3000", atMost: "3000" });
  marked(tradingCore, "4000");
  tradingCore.equity = "4000";
  const limits = someLimits({
    orderValueMax: "900",
    assetExposureMax: "2000",
    grossExposureMax: "1800",
    turnoverPerHourMax: "2500",
    turnoverPerDayMax: "2500",
    ordersPerMinuteMax: 5,
    reserveBpsMin: 1_000,
    rampOrders: "off: not this test",
    offsetWindowMs: "off: not this test",
  });
  const gate = aGate(...createRules(limits));
  const orders: Approved[] = [];
  for (let i = 0; i < 12; i++) {
    const candidate = aCandidate({
      side: random.next() < 0.7 ? "buy" : "sell",
      size: (random.next() * 1_200 + 0.01).toFixed(2),
      limit: (0.99 + random.next() * 0.02).toFixed(4),
    });
    const verdict = gate.review(candidate, tradingCore);
    if (verdict.kind !== "approved") continue;
    orders.push(verdict.intent);
    reserve(tradingCore, verdict.intent);
  }
  const sum = (side: string, of: (order: Approved) => number) =>
    orders.filter((order) => order.side === side).reduce((total, order) => total + of(order), 0);
  const notional = ({ limit, quantity }: Approved) => limit.toNumber() * quantity.toNumber();
  const size = ({ quantity }: Approved) => quantity.toNumber();
  const slack = 1e-6;
  const broken: string[] = [];
  if (orders.length > 5) broken.push("rate");
  if (orders.some((order) => notional(order) > 900 + slack)) broken.push("order value");
  if (orders.some(({ limit }) => Math.abs(limit.toNumber() - 1) > 0.005 + slack)) broken.push("collar");
  if (1_000 + sum("buy", size) > 1_800 + slack) broken.push("exposure");
  if (sum("buy", notional) > 2_700 + slack) broken.push("reserve of CHF");
  if (sum("sell", size) > 900 + slack) broken.push("reserve of VCHF");
  if (sum("buy", notional) + sum("sell", notional) > 2_500 + slack) broken.push("turnover");
  return { broken, orders: orders.length };
}

test("only the gate makes an Approved: a plain intent does not compile where one is needed", () => {
  const takes = (order: Approved): string => order.symbol;
  // @ts-expect-error an intent that passed no gate
  expect(takes({ symbol: "VCHF/CHF" })).toBe("VCHF/CHF");
});

function rechecked(gate: Gate, candidate: Candidate, tradingCore: Engine): Refusal | undefined {
  return gate.recheck(candidate, candidate.instrument, tradingCore);
}
