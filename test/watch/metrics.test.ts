// Every metric, each moved by what it is about: a table that must name them all.

import { describe, expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { OrderReport } from "../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill, Side } from "../../src/domain/order.ts";
import type { Decision, OrderIntent, Step } from "../../src/domain/step.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import type { Look } from "../../src/watch/metrics/gauges.ts";
import { createMetrics, type Metrics } from "../../src/watch/metrics/metrics.ts";
import type { Status } from "../../src/watch/status.ts";
import { AT, HELD_PAYMENT, KNOWN, quietLook, type quietStatus, scraped, submission, WAITING } from "./look.ts";

const PAIR = "VCHF/CHF" as PairSymbol;
type SpentSlot = Parameters<Metrics["requests"]["slot"]>[0];
const SPENT: SpentSlot = {
  class: "quote",
  what: "/client/quotes {}",
  tookMs: 40,
  end: "answered",
};

function stepOf(event: Step["event"], decisions: readonly Decision[] = [], at = AT): JournalRecord {
  const step = { sequence: 1, at: millis(at), event, decisions, commands: [], mark: undefined };
  return { kind: "step", at: millis(at), step };
}

function reported(id: string, report: OrderReport, at = AT): JournalRecord {
  return stepOf({ kind: "report", clientOrderId: id as ClientOrderId, report, receivedAt: millis(at) }, [], at);
}

function fillOf(id: string, side: Side = "buy", price = "0.999", fee = "0.5"): Fill {
  const base = Money.of("1000", "VCHF" as Asset);
  const quote = Price.of(price).times(Quantity.of("1000"), "CHF" as Asset, "down");
  return {
    clientOrderId: id as ClientOrderId,
    orderId: "o1",
    tradeId: "t1",
    symbol: PAIR,
    side,
    bought: side === "buy" ? base : quote,
    sold: side === "buy" ? quote : base,
    fee: Money.of(fee, "CHF" as Asset),
    at: undefined,
  };
}

function filled(id: string, confirmed = false, side: Side = "buy"): JournalRecord {
  return reported(id, { kind: "filled", fill: fillOf(id, side), confirmed });
}

function decided(id: string): JournalRecord {
  const intent = { clientOrderId: id as ClientOrderId, symbol: PAIR, side: "buy" } as OrderIntent;
  const basis = {} as Decision["basis"];
  return stepOf({ kind: "timer", receivedAt: millis(AT) }, [
    { proposal: undefined, basis, verdict: { kind: "approved", intent, capped: [] } },
  ]);
}

function refused(rule: string): JournalRecord {
  const verdict = { kind: "refused", refusal: { rule, limit: "1", value: "2", message: "m" } } as const;
  return stepOf({ kind: "timer", receivedAt: millis(AT) }, [
    { proposal: undefined, basis: {} as Decision["basis"], verdict },
  ]);
}

type Move = (metrics: Metrics) => Look | undefined;
const does =
  (...records: JournalRecord[]): Move =>
  (metrics) => {
    for (const record of records) metrics.record(record);
    return undefined;
  };
const shows =
  (change: Parameters<typeof quietStatus>[0], rest: Parameters<typeof quietLook>[1] = {}): Move =>
  () =>
    quietLook(change, rest);
const spends =
  (change: Partial<SpentSlot>): Move =>
  (metrics) => {
    metrics.requests.slot({ ...SPENT, ...change });
    return undefined;
  };

const QUOTE = { symbol: PAIR, bid: 0.999, ask: 1.0, ageMs: 1_500, fair: 1, noFair: undefined };
const STALE = { ...QUOTE, fair: undefined, noFair: "stale" } as const;
const FEES = { fees: "1", mintFees: "3", railFees: "2" };
const VALUE = { currency: "CHF", now: "900", atMid: "950", atPar: "960", markAgeMs: 2_000 };
const EQUITY = { ...VALUE, today: "-50", realised: "10", turnover: "300", orders: 3, ...FEES };
const TOTALS = {
  ...{
    currency: "CHF",
    approved: 3,
    refused: 0,
    fills: 3,
    roundTrips: 0,
    turnover: "300",
    fees: "1",
    mintFees: "3",
    railFees: "2",
  },
  ...{ unvaluedFees: 0, realised: "11", unrealised: "-12", fx: "13", brought: "0", unvalued: 0 },
};
const DRAWDOWN = {
  key: "drawdown",
  rule: "RC06",
  name: "",
  unit: "CHF",
  used: 100,
  limit: 400,
  usedBps: 2_500,
} as const;
const BUDGET = { slots: 50, usedBps: 9_000, spacingMs: 1_050, waiting: ["quote"], rateLimited: 0, skewMs: 250 };
const PAUSED = { until: 90_000, ms: 3_600_000, status: 503, call: "quotes" };
const HOLDING = { asset: "VCHF", held: "10", available: "7", reserved: "2", pending: "1", inFlight: "4", mayCome: "0" };
const HELD = { holdings: [{ ...HOLDING, floor: undefined, band: undefined, value: undefined }] };

const BENEATH = {
  state: "HALTED",
  cause: "doubt",
  reason: "two doubts",
  wayOut: "",
  by: "bot",
  since: millis(0),
} as const;
const TRADING = { kind: "trading", text: "" };

/** What is seen before, what moves it, what is seen then. */
const MOVES: readonly (readonly [sample: string, before: number | undefined, move: Move, after: number])[] = [
  ['pegbot_orders_total{outcome="filled",reason="answer"}', 0, does(filled("A")), 1],
  [
    'pegbot_orders_total{outcome="rejected",reason="unfilled"}',
    0,
    does(reported("A", { kind: "rejected", code: "unfilled", message: "" })),
    1,
  ],
  ['pegbot_orders_total{outcome="dead",reason="evidence"}', 0, givenUpBy("bot"), 1],
  ["pegbot_doubts_total", 0, does(reported("A", { kind: "doubt", cause: "timeout" })), 1],
  ['pegbot_decisions_total{verdict="approved"}', 0, does(decided("A")), 1],
  ['pegbot_refusals_total{rule="RC07"}', 0, does(refused("RC07")), 1],
  ['pegbot_fills_total{symbol="VCHF/CHF",side="sell"}', 0, does(filled("A", false, "sell")), 1],
  ['pegbot_fees_total{asset="CHF"}', 0, does(filled("A"), filled("B")), 1],
  ['pegbot_requests_total{endpoint="addOrder",outcome="ok"}', 0, called("/private/addOrder", { kind: "accepted" }), 1],
  ["pegbot_last_good_answer_age_seconds", 0, called("/client/quotes", { kind: "read" }, 4_000), 4],
  ["pegbot_last_good_answer_age_seconds", 0, called("/client/quotes", failed("failed", "timeout"), 4_000), 4.1],
  ["pegbot_venue_paused", 0, shows({ budget: { ...BUDGET, paused: PAUSED } }), 1],
  ["pegbot_venue_paused_until_timestamp_seconds", undefined, shows({ budget: { ...BUDGET, paused: PAUSED } }), 90],
  ['pegbot_request_duration_seconds_bucket{le="0.05",endpoint="quotes"}', 0, spends({}), 1],
  ['pegbot_slots_total{class="quote"}', 0, spends({}), 1],
  ["pegbot_rate_limited_total", 0, spends({ end: "rate-limited" }), 1],
  ['pegbot_journal_sync_seconds_bucket{le="0.005",operation="transact"}', 0, wrote(undefined), 1],
  ['pegbot_journal_failures_total{code="journal-full"}', 0, wrote("journal-full"), 1],
  ['pegbot_notices_total{channel="telegram",outcome="failed"}', 0, told, 1],
  ['pegbot_build_info{version="0.1.0",mode="paper",environment="paper"}', 1, shows({}), 1],
  ["pegbot_start_timestamp_seconds", AT / 1_000 - 60, shows({ startedAt: millis(AT) }), AT / 1_000],
  ["pegbot_ready", 1, shows({ unready: ["HALTED: why"] }), 0],
  ["pegbot_trading", 0, shows({ phase: TRADING }), 1],
  ["pegbot_trading", 0, shows({ phase: TRADING, standing: standingIn("HALTED"), unready: ["HALTED: why"] }), 0],
  ['pegbot_state{state="IDLE"}', 0, shows({ phase: TRADING, idle: { since: millis(AT), reason: "quiet" } }), 1],
  ["pegbot_idle_seconds", 0, shows({ idle: { since: millis(AT - 90_000), reason: "quiet" } }), 90],
  ['pegbot_event_loop_lag_seconds{stat="p50"}', 0, lagging, 0.001],
  ['pegbot_event_loop_lag_seconds{stat="max"}', 0, lagging, 0.3],
  ["pegbot_journal_writable", 1, shows({ phase: { kind: "unwritable", text: "" } }), 0],
  ["pegbot_journal_records", undefined, shows({ journal: { path: "", records: 7 } }), 7],
  ["pegbot_journal_size_bytes", undefined, lagging, 4_096],
  ['pegbot_memory_bytes{kind="resident"}', 0, lagging, 2_000],
  ['pegbot_feed_up{feed="simulator-a"}', 0, feeds(undefined), 1],
  ['pegbot_feed_age_seconds{feed="simulator-a"}', undefined, feeds(undefined), 2],
  ['pegbot_risk_state{state="HALTED"}', 0, stopped("loss"), 1],
  ['pegbot_stop_cause{cause="loss"}', 0, stopped("loss"), 1],
  // One beneath another shows as well.
  ['pegbot_stop_cause{cause="doubt"}', 0, shows({ standing: { ...standingIn("HALTED"), also: [BENEATH] } }), 1],
  ["pegbot_kill_switch", 0, stopped("person"), 1],
  ["pegbot_kill_switch", 0, stopped("loss"), 0],
  ['pegbot_limit{limit="drawdown"}', undefined, shows({ limits: [DRAWDOWN] }), 400],
  ['pegbot_limit_used_ratio{limit="drawdown"}', undefined, shows({ limits: [DRAWDOWN] }), 0.25],
  ["pegbot_open_doubts", 0, shows({ open: [submission("order", "unknown", 30)] }), 1],
  ["pegbot_oldest_doubt_age_seconds", 0, shows({ open: [submission("order", "unknown", 30)] }), 30],
  ['pegbot_mints{state="accepted"}', 0, shows({ open: [submission("mint", "accepted", 7_200)] }), 1],
  ['pegbot_mint_age_seconds{state="accepted"}', 0, shows({ open: [submission("mint", "accepted", 7_200)] }), 7_200],
  ['pegbot_mint_age_seconds{state="held"}', 0, heldAs("confirmed"), 60],
  ['pegbot_mints{state="escalated"}', 0, heldAs("escalated"), 1],
  ['pegbot_mints{state="unknown"}', 0, shows({ open: [submission("mint", "unknown", 7_200)] }), 1],
  ['pegbot_rails{state="accepted"}', 0, shows({ open: [submission("mint", "accepted", 60)] }), 0],
  ['pegbot_rails{state="escalated"}', 0, shows({ open: [submission("rail", "escalated", 60)] }), 1],
  ['pegbot_rail_age_seconds{state="escalated"}', 0, shows({ open: [submission("rail", "escalated", 60)] }), 60],
  ["pegbot_payment_awaited_seconds", 0, shows({ treasury: WAITING }), 18_000],
  ["pegbot_payments_held", 0, shows({ treasury: { ...WAITING, held: [HELD_PAYMENT] } }), 1],
  ["pegbot_plans_waiting", 0, shows({ treasury: WAITING }), 1],
  ["pegbot_rails_frozen", 0, shows({ treasury: WAITING }), 1],
  ['pegbot_equity{currency="CHF"}', undefined, shows({ equity: EQUITY }), 900],
  ['pegbot_value{currency="CHF",basis="mid"}', undefined, shows({ equity: EQUITY }), 950],
  ['pegbot_value{currency="CHF",basis="par"}', undefined, shows({ equity: EQUITY }), 960],
  ["pegbot_mark_age_seconds", undefined, shows({ equity: EQUITY }), 2],
  ['pegbot_profit{currency="CHF",kind="realised"}', undefined, shows({ equity: EQUITY, totals: TOTALS }), 11],
  ['pegbot_profit{currency="CHF",kind="unrealised"}', undefined, shows({ equity: EQUITY, totals: TOTALS }), -12],
  ['pegbot_profit{currency="CHF",kind="fx"}', undefined, shows({ equity: EQUITY, totals: TOTALS }), 13],
  ['pegbot_edge_per_request{currency="CHF"}', undefined, shows({ equity: { ...EQUITY, edgePerRequest: 0.25 } }), 0.25],
  [
    'pegbot_day_source{currency="CHF",source="opening"}',
    undefined,
    shows({ equity: { ...EQUITY, sources: { trading: "10.00", opening: "-60.00", fx: "0.00" } } }),
    -60,
  ],
  ['pegbot_day_fees{currency="CHF",kind="trade"}', undefined, shows({ equity: EQUITY }), 1],
  ['pegbot_day_fees{currency="CHF",kind="mint"}', undefined, shows({ equity: EQUITY }), 3],
  ['pegbot_day_fees{currency="CHF",kind="rail"}', undefined, shows({ equity: EQUITY }), 2],
  ['pegbot_day_turnover{currency="CHF"}', 0, shows({ equity: EQUITY }), 300],
  ['pegbot_balance{asset="VCHF",kind="available"}', undefined, shows(HELD), 7],
  ['pegbot_balance{asset="VCHF",kind="pending"}', undefined, shows(HELD), 1],
  ['pegbot_venue_quote{symbol="VCHF/CHF",side="ask"}', undefined, shows({ quotes: [QUOTE] }), 1],
  ['pegbot_fair_value{symbol="VCHF/CHF"}', undefined, shows({ quotes: [QUOTE] }), 1],
  ['pegbot_fair_value_state{symbol="VCHF/CHF",state="fair"}', 0, shows({ quotes: [QUOTE] }), 1],
  ['pegbot_fair_value_state{symbol="VCHF/CHF",state="stale"}', 0, shows({ quotes: [STALE] }), 1],
  ['pegbot_quote_age_seconds{symbol="VCHF/CHF"}', undefined, shows({ quotes: [QUOTE] }), 1.5],
  ['pegbot_par_premium_ratio{symbol="VCHF/CHF"}', undefined, shows({ quotes: [QUOTE] }), -0.0005],
  ["pegbot_slot_utilisation_ratio", undefined, shows({ budget: BUDGET }), 0.9],
  ["pegbot_slot_spacing_seconds", undefined, shows({ budget: BUDGET }), 1.05],
  ["pegbot_queue_length", undefined, shows({ budget: BUDGET }), 1],
  ["pegbot_clock_skew_seconds", undefined, shows({ budget: BUDGET }), 0.25],
];

function givenUpBy(by: string): Move {
  return does(
    { kind: "resolution", at: millis(AT), id: "A", verdict: { kind: "released" }, reason: "", by },
    reported("A", { kind: "dead", reason: "" }),
  );
}

function failed(kind: string, code: string): Parameters<Metrics["requests"]["called"]>[1] {
  return { kind, failure: { code } };
}

function called(path: string, outcome: Parameters<Metrics["requests"]["called"]>[1], laterMs = 0): Move {
  return (metrics) => {
    metrics.requests.called(path, outcome, mono(100));
    return quietLook({}, { now: mono(100 + laterMs) });
  };
}

function wrote(failure: string | undefined): Move {
  return (metrics) => {
    metrics.journal.wrote("transact", 4, failure);
    return undefined;
  };
}

function told(metrics: Metrics): undefined {
  metrics.notices.told("telegram", "failed");
}

/** By the venue's word; while it is in doubt that is no state of it. */
function heldAs(state: string): Move {
  return shows({ open: [{ ...submission("mint", state, 60), venueWord: "Held" }] });
}

function lagging(): Look {
  return quietLook(
    {},
    {
      vitals: {
        memory: { residentBytes: 2_000, heapBytes: 1_000 },
        lag: { p50Ms: 1, p99Ms: 20, maxMs: 300 },
        journalBytes: 4_096,
      },
    },
  );
}

function feeds(trouble: string | undefined): Move {
  return shows({ feeds: [{ name: "simulator-a", kind: "reference", ageMs: 2_000, trouble }] });
}

function stopped(cause: "person" | "loss"): Move {
  return shows({ standing: { ...standingIn("HALTED"), cause } });
}

function standingIn(state: Status["standing"]["state"]): Status["standing"] {
  return { state, cause: "loss", reason: "why", wayOut: "", by: "bot", since: millis(0), also: [] };
}

describe("every metric moves with what it is about", () => {
  test.for(MOVES)("%s from %s", async ([sample, before, move, then]) => {
    const metrics = createMetrics(KNOWN);
    expect((await scraped(metrics)).get(sample)).toBe(before);
    const look = move(metrics) ?? quietLook();
    expect((await scraped(metrics, look)).get(sample)).toBeCloseTo(then, 9);
  });

  test("the table above names every metric there is", async () => {
    const { text } = await createMetrics(KNOWN).scrape(quietLook());
    const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const named = MOVES.map(([sample]) => sample.replace(/\{.*/, "").replace(/_(bucket|count)$/, ""));
    expect(new Set(named)).toEqual(new Set(families));
  });
});

describe("a scrape", () => {
  test("counts an order once, though its fill is reported provisionally and then confirmed", async () => {
    const metrics = createMetrics(KNOWN);
    const doubt = reported("A", { kind: "doubt", cause: "" });
    for (const record of [doubt, doubt, filled("A"), filled("A", true)]) metrics.record(record);
    const samples = await scraped(metrics);
    expect(samples.get('pegbot_orders_total{outcome="filled",reason="answer"}')).toBe(1);
    expect(samples.get('pegbot_orders_total{outcome="filled",reason="history"}')).toBe(0);
    expect(samples.get('pegbot_fills_total{symbol="VCHF/CHF",side="buy"}')).toBe(1);
    expect(samples.get("pegbot_doubts_total")).toBe(1);
  });

  test("lets nothing that others say become a label", async () => {
    const evil = 'x"} 1\nevil 1';
    const metrics = createMetrics(KNOWN);
    metrics.record(refused(evil));
    metrics.record(reported("A", { kind: "rejected", code: evil, message: evil }));
    metrics.record(
      reported("B", { kind: "filled", fill: { ...fillOf("B"), symbol: evil as PairSymbol }, confirmed: false }),
    );
    metrics.requests.slot({ ...SPENT, class: evil as never, what: evil });
    metrics.requests.called(`/private/${evil}`, { kind: evil }, mono(0));
    metrics.notices.told(evil, "sent");
    metrics.journal.wrote("append", 1, evil);
    const before = [...(await scraped(metrics)).keys()];
    const { text } = await metrics.scrape(
      quietLook({
        holdings: [{ ...HOLDING, asset: evil, floor: undefined, band: undefined, value: undefined }],
        quotes: [{ ...QUOTE, symbol: evil }],
        feeds: [{ name: evil, kind: "reference", ageMs: 1, trouble: evil }],
        open: [{ ...submission("mint", evil, 1), kind: "mint" }],
      }),
    );
    expect(text).not.toContain("evil");
    expect(before.filter((sample) => sample.includes('="other"')).length).toBeGreaterThan(5);
  });

  test("forgets what is no longer known, and never shows it as zero", async () => {
    const metrics = createMetrics(KNOWN);
    const known = { equity: EQUITY, ...HELD, quotes: [QUOTE], limits: [DRAWDOWN], budget: BUDGET };
    const feed = { name: "simulator-a", kind: "reference", ageMs: 2_000, trouble: undefined } as const;
    await scraped(metrics, quietLook({ ...known, feeds: [feed] }));
    const names = [...(await scraped(metrics)).keys()].join("\n");
    const money = ["equity{", "balance{", "venue_quote{", "fair_value{", "par_premium"];
    const ofThem = [...money, "limit{", "limit_used", "clock_skew", "feed_age"];
    for (const gone of ofThem) expect(names).not.toContain(`pegbot_${gone}`);
  });
});
