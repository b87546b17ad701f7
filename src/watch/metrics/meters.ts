// Counters and histograms: requests to the venue and the slots they used, orders by outcome, journal writes, notices by
// outcome.

import { type OrderReport, REJECTION_CODES } from "../../domain/event.ts";
import type { Step } from "../../domain/step.ts";
import type { Mono } from "../../domain/time.ts";
import type { JournalRecord } from "../../journal/record.ts";
import type { ShownSlot } from "../dashboard/model.ts";
import { Memory } from "../memory.ts";
import { OTHER, oneOf, type Shelf } from "./closed.ts";

const CLASSES = ["doubt", "kill-check", "order", "confirmation", "balance", "quote", "treasury", OTHER];
const ENDPOINTS = [
  "accountBalance",
  "addOrder",
  "addPaymentRail",
  "assets",
  "depositAddress",
  "mintTokens",
  "queryOrders",
  "queryPaymentRails",
  "queryPayments",
  "querySupplyChanges",
  "queryTrades",
  "quotes",
  "tradingPairs",
  "withdrawAddresses",
  OTHER,
];
const OUTCOMES = ["ok", "rejected", "rate_limited", "unauthorized", "doubt", "failed", "not_sent"] as const;
const TOOK = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The outcome of a request. */
export type Called = { readonly kind: string; readonly failure?: { readonly code: string } };

export function createRequestMeter(shelf: Shelf) {
  const requests = shelf.counter(["pegbot_requests_total", "requests to the venue, by call and by what came of it"], {
    endpoint: ENDPOINTS,
    outcome: OUTCOMES,
  });
  const took = shelf.histogram(
    ["pegbot_request_duration_seconds", "from the slot to the end of the answer"],
    { endpoint: ENDPOINTS },
    TOOK,
  );
  const slots = shelf.counter(["pegbot_slots_total", "slots of the key that this process spent, by what for"], {
    class: CLASSES,
  });
  const limited = shelf.counter(["pegbot_rate_limited_total", "answers that said we ask too often"], {});
  let sent = 0;
  let goodAt: Mono | undefined;
  return {
    slot(spent: Pick<ShownSlot, "class" | "what" | "tookMs" | "end">) {
      if (spent.end === "unspent") return;
      if (spent.end === "rate-limited") limited.inc();
      sent++;
      slots.inc({ class: oneOf(CLASSES, spent.class) });
      took.observe({ endpoint: endpointOf(spent.what) }, Math.max(0, spent.tookMs) / 1_000);
    },
    called(path: string, outcome: Called, now: Mono) {
      const word = outcomeOf(outcome);
      requests.inc({ endpoint: endpointOf(path), outcome: word });
      if (word === "ok") goodAt = now;
    },
    /** The number of requests sent. */
    get sent() {
      return sent;
    },
    /** The time of the last good answer. */
    get goodAt() {
      return goodAt;
    },
  };
}

/** `/private/queryTrades {…}` becomes queryTrades. */
function endpointOf(what: string): string {
  return oneOf(ENDPOINTS, /^\/(?:client|private)\/([A-Za-z]+)/.exec(what)?.[1] ?? OTHER);
}

function outcomeOf({ kind, failure }: Called): (typeof OUTCOMES)[number] {
  if (kind === "read" || kind === "accepted") return "ok";
  if (kind === "not-sent") return "not_sent";
  if (failure?.code === "rate-limited") return "rate_limited";
  if (failure?.code === "unauthorized") return "unauthorized";
  return kind === "rejected" || kind === "doubt" ? kind : "failed";
}

const VERDICTS = ["approved", "refused"] as const;
/** docs/guides/limits.md lists the rules that refuse an order, docs/guides/strategy.md those for proposals. */
export const RULES = [
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
  "RC36",
  "RC37",
  ...numbered("PR", 7),
  OTHER,
];
const REJECTED = [...REJECTION_CODES, OTHER];
const NOT_SENT = [
  "dns",
  "connect",
  "connect-timeout",
  "proxy",
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

export function createOrderMeter(shelf: Shelf): (record: JournalRecord) => void {
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
  /** The reason of each order's outcome, from the record that precedes the report. */
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

  return (record) => {
    if (record.kind === "step") step(record.step);
    else if (record.kind === "outcome" && record.outcome.kind === "not-sent")
      reasons.set(record.id, record.outcome.code);
    else if (record.kind === "resolution") reasons.set(record.id, record.by === "bot" ? "evidence" : "person");
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
      // Without an answer from the sender, the order was found in the journal at a start.
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

const OPERATIONS = ["append", "announce", "transact"] as const;
export type JournalOperation = (typeof OPERATIONS)[number];
const SYNC_TOOK = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export type JournalMeter = ReturnType<typeof createJournalMeter>;

const FAILURES = [
  "journal-locked",
  "journal-full",
  "journal-suspect",
  "journal-moved",
  "journal-damaged",
  "journal-unwritable",
  "other",
];

export function createJournalMeter(shelf: Shelf) {
  const took = shelf.histogram(
    ["pegbot_journal_sync_seconds", "time until records were on disk"],
    { operation: OPERATIONS },
    SYNC_TOOK,
  );
  const failures = shelf.counter(["pegbot_journal_failures_total", "writes to the journal that failed, by code"], {
    code: FAILURES,
  });
  return {
    /** Counts one journal write, successful or failed. */
    wrote(operation: JournalOperation, tookMs: number, failure: string | undefined) {
      if (failure === undefined) took.observe({ operation }, tookMs / 1_000);
      else failures.inc({ code: oneOf(FAILURES, failure) });
    },
  };
}

const CHANNELS = ["webhook", "telegram", "email"] as const;
const NOTICE_OUTCOMES = ["sent", "failed", "dropped"] as const;

export function createNoticeMeter(shelf: Shelf) {
  const notices = shelf.counter(["pegbot_notices_total", "messages to people, by channel and what became of them"], {
    channel: [...CHANNELS, "other"],
    outcome: NOTICE_OUTCOMES,
  });
  return {
    /** `dropped`: beyond the limits of the outbox, or given up after retries. */
    told: (channel: string, outcome: (typeof NOTICE_OUTCOMES)[number]) =>
      notices.inc({ channel: oneOf(CHANNELS, channel), outcome }),
  };
}
