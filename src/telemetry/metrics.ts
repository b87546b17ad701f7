// The bot in figures, for Prometheus. What is counted is counted from steps, and what is shown is read when somebody asks.
// Every label has a closed set of values that is there from the start with zero: an alert on a rate needs the zero before
// the first one, and nothing that the venue or a strategy says can become a label.

import { Counter, Gauge, Registry } from "prom-client";
import type { RiskState, Step } from "../domain/step.ts";

export type Build = { readonly version: string; readonly mode: string; readonly environment: string };

/** How the bot stands when it is asked. What is not known is left out, never shown as zero. */
export type Figures = {
  readonly state: RiskState;
  readonly ready: boolean;
  readonly equity: { readonly amount: number; readonly currency: string } | undefined;
  readonly openDoubts: number;
  readonly oldestDoubtMs: number | undefined;
  readonly journalRecords: number | undefined;
  /** Of the key, by whatever process, as its ledger has them. */
  readonly slots: number | undefined;
  readonly spacingMs: number | undefined;
};

export interface Metrics {
  step(step: Step): void;
  /** What is served at /metrics. */
  scrape(): Promise<{ readonly type: string; readonly text: string }>;
}

const OUTCOMES = ["filled", "rejected", "not_sent", "dead"] as const;
type OrderOutcome = (typeof OUTCOMES)[number];
const VERDICTS = ["approved", "refused"] as const;
const STATES = ["ACTIVE", "REDUCED", "HALTED", "KILLED"] as const satisfies readonly RiskState[];
const OTHER = "other";
const RULES = new Set([...numbered("RC", 32), "RC07H", ...numbered("PR", 9), OTHER]);

/** Reports come again (a fill provisionally, then confirmed); an order has one outcome. The oldest are forgotten. */
const REMEMBERED_MAX = 10_000;

export function createMetrics(build: Build, figures: () => Figures): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const orders = counter("pegbot_orders_total", "orders that came to an end, by outcome", "outcome", OUTCOMES);
  const fills = new Counter({ name: "pegbot_fills_total", help: "fills booked, each once", registers });
  const doubts = new Counter({ name: "pegbot_doubts_total", help: "orders that fell into doubt", registers });
  const decisions = counter("pegbot_decisions_total", "proposals judged by the gate", "verdict", VERDICTS);
  const refusals = counter("pegbot_refusals_total", "proposals refused, by rule", "rule", RULES);
  const remembered = new Map<string, OrderOutcome | "doubt">();
  const show = createGauges(registers, build);

  function counter(name: string, help: string, label: string, values: Iterable<string>): Counter {
    const made = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) made.inc({ [label]: value }, 0);
    return made;
  }

  /** False when this was counted before. */
  function remember(id: string, what: OrderOutcome | "doubt"): boolean {
    if (remembered.get(id) === what) return false;
    remembered.delete(id);
    remembered.set(id, what);
    const [oldest] = remembered.size > REMEMBERED_MAX ? remembered.keys() : [];
    if (oldest !== undefined) remembered.delete(oldest);
    return true;
  }

  return {
    step({ event, decisions: made }) {
      for (const { verdict } of made) {
        decisions.inc({ verdict: verdict.kind });
        if (verdict.kind === "refused") refusals.inc({ rule: ruleOf(verdict.refusal.rule) });
      }
      if (event.kind !== "report") return;
      const outcome = outcomeOf(event.report.kind);
      if (outcome === undefined || !remember(event.clientOrderId, outcome)) return;
      if (outcome === "doubt") doubts.inc();
      else orders.inc({ outcome });
      if (outcome === "filled") fills.inc();
    },
    async scrape() {
      show(figures());
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

function outcomeOf(report: string): OrderOutcome | "doubt" | undefined {
  switch (report) {
    case "not-sent":
      return "not_sent";
    case "filled":
    case "rejected":
    case "dead":
    case "doubt":
      return report;
    default:
      return undefined;
  }
}

function ruleOf(rule: string): string {
  return RULES.has(rule) ? rule : OTHER;
}

function numbered(prefix: string, last: number): string[] {
  return Array.from({ length: last }, (_, i) => `${prefix}${String(i + 1).padStart(2, "0")}`);
}

function createGauges(registers: Registry[], build: Build): (figures: Figures) => void {
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[] = []): Gauge<T> =>
    new Gauge({ name, help, labelNames: [...labelNames], registers });
  gauge("pegbot_build_info", "what runs; always 1", ["version", "mode", "environment"]).set({ ...build }, 1);
  const state = gauge("pegbot_risk_state", "1 for the state that the bot is in", ["state"]);
  const killSwitch = gauge("pegbot_kill_switch", "1 while a person's stop stands");
  const ready = gauge("pegbot_ready", "1 while the bot is ready to trade");
  const equity = gauge("pegbot_equity", "net worth in the currency of the limits", ["currency"]);
  const openDoubts = gauge("pegbot_open_doubts", "orders that may have happened and are not resolved");
  const doubtAge = gauge("pegbot_oldest_doubt_age_seconds", "age of the oldest of them, 0 without one");
  const records = gauge("pegbot_journal_records", "records in the journal");
  const spacing = gauge("pegbot_slot_spacing_seconds", "time between two requests of the key");
  const slots = new Counter({
    name: "pegbot_key_slots_total",
    help: "requests granted by the ledger of the key, to whatever process, since it was made",
    registers,
  });
  return (now) => {
    for (const one of STATES) state.set({ state: one }, one === now.state ? 1 : 0);
    killSwitch.set(now.state === "KILLED" ? 1 : 0);
    ready.set(now.ready ? 1 : 0);
    equity.reset();
    if (now.equity !== undefined) equity.set({ currency: now.equity.currency }, now.equity.amount);
    openDoubts.set(now.openDoubts);
    doubtAge.set((now.oldestDoubtMs ?? 0) / 1_000);
    if (now.journalRecords !== undefined) records.set(now.journalRecords);
    if (now.spacingMs !== undefined) spacing.set(now.spacingMs / 1_000);
    // Counted elsewhere, and only ever more.
    slots.reset();
    slots.inc(now.slots ?? 0);
  };
}
