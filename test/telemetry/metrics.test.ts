// The figures that a scrape shows.

import { describe, expect, test } from "vitest";
import type { OrderReport } from "../../src/domain/event.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import type { Decision, Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import { createMetrics, type Figures } from "../../src/telemetry/metrics.ts";

const BUILD = { version: "0.1.0", mode: "paper", environment: "test" };
const QUIET: Figures = {
  state: "ACTIVE",
  ready: true,
  equity: undefined,
  openDoubts: 0,
  oldestDoubtMs: undefined,
  journalRecords: undefined,
  slots: undefined,
  spacingMs: undefined,
};

function reported(id: string, kind: OrderReport["kind"]): Step {
  const report = { kind } as OrderReport;
  return stepOf({ kind: "report", clientOrderId: id as ClientOrderId, report, receivedAt: millis(0) });
}

function stepOf(event: Step["event"], decisions: readonly Decision[] = []): Step {
  return { sequence: 1, at: millis(0), event, decisions, commands: [], mark: undefined };
}

function refusedBy(rule: string): Decision {
  const verdict = { kind: "refused", refusal: { rule, limit: "1", value: "2", message: "m" } } as const;
  return { proposal: undefined, basis: {} as Decision["basis"], verdict };
}

/** Every line of samples as name and value. */
async function scraped(metrics: ReturnType<typeof createMetrics>): Promise<ReadonlyMap<string, number>> {
  const { text } = await metrics.scrape();
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

describe("a scrape", () => {
  test("shows every order outcome, rule and state before anything has happened, with zero", async () => {
    const samples = await scraped(createMetrics(BUILD, () => QUIET));
    for (const outcome of ["filled", "rejected", "not_sent", "dead"])
      expect(samples.get(`pegbot_orders_total{outcome="${outcome}"}`), outcome).toBe(0);
    expect(samples.get("pegbot_fills_total")).toBe(0);
    expect(samples.get('pegbot_refusals_total{rule="RC07"}')).toBe(0);
    expect(samples.get('pegbot_risk_state{state="ACTIVE"}')).toBe(1);
    expect(samples.get('pegbot_risk_state{state="KILLED"}')).toBe(0);
    expect(samples.get('pegbot_build_info{version="0.1.0",mode="paper",environment="test"}')).toBe(1);
    expect([...samples.keys()].filter((name) => name.startsWith("pegbot_equity"))).toEqual([]);
  });

  test("counts an order once, though its fill is reported provisionally and then confirmed", async () => {
    const metrics = createMetrics(BUILD, () => QUIET);
    for (const kind of ["sending", "doubt", "doubt", "filled", "filled"] as const) metrics.step(reported("T-1", kind));
    metrics.step(reported("T-2", "rejected"));
    metrics.step(reported("T-3", "not-sent"));
    metrics.step(reported("T-4", "dead"));
    const samples = await scraped(metrics);
    const orders = ["filled", "rejected", "not_sent", "dead"].map((o) =>
      samples.get(`pegbot_orders_total{outcome="${o}"}`),
    );
    expect(orders).toEqual([1, 1, 1, 1]);
    expect([samples.get("pegbot_fills_total"), samples.get("pegbot_doubts_total")]).toEqual([1, 1]);
  });

  test("counts refusals by rule, and a rule that is none of ours makes no label", async () => {
    const metrics = createMetrics(BUILD, () => QUIET);
    const decisions = [refusedBy("RC07"), refusedBy("RC07"), refusedBy('x"} 1\nevil 1')];
    metrics.step(stepOf({ kind: "timer", receivedAt: millis(0) }, decisions));
    const samples = await scraped(metrics);
    expect(samples.get('pegbot_refusals_total{rule="RC07"}')).toBe(2);
    expect(samples.get('pegbot_refusals_total{rule="other"}')).toBe(1);
    expect(samples.get('pegbot_decisions_total{verdict="refused"}')).toBe(3);
    expect((await metrics.scrape()).text).not.toContain("evil");
  });

  test("shows how the bot stands at that moment, and what is not known not at all", async () => {
    let figures: Figures = {
      ...QUIET,
      state: "KILLED",
      ready: false,
      equity: { amount: 100_250.5, currency: "CHF" },
      openDoubts: 2,
      oldestDoubtMs: 1_500,
      journalRecords: 17,
      slots: 42,
      spacingMs: 1_000,
    };
    const metrics = createMetrics(BUILD, () => figures);
    const samples = await scraped(metrics);
    expect(samples.get('pegbot_risk_state{state="KILLED"}')).toBe(1);
    expect(samples.get("pegbot_kill_switch")).toBe(1);
    expect(samples.get("pegbot_ready")).toBe(0);
    expect(samples.get('pegbot_equity{currency="CHF"}')).toBe(100_250.5);
    expect(samples.get("pegbot_open_doubts")).toBe(2);
    expect(samples.get("pegbot_oldest_doubt_age_seconds")).toBe(1.5);
    expect(samples.get("pegbot_journal_records")).toBe(17);
    expect(samples.get("pegbot_key_slots_total")).toBe(42);
    expect(samples.get("pegbot_slot_spacing_seconds")).toBe(1);
    figures = { ...QUIET, slots: 43 };
    const later = await scraped(metrics);
    expect([later.has('pegbot_equity{currency="CHF"}'), later.get("pegbot_key_slots_total")]).toEqual([false, 43]);
  });

  test("keeps two bots of one process apart", async () => {
    const one = createMetrics(BUILD, () => QUIET);
    createMetrics(BUILD, () => QUIET).step(reported("T-1", "filled"));
    expect((await scraped(one)).get("pegbot_fills_total")).toBe(0);
  });
});
