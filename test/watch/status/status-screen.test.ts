import { describe, expect, it } from "vitest";
import { amountText, changeText } from "../../../src/domain/amount-text.ts";
import { millis } from "../../../src/domain/time.ts";
import { durationText } from "../../../src/domain/time-text.ts";
import type { ShownDecision, ShownHolding, Status } from "../../../src/watch/status.ts";
import { displayWidth, renderLine } from "../../../src/watch/text/screen-line.ts";
import { type Shown, statusScreen } from "../../../src/watch/text/status-screen.ts";
import { minuteLine } from "../../../src/watch/text/status-text.ts";
import { quietStatus } from "../look.ts";

const AT = millis(Date.UTC(2026, 10, 15, 5, 39, 43));

function decision(secondsAgo: number, changes: Partial<ShownDecision> = {}): ShownDecision {
  return {
    at: millis(AT - secondsAgo * 1_000),
    clientOrderId: `T-${secondsAgo}`,
    symbol: "VCHF/CHF",
    side: "buy",
    size: "2500",
    limit: "0.99909",
    reason: "ask 0.99900 is 10.0 bp under fair 1.00000, wanted 6.0",
    outcome: "confirmed",
    note: "",
    times: 1,
    trail: [],
    ...changes,
  };
}

function holding(held: Pick<ShownHolding, "asset" | "held" | "available" | "reserved" | "value">): ShownHolding {
  return { ...held, pending: undefined, inFlight: "0", mayCome: "0", floor: undefined, band: undefined };
}

function status(changes: Partial<Status> = {}): Status {
  return quietStatus({
    at: AT,
    startedAt: millis(AT - 93_000),
    pid: 4711,
    market: "demo market: prices built to be earned from",
    phase: { kind: "trading", text: "trading" },
    equity: {
      ...{ currency: "CHF", now: "428139.631", today: "-35.189", realised: "1.2", turnover: "11424.3", orders: 4 },
      sources: { trading: "1.20", opening: "-36.38", fx: "0.00" },
    },
    holdings: [
      holding({ asset: "CHF", held: "97502.5", available: "97502.5", reserved: "0", value: "97502.5" }),
      holding({ asset: "VCHF", held: "102500", available: "101500", reserved: "2500", value: undefined }),
    ],
    quotes: [
      { symbol: "VCHF/CHF", bid: 0.999, ask: 0.9996, ageMs: 900, fair: 1, noFair: undefined },
      { symbol: "VGBP/GBP", bid: 0.99, ask: 0.9906, ageMs: 900, fair: undefined, noFair: "off-peg" },
      { symbol: "USDC/CHF", bid: 0.8, ask: 0.81, ageMs: 900, fair: undefined, noFair: "missing" },
    ],
    decisions: [decision(5), decision(12, { outcome: "refused", note: "RC05: loss is unknown", times: 3 })],
    counts: { approved: 1, refused: 3, fills: 1, roundTrips: 0 },
    budget: { slots: 93, usedBps: 9_400, spacingMs: 1_000, waiting: [], rateLimited: 0, skewMs: 300 },
    journal: { path: "/data/pegbot.db", records: 51 },
    ...changes,
  });
}

function screen(shown: Status, width: number, height: number, more?: Shown): string[] {
  const lines = statusScreen(shown, "http://127.0.0.1:8787/", { width, height }, more);
  return lines.map((line) => renderLine(line, width, (_, text) => text).trimEnd());
}

