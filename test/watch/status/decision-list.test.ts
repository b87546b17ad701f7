import { describe, expect, it } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import { pegArbitrage } from "../../../src/strategy/peg-arbitrage.ts";
import { pauseOf, reachProblem, STORM, unreachable, watchReach } from "../../../src/watch/status/connectivity.ts";
import { createDecisionList } from "../../../src/watch/status/decision-list.ts";
import { strategyBench } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";

function traded() {
  const list = createDecisionList();
  const bench = strategyBench(pegArbitrage, { symbols: [SYMBOL], balances: { CHF: "50000", VCHF: "50000" } });
  return { list, bench };
}

describe("the last decisions", () => {
  it("follow an order from approval to its confirmation, newest first", () => {
    const { list, bench } = traded();
    list.take(bench.quote(SYMBOL, 0.9983, 0.999));
    expect(list.newestFirst).toMatchObject([{ side: "buy", size: "2500", outcome: "approved", times: 1 }]);
    list.take(bench.fill());
    expect(list.newestFirst).toMatchObject([{ outcome: "confirmed" }]);
    bench.pass(20_000);
    list.take(bench.quote(SYMBOL, 1.0012, 1.002));
    list.take(bench.reject("price-out-of-band"));
    expect(list.newestFirst).toMatchObject([
      { side: "sell", outcome: "rejected", note: "price-out-of-band: by the bench" },
      { side: "buy", outcome: "confirmed" },
    ]);
  });

  it("say no more of a doubt once the order is known to have filled", () => {
    const { list, bench } = traded();
    const step = bench.quote(SYMBOL, 0.9983, 0.999);
    list.take(step);
    const [{ clientOrderId } = { clientOrderId: "" }] = list.newestFirst;
    const event = {
      kind: "report",
      clientOrderId,
      report: { kind: "doubt", cause: "no answer" },
      receivedAt: bench.now,
    };
    list.take({ ...step, decisions: [], commands: [], event } as never);
    expect(list.newestFirst).toMatchObject([{ outcome: "doubt", note: "no answer" }]);
    list.take(bench.fill());
    expect(list.newestFirst).toMatchObject([{ outcome: "confirmed", note: "" }]);
  });

  it("show the limit of a refused proposal without the last digits of its arithmetic", () => {
    const { list, bench } = traded();
    const refused = { kind: "refused", refusal: { rule: "RC05", message: "lost" } };
    const proposal = { symbol: SYMBOL, side: "sell", size: "2500", limit: 1.0008998999999998, reason: "one" };
    list.take({ ...bench.quote(SYMBOL, 1, 1), decisions: [{ proposal, verdict: refused }] } as never);
    expect(list.newestFirst).toMatchObject([{ side: "sell", size: "2500", limit: "1.0008999" }]);
  });

  it("make one line of a refusal that comes again", () => {
    const { list, bench } = traded();
    bench.send({
      kind: "control",
      control: { kind: "reduce", cause: "other", reason: "test", wayOut: "none" },
      receivedAt: bench.now,
    });
    for (let i = 0; i < 3; i++) {
      list.take(bench.quote(SYMBOL, 0.9983, 0.999));
      bench.pass(10_000);
    }
    expect(list.newestFirst).toMatchObject([{ outcome: "refused", note: expect.stringMatching(/^RC24: /), times: 3 }]);
  });
});

