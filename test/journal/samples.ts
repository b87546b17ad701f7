// One record of every kind, with every optional part once present and once absent.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Control, Event, OrderReport } from "../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { MovementReport } from "../../src/domain/movement.ts";
import type { ClientOrderId, Fill } from "../../src/domain/order.ts";
import type { Decision, OrderIntent, Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import type {
  DefiniteOutcome,
  DoubtRecord,
  FindingRecord,
  JournalRecord,
  Opening,
  ReceiptRecord,
  RequestRecord,
  ResolutionVerdict,
} from "../../src/journal/record.ts";

export const at = millis(1_794_731_400_000);
const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const symbol = "VCHF/CHF" as PairSymbol;
const clientOrderId = "T-k3v9x2qa-17" as ClientOrderId;

export const opening: Opening = {
  kind: "opening",
  at,
  environment: "test",
  account: "0123456789abcdef",
  chainId: "chain-of-the-tests",
  schemaVersion: 1,
  codeVersion: "0.1.0",
};

const fill: Fill = {
  clientOrderId,
  orderId: "O-1",
  tradeId: "9",
  symbol,
  side: "buy",
  bought: Money.of("100", VCHF),
  sold: Money.of("99.98", CHF),
  fee: Money.of("0.000000000000000001", CHF),
  at,
};

const intent: OrderIntent = {
  clientOrderId,
  symbol,
  side: "buy",
  quantity: Quantity.of("100"),
  limit: Price.of("0.9998"),
  reason: 'below "par"\n',
  decidedAt: at,
  expiresAt: millis(at + 3_000),
};

const reports: readonly OrderReport[] = [
  { kind: "sending" },
  { kind: "not-sent", reason: "connection refused" },
  { kind: "rejected", code: "INSUFFICIENT", message: "not enough \u0007 CHF \ud800" },
  { kind: "filled", fill, confirmed: true },
  { kind: "filled", fill: { ...fill, tradeId: undefined, at: undefined }, confirmed: false },
  { kind: "doubt", cause: "timeout" },
  { kind: "escalated", reason: "witnesses disagree" },
  { kind: "dead", reason: "three negatives" },
];

const controls: readonly Control[] = [
  { kind: "kill", reason: "by hand", by: "operator" },
  { kind: "halt", cause: "journal", subject: "journal-full", reason: "journal-full", wayOut: "pegbot resume" },
  { kind: "reduce", cause: "loss", reason: "daily loss", wayOut: "pegbot resume" },
  { kind: "resume", reason: "looked", by: "operator" },
  { kind: "heartbeat", by: "operator" },
];

const [leaves, comes] = [Money.of("500", CHF), Money.of("499.5", VCHF)];
const fee = Money.of("0.5", CHF);
const movements: readonly MovementReport[] = [
  { kind: "reserved", door: "mint", leaves, comes },
  { kind: "reserved", door: "payment", leaves, comes, rail: "r-1", pays: comes },
  { kind: "released", reason: "refused" },
  { kind: "departed", door: "mint", spent: leaves, fee, comes },
  { kind: "departed", door: "payment", spent: leaves, fee, comes, railId: "rail-7" },
  { kind: "departed", door: "payment", spent: Money.zero(CHF), fee: Money.zero(CHF), comes, feeAtArrival: fee },
  { kind: "told", status: "Pending", reason: undefined },
  { kind: "told", status: "Held", reason: "asked for papers" },
  { kind: "doubt", cause: "timeout" },
  { kind: "escalated", reason: "witnesses disagree", wayOut: "pegbot resolve" },
  { kind: "returned", reason: "bounced" },
  { kind: "arrived", at: "account" },
  { kind: "arrived", at: "outside", fee },
  { kind: "arrived", at: "outside", reason: "closed by ann" },
];

const events: readonly Event[] = [
  { kind: "quote", symbol, bid: 0.1 + 0.2, ask: 1e-7, bidSize: 5, askSize: -0, source: "venue", at, receivedAt: at },
  {
    kind: "quote",
    symbol,
    bid: NaN,
    ask: Infinity,
    bidSize: undefined,
    askSize: undefined,
    source: "par",
    at: undefined,
    receivedAt: at,
  },
  { kind: "bar", symbol, open: 1, high: 2, low: 0.5, close: 1.5, volume: undefined, receivedAt: at },
  {
    kind: "balances",
    balances: [
      { asset: CHF, available: Money.of("10", CHF), pending: Money.of("1", CHF) },
      { asset: VCHF, available: Money.of("0", VCHF), pending: undefined },
    ],
    receivedAt: at,
  },
  { kind: "adoption", amounts: [Money.of("-3.5", CHF)], reason: "wire", receivedAt: at, value: Money.of("-3.5", CHF) },
  {
    kind: "instruments",
    instruments: [
      {
        symbol,
        base: VCHF,
        quote: CHF,
        status: "online",
        quantityDecimals: 2,
        priceDecimals: 4,
        quantityMin: Quantity.of("10"),
      },
    ],
    receivedAt: at,
  },
  ...reports.map((report): Event => ({ kind: "report", clientOrderId, report, receivedAt: at })),
  ...movements.map((report): Event => ({ kind: "movement", id: "M-1", report, receivedAt: at })),
  {
    kind: "movement",
    id: "M-1",
    report: { kind: "returned", reason: "" },
    receivedAt: at,
    value: comes,
    feeValue: fee,
  },
  ...controls.map((control): Event => ({ kind: "control", control, receivedAt: at })),
  { kind: "timer", receivedAt: at },
];

const refusal = { rule: "RC07", limit: "1.015", value: "1.02", message: "order is worth 1.02, limit is 1.015" };
const basis = { bid: 0.9997, ask: 0.9998, fair: 1, ageMs: 12.5, rate: Price.of("1") };
const decisions: readonly Decision[] = [
  {
    proposal: { symbol, side: "buy", limit: NaN, size: "NaN", reason: "r", lifetimeMs: undefined },
    basis: { bid: undefined, ask: undefined, fair: undefined, ageMs: undefined, rate: undefined },
    verdict: { kind: "refused", refusal },
  },
  {
    proposal: { symbol, side: "sell", limit: 1.0001, size: 500, reason: "r", lifetimeMs: 1_000 },
    basis,
    verdict: { kind: "approved", intent, capped: [refusal] },
  },
  { proposal: undefined, basis, verdict: { kind: "refused", refusal } },
];

function stepOf(event: Event): Step {
  return {
    sequence: 7,
    at,
    event,
    decisions,
    commands: [
      { kind: "submit", intent },
      { kind: "state", state: "HALTED", cause: "other", reason: "r", wayOut: "w" },
    ],
    mark: Money.of("1000.01", CHF),
  };
}

export const doubt: DoubtRecord = {
  kind: "doubt",
  at,
  id: clientOrderId,
  nonce: 1_794_731_400_123,
  code: "timeout",
  cause: "no answer in 20000 ms",
};

const receipts: readonly ReceiptRecord[] = [
  { kind: "order", fill },
  { kind: "mint", mint: { requestId: "m1", transactionId: "x1", fee: Money.of("1", CHF), spent: Money.of("5", CHF) } },
  { kind: "mint", mint: { requestId: "m1", transactionId: undefined, fee: undefined, spent: undefined } },
  { kind: "rail", rail: { railId: "r1", status: "pending", reason: undefined } },
  { kind: "rail", rail: { railId: "r1", status: "rejected", reason: "name" } },
];

const railRequest = {
  type: "FiatToStablecoin",
  sender: { name: "A", country: "CH", type: "company" },
  destination: "0x1",
  memo: undefined,
  asset: VCHF,
  currency: CHF,
  blockchain: "ETH",
  known: ["a"],
} as const;

const requests: readonly RequestRecord[] = [
  { kind: "order", order: intent },
  {
    kind: "mint",
    mint: {
      asset: VCHF,
      blockchain: "ETH",
      quantity: Quantity.of("100000.37"),
      destination: "0x1",
      spentMax: Money.of("100100.37", CHF),
      feeMax: Money.of("100", CHF),
      known: ["m0"],
    },
    assets: [VCHF, CHF],
  },
  { kind: "rail", rail: railRequest, assets: [VCHF] },
  { kind: "rail", rail: { ...railRequest, type: "StablecoinToFiat", memo: "7" }, assets: [] },
];

const outcomes: readonly DefiniteOutcome[] = [
  ...receipts.map((receipt): DefiniteOutcome => ({ kind: "accepted", receipt })),
  { kind: "rejected", code: "refused", status: 400, venueCode: "INSUFFICIENT", message: "not enough \u0007 CHF" },
  { kind: "rejected", code: "refused", status: undefined, venueCode: undefined, message: "" },
  { kind: "not-sent", code: "connect", reason: "connection refused" },
];

const findings: readonly FindingRecord[] = [
  ...receipts.map((receipt): FindingRecord => ({ kind: "landed", receipt })),
  { kind: "absent" },
  { kind: "silent", reason: "cut off" },
  { kind: "split", reason: "balances moved" },
  { kind: "contradiction", reason: "two trades" },
];

const verdicts: readonly ResolutionVerdict[] = [
  ...receipts.map((receipt): ResolutionVerdict => ({ kind: "landed", receipt })),
  { kind: "released" },
  { kind: "escalated" },
];

export const everyKind: readonly JournalRecord[] = [
  opening,
  { kind: "started", at, codeVersion: "0.1.0", configDigest: "ab12" },
  ...events.map((event): JournalRecord => ({ kind: "step", at, step: stepOf(event) })),
  { kind: "step", at, step: { ...stepOf({ kind: "timer", receivedAt: at }), decisions: [], mark: undefined } },
  ...requests.map((request): JournalRecord => {
    const value = Money.of("99.99", CHF);
    return { kind: "intent", at, id: clientOrderId, request, reserved: [value], value, by: "bot" };
  }),
  {
    kind: "intent",
    at,
    id: clientOrderId,
    request: { kind: "order", order: intent },
    reserved: [],
    value: undefined,
    by: "order",
    why: "wanted by anna: month end",
  },
  { kind: "sending", at, id: clientOrderId, nonce: 1_794_731_400_123, digest: "cd34", host: "127.0.0.1" },
  ...outcomes.map((outcome): JournalRecord => ({ kind: "outcome", at, id: clientOrderId, outcome })),
  doubt,
  { kind: "fenced", at, id: clientOrderId, nonce: 2 },
  ...findings.map((finding): JournalRecord => ({ kind: "evidence", at, id: clientOrderId, round: 1, finding })),
  ...verdicts.map((verdict): JournalRecord => {
    return { kind: "resolution", at, id: clientOrderId, verdict, reason: "rule", by: "bot" };
  }),
  { kind: "recovered", at, id: clientOrderId },
  { kind: "settled", at, id: clientOrderId },
  {
    kind: "adoption",
    at,
    amounts: [Money.of("-1", CHF), Money.of("2", VCHF)],
    history: { until: at, ids: ["rail:r1"] },
    reason: "wire",
    by: "anna",
  },
  { kind: "adoption", at, amounts: [], history: { until: undefined, ids: [] }, reason: "opening", by: "bot" },
  { kind: "plan", at, id: "R-1", digest: "ab", content: "{}", expiresAt: at, persons: 2, by: "bot" },
  {
    ...{ kind: "plan", at, id: "R-2", digest: "cd", content: "{}", expiresAt: at, persons: 0, by: "bot" },
    why: "VCHF has 87999, its band is 400000 to any",
  },
  { kind: "approval", at, id: "R-1", digest: "ab", by: "anna" },
  { kind: "approval", at, id: "R-1", digest: "ab", by: "ben" },
  { kind: "plan-progress", at, id: "R-1", state: "begun", text: "2 steps" },
  { kind: "plan-progress", at, id: "R-1", state: "expired", text: "it was not begun: the bot is HALTED" },
  { kind: "plan-progress", at, id: "R-1", state: "withdrawn", text: "it is no longer needed" },
  { kind: "plan-progress", at, id: "R-1", state: "stopped", text: "0 of 2", refusal: { unmoved: 2, why: "RM04" } },
  { kind: "plan-progress", at, id: "R-1", state: "paused", text: "pause by anna: month end", by: "anna" },
  { kind: "plan-progress", at, id: "R-1", state: "resumed", text: "resume by anna: month end", by: "anna" },
  { kind: "plan-progress", at, id: "R-1", state: "finished", text: "finish by anna: month end", by: "anna" },
  {
    ...{ kind: "plan-progress", at, id: "R-1", state: "sent", text: "buy VCHF/CHF" },
    move: {
      ...{ request: clientOrderId, route: "buy VCHF/CHF", takes: "999.5 CHF", brings: "1000 VCHF" },
      ...{ value: Money.of("999.5", CHF), lost: Money.of("-0.5", CHF) },
      ...{ route: "sell VCHF/CHF", shown: "0.9994", fee: "1.2 CHF" },
    },
  },
  { kind: "plan-progress", at, id: "R-1", state: "declined", text: "too dear", by: "ben" },
  {
    ...{ kind: "plan-progress", at, id: "R-1", state: "stopped", text: "0 of 2" },
    refusal: { unmoved: 2, why: "the bot is HALTED", isStop: true },
  },
  { kind: "rails", at, state: "seen", whitelist: ["VCHF ETH 0x1 Treasury Confirmed"], reason: "first seen", by: "bot" },
  { kind: "rails", at, state: "frozen", whitelist: undefined, reason: "payment p1 is of 9 CHF", by: "bot" },
  { kind: "state", at, strategy: "peg-arbitrage", state: { average: { $: "ema", is: [1.5, null] } } },
  { kind: "state", at, strategy: "peg-arbitrage", state: { params: {} }, outdated: "trades were taken over" },
  { kind: "difference", at, asset: CHF, amount: Money.of("0.01", CHF) },
  { kind: "difference", at, asset: CHF, amount: undefined },
  { kind: "fresh-start", at, strategy: "x", text: "strategy x starts fresh" },
  ...controls.map((control): JournalRecord => ({ kind: "control", at, control })),
];