describe("the live screen", () => {
  it("shows mode, state, equity, positions, prices, decisions with reasons, budget and journal in 80 by 24", () => {
    const limit = { key: "asset-exposure", rule: "RC08", name: "", unit: "CHF", limit: 200_000 } as const;
    const value = { asset: "VCHF", held: "102500", available: "101500", reserved: "2500", value: "102000" };
    const holdings = [...status().holdings.slice(0, 1), holding(value)];
    expect(screen(status({ holdings, limits: [limit] }), 80, 24)).toEqual([
      "pegbot  PAPER, demo market: prices built to be earned from          05:39:43 UTC",
      "ACTIVE  up 0:01:33  fills 1  round trips 0  refused 3  open 0",
      "today   -35.18 = trading +1.20, opening -36.38, FX 0.00",
      "equity  428,139.63 CHF, at mid -, at par -",
      "",
      "asset              held             free           in CHF  of limit",
      "CHF           97,502.50        97,502.50        97,502.50",
      // 101500 at the venue, of which orders may still spend 2500; the rest of what is held it has not told yet
      "VCHF         102,500.00        99,000.00       102,000.00      51 %",
      "",
      "pair              bid        ask       fair     age   edge",
      "VCHF/CHF     0.999000   0.999600   1.000000   0.9 s   buy 4.0 bp",
      "VGBP/GBP     0.990000   0.990600          -   0.9 s   no fair value: off-peg",
      "",
      "last decisions",
      "05:39:38  buy 2500 VCHF/CHF at 0.99909          confirmed",
      "          ask 0.99900 is 10.0 bp under fair 1.00000, wanted 6.0",
      "05:39:31  buy 2500 VCHF/CHF at 0.99909          refused x3",
      "          RC05: loss is unknown",
      ...["", "", "", ""],
      "peg-arbitrage, pid 4711   slots 94 %, one in 1.00 s",
      'http://127.0.0.1:8787/   Ctrl-C stops, pegbot halt "why" ends trading',
    ]);
  });

  it("has the word of the state, why, and what frees it, also in the line for logs; a pause is not green", () => {
    const why = "the venue fails or is silent: nothing new is sent until it answers";
    const silent = status({ unready: [why], said: { at: AT, text: "waits for 6.0 bp" } });
    expect(screen(silent, 80, 24).slice(1, 4)).toEqual([
      "PAUSED  up 0:01:33  fills 1  round trips 0  refused 3  open 0",
      why,
      "frees it: a good answer of the venue; pegbot doctor says more",
    ]);
    expect(statusScreen(silent, undefined, { width: 80, height: 24 })[1]?.[0]).toEqual({
      text: "PAUSED",
      style: "yellow",
    });
    expect(minuteLine(silent)).toMatch(/^PAUSED: the venue fails or is silent.*; equity /);
    // A pause of an earlier process keeps a start waiting for minutes.
    const { budget } = status();
    const phase = { kind: "reading", text: "comparing venue and journal" } as const;
    const paused = status({ phase, budget: budget && { ...budget, doubtsOnly: true } });
    expect(minuteLine(paused)).toMatch(/^STARTING.*: comparing venue and journal\..*; the venue says .* \(429\)/);
  });

  it("never writes past the edge, and fits whatever size it is given", () => {
    const many = Array.from({ length: 50 }, (_, i) => decision(i, { reason: "漢".repeat(200) }));
    const busy = status({
      decisions: many,
      notes: [{ at: AT, text: "x".repeat(300) }],
      standing: {
        state: "HALTED",
        reason: "y".repeat(300),
        wayOut: "pegbot resume",
        by: "a person",
        since: AT,
        also: [],
      },
    });
    for (const width of [1, 20, 39, 80, 120, 300])
      for (const height of [1, 5, 12, 24, 40, 100]) {
        const lines = screen(busy, width, height);
        expect(lines.length).toBeLessThanOrEqual(height);
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
      }
  });

  it("says why it is stopped and the way out, and what may have happened", () => {
    const standing = {
      ...{ state: "HALTED", cause: "loss", reason: "RC05: lost", wayOut: 'pegbot resume --reason "..."' },
      ...{ by: "bot", since: AT, also: [] },
    } as unknown as Status["standing"];
    const doubt = { kind: "order", what: "buy 1 VCHF/CHF at 1", isDoubt: true, since: millis(AT - 61_000) };
    const open = [{ ...doubt, id: "T-a-1", state: "fenced", cause: "time-out", venueWord: undefined }];
    const text = screen(status({ standing, open }), 160, 30).join("\n");
    expect(text).toContain("HALTED since 05:39:43");
    expect(text).toContain('RC05: lost\nfrees it: pegbot resume --reason "..."');
    expect(text).toContain("T-a-1 may have happened (buy 1 VCHF/CHF at 1): time-out");
    expect(text.split("RC05: lost")).toHaveLength(2);
  });

  it("shows what waits for a person, three lines of it, and however much there is, how to stop is said", () => {
    const plan = {
      id: "R-1",
      at: millis(AT - 7_200_000),
      expiresAt: millis(AT + 600_000),
      by: "bot",
      persons: 2,
      approvedBy: ["anna"],
      steps: ["mint VCHF on ETH, 120,000 CHF for 120,000 VCHF"],
    };
    const shown = (plans: readonly (typeof plan)[], railsFrozen?: string): string[] =>
      screen(status({ treasury: { plans, awaited: [], railsFrozen } }), 240, 24);
    expect(shown([plan])[2]).toMatch(/^plan R-1 wants 1 more .*120,000 VCHF\. Way out: pegbot approve R-1/);
    expect(shown([{ ...plan, approvedBy: ["anna", "ben"] }])).toEqual(screen(status(), 240, 24));
    expect(shown([plan, plan, plan, plan, plan])[5]).toBe("and 2 more: pegbot status");
    expect(shown([], "the whitelist has changed")[2]).toMatch(/^rails are frozen: the whitelist has changed\./);
  });

  it("lets no text from outside move the cursor", () => {
    const shown = status({
      decisions: [decision(1, { note: "\u001b[2J\nbad\u202e" })],
      notes: [{ at: AT, text: "\u0007" }],
    });
    expect(screen(shown, 80, 24).join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it("shows real money as such", () => {
    expect(screen(status({ mode: "live", environment: "production" }), 80, 24)[0]).toContain("LIVE on production");
  });
});

describe("figures for people", () => {
  it("are cut, grouped and signed, and unknown is not zero", () => {
    expect(["1234567.899", "-0.001", "0", "12", undefined].map((text) => amountText(text))).toEqual([
      "1,234,567.89",
      "0.00",
      "0.00",
      "12.00",
      "-",
    ]);
    expect(["1.5", "-1.5", "0.001", undefined].map(changeText)).toEqual(["+1.50", "-1.50", "0.00", "-"]);
    expect([0, 93_999, 3_600_000, 90_061_000].map(durationText)).toEqual([
      "0:00:00",
      "0:01:33",
      "1:00:00",
      "1d 1:01:01",
    ]);
  });
});