describe("a venue that does not answer", () => {
  it("holds new orders back while it lasts, and is told when it changes", () => {
    const exchange = { reachability: (): "good" | "reduced" | "auth-lost" => state, ledgerTrouble: () => undefined };
    let state: "good" | "reduced" | "auth-lost" = "good";
    const told: (string | undefined)[] = [];
    const due: (() => void)[] = [];
    const timers = {
      after(_: number, run: () => void) {
        due.push(run);
        return () => void due.splice(0);
      },
    };
    const end = watchReach(exchange, timers, (problem) => told.push(problem));
    const look = (): void => due.splice(0).forEach((run) => void run());
    for (const next of ["good", "reduced", "reduced", "auth-lost", "good"] as const) {
      state = next;
      expect(reachProblem(exchange) === undefined).toBe(next === "good");
      look();
    }
    expect(told).toEqual([
      expect.stringContaining("nothing new is sent until it answers"),
      expect.stringContaining("the venue refuses the key"),
      undefined,
    ]);
    end();
    expect(due).toEqual([]);
  });

  it("is told as silent after a minute without a usable answer, with how it fails; orders are not held back for that yet", () => {
    const venue = (ms: number, code = "timeout") => ({
      reachability: () => "good" as const,
      ledgerTrouble: () => undefined,
      silence: () => ({ since: millis(1_794_731_400_000), ms, code }),
    });
    expect(unreachable(venue(59_999))).toBeUndefined();
    expect(unreachable(venue(60_000))).toBe(
      "no usable answer of the venue since 2026-11-15T08:30:00Z (timeout): pegbot doctor says more",
    );
    expect(reachProblem(venue(60_000))).toBeUndefined();
  });

  it("is not called silent while the journal cannot be written, when nobody asks it, nor at the first looks after that", () => {
    const told: (string | undefined)[] = [];
    let isUnwritten = true;
    let state: "good" | "reduced" = "reduced";
    const exchange = { reachability: () => state, ledgerTrouble: () => undefined, silence: () => undefined };
    let look = (): void => {};
    const timers = {
      after(_: number, run: () => void) {
        look = run;
        return () => {};
      },
    };
    const paused = () => pauseOf(isUnwritten, undefined);
    watchReach(exchange, timers, (problem) => told.push(problem), paused);
    look();
    expect(unreachable(exchange, paused())).toBe("the venue is not asked while the journal cannot be written");
    isUnwritten = false;
    look();
    look();
    state = "good";
    look();
    expect(told).toEqual(["the venue is not asked while the journal cannot be written", undefined]);
  });

  it("is not called silent while it is we who pause after too many 429s, nor at the first look after that", () => {
    let state: "good" | "reduced" | "auth-lost" = "good";
    let isPaused = true;
    const exchange = { reachability: () => state, ledgerTrouble: () => undefined };
    const silence = () => ({ since: millis(1_794_731_400_000), ms: 200_000, code: "rate-limited" });
    const told: (string | undefined)[] = [];
    let look = (): void => {};
    const timers = {
      after(_: number, run: () => void) {
        look = run;
        return () => {};
      },
    };
    watchReach(
      exchange,
      timers,
      (problem) => told.push(problem),
      () => pauseOf(false, { doubtsOnly: isPaused }),
    );
    // At a start nobody has asked yet: the pause is of the process before.
    look();
    state = "reduced";
    look();
    expect(unreachable({ ...exchange, silence }, pauseOf(false, { doubtsOnly: isPaused }))).toBe(STORM);
    isPaused = false;
    look();
    state = "good";
    look();
    expect(told).toEqual([STORM, undefined]);
    state = "reduced";
    for (let seconds = 0; seconds < 10; seconds++) look();
    expect(told.slice(2)).toEqual([expect.stringContaining("the venue fails or is silent")]);
    isPaused = true;
    state = "auth-lost";
    look();
    expect(told.at(-1)).toContain("the venue refuses the key");
  });

  it("is not called silent where the ledger of the key did not let it be asked", () => {
    const full = "ledger-full: key ledger /k/ledger.db: database or disk is full (SQLite 13); free some disk space";
    const locked = "ledger-locked: key ledger /k/ledger.db: locked; another process keeps it locked";
    const problemOf = (state: "good" | "reduced", ledgerTrouble: string) =>
      reachProblem({ reachability: () => state, ledgerTrouble: () => ledgerTrouble });
    for (const state of ["good", "reduced"] as const)
      expect(problemOf(state, full)).toBe(`the venue is not asked, and nothing new is sent: ${full}`);
    expect(problemOf("good", locked)).toBeUndefined();
    expect(problemOf("reduced", locked)).toContain(locked);
  });
});
