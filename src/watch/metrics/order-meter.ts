// What became of proposals and orders, counted from the records of the journal: each order once, however often its end is
// reported. Why an order was not sent or given up stands in the record beside its report.

import { type OrderReport, REJECTION_CODES } from "../../domain/event.ts";
import type { Step } from "../../domain/step.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Memory } from "../memory.ts";
import { OTHER, oneOf, type Shelf } from "./closed.ts";

const VERDICTS = ["approved", "refused"] as const;
/** docs/RISK.md has those that refuse an order, docs/STRATEGY.md those of proposals. */
const RULES = [
  ...numbered("RC", 19),
  "RC07H",
  "RC21",
  "RC23",
  "RC24",
  "RC25",
  "RC28",
  "RC29",
  "RC33",
  "RC34",
  "RC35",
  ...numbered("PR", 7),
  OTHER,
];
const REJECTED = [...REJECTION_CODES, OTHER];
const NOT_SENT = [
  "dns",
  "connect",
  "connect-timeout",
  "tls",
  "address-refused",
  "busy",
  "refused",
  "late",
  "outdated",
  "invalid",
  "no-nonce",
  "not-recorded",
  "dropped",
  "no-venue-time",
  "stopped",
  "restart",
  OTHER,
];
const ENDS = {
  filled: ["answer", "history"],
  rejected: REJECTED,
  not_sent: NOT_SENT,
  dead: ["evidence", "person"],
} as const;
type Outcome = keyof typeof ENDS;

export interface OrderMeter {
  record(record: JournalRecord): void;
}

export function createOrderMeter(shelf: Shelf): OrderMeter {
  const orders = shelf.counter(["pegbot_orders_total", "orders that came to an end, by outcome and reason"], {
    outcome: [],
    reason: [],
  });
  for (const [outcome, reasons] of Object.entries(ENDS))
    for (const reason of reasons) orders.inc({ outcome, reason }, 0);
  const doubts = shelf.counter(["pegbot_doubts_total", "orders that fell into doubt"], {});
  const decisions = shelf.counter(["pegbot_decisions_total", "proposals judged by the gate"], { verdict: VERDICTS });
  const refusals = shelf.counter(["pegbot_refusals_total", "proposals refused, by rule"], { rule: RULES });
  const ended = new Memory<string>();
  /** Why, from the record before the report. */
  const reasons = new Memory<string>();

  function step({ event, decisions: made }: Step): void {
    for (const { verdict } of made) {
      decisions.inc({ verdict: verdict.kind });
      if (verdict.kind === "refused") refusals.inc({ rule: oneOf(RULES, verdict.refusal.rule) });
    }
    if (event.kind === "report") report(event.clientOrderId, event.report);
  }

  function report(id: string, told: OrderReport): void {
    const end = endOf(told, reasons.get(id));
    if (end === undefined || ended.get(id) === end.outcome) return;
    ended.set(id, end.outcome);
    if (end.outcome === "doubt") doubts.inc();
    else orders.inc({ outcome: end.outcome, reason: oneOf(ENDS[end.outcome], end.reason) });
  }

  return {
    record(record) {
      if (record.kind === "step") step(record.step);
      else if (record.kind === "outcome" && record.outcome.kind === "not-sent")
        reasons.set(record.id, record.outcome.code);
      else if (record.kind === "resolution") reasons.set(record.id, record.by === "bot" ? "evidence" : "person");
    },
  };
}

type End = { readonly outcome: Outcome | "doubt"; readonly reason: string };

function endOf(report: OrderReport, why: string | undefined): End | undefined {
  switch (report.kind) {
    case "filled":
      return { outcome: "filled", reason: report.confirmed ? "history" : "answer" };
    case "rejected":
      return { outcome: "rejected", reason: report.code };
    case "not-sent":
      // Without an answer of the sender it was found on disk at a start.
      return { outcome: "not_sent", reason: why ?? "restart" };
    case "dead":
      return { outcome: "dead", reason: why ?? "evidence" };
    case "doubt":
      return { outcome: "doubt", reason: "" };
    default:
      return undefined;
  }
}

function numbered(prefix: string, last: number): string[] {
  return Array.from({ length: last }, (_, i) => `${prefix}${String(i + 1).padStart(2, "0")}`);
}
