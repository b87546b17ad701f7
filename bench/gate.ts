// Proposals through the whole gate with every rule on, against the engine's own accounts, prices and books with a lived-in
// history: approved and refused, and approved with what the engine then does, while fair value stands and while it moves. A single
// addition of money is measured in the same run, as the yardstick.

import { Accounts } from "../src/books/accounts/accounts.ts";
import type { Books } from "../src/books/books.ts";
import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import { createIds } from "../src/domain/ids.ts";
import { Money, Price, Quantity } from "../src/domain/money/money.ts";
import type { ClientOrderId, Side } from "../src/domain/order.ts";
import type { OrderIntent } from "../src/domain/step.ts";
import { millis } from "../src/domain/time.ts";
import { Pricing } from "../src/market/pricing.ts";
import { Counters } from "../src/risk/counters.ts";
import { createRules } from "../src/risk/create-rules.ts";
import { createGate } from "../src/risk/gate.ts";
import type { Candidate } from "../src/risk/rule.ts";
import { someLimits } from "../test/risk/stage.ts";
import { anInstrument } from "../test/support/instrument.ts";
import { testBooks } from "../test/support/test-books.ts";

const GOAL = 200_000;
const ROUNDS = 9;
const TIMES = 40_000;
const SIZE = 256;
const START = Date.UTC(2026, 2, 2, 12);
const [CHF, VCHF, GBP, VGBP] = ["CHF", "VCHF", "GBP", "VGBP"] as [Asset, Asset, Asset, Asset];
const PAIR = "VCHF/CHF" as PairSymbol;
const instrument = anInstrument({ quantityMin: Quantity.of("0.1") });

const limits = someLimits({
  rampOrders: 1,
  heartbeatMsMax: 900_000,
  ordersPerMinuteMax: 60,
  ordersPerDayMax: 86_400,
  duplicateWindowMs: 60_000,
});
const counters = new Counters(CHF);
const accounts = new Accounts(10);
const books = livedIn();
const { prices: pricing } = books;
const { venue } = pricing.pair(PAIR);
const REFERENCES = pricing.pair(PAIR).references.map((source) => ({ source, bid: source.bid, ask: source.ask }));
/** Fewer than a minute and a day may have. */
const ORDER_EVERY_MS = 1_100;
let ordersSoFar = 0;
const gate = createGate(createRules(limits), CHF, createIds("T", "abcdefgh"));

/** An account with four assets, fresh prices, forty orders of the last minutes, one of them open. */
function livedIn(): Books {
  const pricing = new Pricing({
    par: new Map([
      [PAIR, { bandBps: 50 }],
      ["VGBP/GBP" as PairSymbol, { bandBps: 50 }],
    ]),
    venueAgeMsMax: 5_000,
    referenceAgeMsMax: 5_000,
    sourcesMin: 2,
    disagreementBpsMax: 30,
  });
  const quote = (symbol: string, mid: number, source: string) =>
    pricing.pair(symbol as PairSymbol).observe({
      symbol: symbol as PairSymbol,
      bid: mid - 0.0002,
      ask: mid + 0.0002,
      bidSize: undefined,
      askSize: undefined,
      source,
      at: millis(START + 299_000),
      receivedAt: millis(START + 299_000),
    });
  for (const source of ["venue", "one", "two"]) {
    quote(PAIR, 1.0001, source);
    quote("VGBP/GBP", 0.9999, source);
    quote("GBP/CHF", 1.12, source);
  }
  const amounts = [CHF, VCHF, GBP, VGBP].map((asset) => Money.of("90000", asset));
  accounts.adopt(amounts);
  accounts.tell(amounts.map((available) => ({ asset: available.asset, available, pending: undefined })));
  const at = (ms: number) => millis(START + ms);
  counters.apply({ kind: "control", control: { kind: "heartbeat", by: "bench" }, at: at(0) });
  counters.apply({ kind: "mark", equity: Money.of("380000", CHF), at: at(0) });
  for (let i = 0; i < 40; i++) {
    const intent = anIntent(i);
    counters.apply({ kind: "approved", intent, rate: Price.of("1"), at: at(i * 7_000) });
    accounts.reserve(intent);
    if (i === 39) continue;
    const quantity = intent.quantity.of(VCHF);
    const notional = intent.limit.times(intent.quantity, CHF, "down");
    const [bought, sold] = intent.side === "buy" ? [quantity, notional] : [notional, quantity];
    const { clientOrderId, symbol, side } = intent;
    const fee = Money.zero(CHF);
    const fill = { clientOrderId, orderId: `${i}`, tradeId: `${i}`, symbol, side, bought, sold, fee, at: undefined };
    const report = { kind: "filled", fill, confirmed: true } as const;
    accounts.book(fill);
    counters.apply({
      kind: "report",
      intent,
      clientOrderId,
      report,
      first: true,
      realised: Money.zero(CHF),
      at: at(i * 7_000),
    });
  }
  pricing.moment.next(START + 300_000);
  return testBooks({ accounts, counters, prices: pricing });
}

function anIntent(i: number): OrderIntent {
  const { symbol, side, quantity, limit, reason, decidedAt, expiresAt } = candidate("buy", `${100 + i}`, "0.9990");
  return { clientOrderId: `T-${i}` as ClientOrderId, symbol, side, quantity, limit, reason, decidedAt, expiresAt };
}

function candidate(side: Side, size: string, limit: string): Candidate {
  const [quantity, price] = [Quantity.of(size), Price.of(limit)];
  const [decidedAt, expiresAt] = [millis(START + 299_900), millis(START + 302_900)];
  return { symbol: PAIR, instrument, side, quantity, limit: price, decidedAt, expiresAt, reason: "bench" };
}

const candidates = (side: Side, size: (i: number) => number, limit: (i: number) => number): Candidate[] =>
  Array.from({ length: SIZE }, (_, i) => candidate(side, size(i).toFixed(2), limit(i).toFixed(4)));

const RACES = [
  {
    name: "approved, buy",
    wants: "approved",
    orders: candidates(
      "buy",
      (i) => 500 + i,
      (i) => 0.998 + (i % 20) / 1e4,
    ),
  },
  {
    name: "approved, sell",
    wants: "approved",
    orders: candidates(
      "sell",
      (i) => 500 + i,
      (i) => 1.001 + (i % 20) / 1e4,
    ),
  },
  {
    name: "refused by the last rule",
    wants: "RC14",
    orders: Array.from({ length: SIZE }, (_, i) => candidate("buy", `${135 + (i % 5)}`, "0.9990")),
  },
  {
    name: "refused by the collar",
    wants: "RC07",
    orders: candidates(
      "buy",
      (i) => 500 + i,
      () => 1.0075,
    ),
  },
] as const;

const sink: unknown[] = new Array(SIZE).fill(undefined);

/** In seconds of this thread's processor time: a crowded machine takes turns, but does not make the work more. */
function perSecond(run: (i: number) => unknown, times: number): number {
  const begin = process.threadCpuUsage();
  for (let i = 0; i < times; i++) sink[i & (SIZE - 1)] = run(i);
  const { user, system } = process.threadCpuUsage(begin);
  return (times / (user + system)) * 1e6;
}

function best(run: (i: number) => unknown, times: number): number {
  for (let round = 0; round < 2; round++) perSecond(run, times);
  const rates = Array.from({ length: ROUNDS }, () => perSecond(run, times)).sort((a, b) => a - b);
  return rates[ROUNDS >> 1] as number;
}

/** What fair value does from order to order: a leap is most of what sources may differ by before there is no fair value. */
const MOVES = {
  "": () => 0,
  ", price moves": (i: number) => (i & 15) / 1e6,
  ", price leaps": (i: number) => (i & 1) * 0.0025,
};

/** Each order comes with a quote of its own, which moves fair value or leaves it. */
function quoted(i: number, now: number, move: number): void {
  venue.bid = 0.9998 + (i & 7) / 1e5;
  for (const { source, bid, ask } of REFERENCES) {
    source.bid = bid + move;
    source.ask = ask + move;
  }
  pricing.moment.next(now);
}

/** As in the engine: an approved order reserves and is then reported, so that accounts and books are new for every review. */
function reservedAndReported(i: number): unknown {
  const now = millis(START + 300_000 + ++ordersSoFar * ORDER_EVERY_MS);
  for (const prices of pricing.pairs.values()) {
    prices.venue.since = now;
    for (const reference of prices.references) reference.since = now;
  }
  quoted(i, now, MOVES[", price moves"](i));
  if (ordersSoFar % 500 === 1)
    counters.apply({ kind: "control", control: { kind: "heartbeat", by: "bench" }, at: now });
  const equity = books.pricing.equity();
  if (equity !== undefined && counters.needsMark(equity, now)) books.mark(equity, undefined, now);
  const order = { ...orderAt(RACES[0], i), decidedAt: now, expiresAt: millis(now + 3_000) };
  const verdict = gate.review(order, books);
  if (verdict.kind !== "approved") throw new Error(`order ${ordersSoFar} was refused: ${verdict.refusal.message}`);
  const { clientOrderId } = verdict.intent;
  books.approved(verdict.intent, { rate: books.pricing.rate(CHF) }, now);
  const report = { kind: "not-sent", reason: "bench" } as const;
  return books.take({ kind: "report", clientOrderId, report, receivedAt: now });
}

function orderAt({ orders }: (typeof RACES)[number], i: number): Candidate {
  return orders[i & (SIZE - 1)] as Candidate;
}

/** Whether the goal was met. */
function show(name: string, rate: number, goal: number | undefined): boolean {
  const isMissed = goal !== undefined && rate < goal;
  const figures = [Math.round(rate).toLocaleString("en").padStart(10), (add / rate).toFixed(0).padStart(17)];
  const aim = goal === undefined ? "" : `  goal ${goal.toLocaleString("en")}${isMissed ? " MISSED" : ""}`;
  process.stdout.write(`${name.padEnd(38)} ${figures.join(" ")}${aim}\n`);
  return !isMissed;
}

process.stdout.write(`${"".padEnd(38)}   a second    additions each\n`);
const [a, b] = [Money.of("12.5", CHF), Money.of("12.6", CHF)];
const add = best((i) => (i & 1 ? a.plus(b) : b.plus(a)), TIMES * 10);
let isMet = true;
for (const race of RACES) {
  quoted(0, START + 300_000, 0);
  const first = gate.review(orderAt(race, 0), books);
  const found = first.kind === "approved" ? first.kind : first.refusal.rule;
  if (found !== race.wants) throw new Error(`${race.name} was ${found}: ${JSON.stringify(first)}`);
  for (const [name, moveOf] of Object.entries(MOVES)) {
    const rate = best((i) => {
      quoted(i, START + 300_000, moveOf(i));
      return gate.review(orderAt(race, i), books);
    }, TIMES);
    isMet = show(`${race.name}${name}`, rate, GOAL) && isMet;
  }
}
show("approved, reserved, reported", best(reservedAndReported, TIMES), undefined);
show(
  "rules that look back",
  best(() => gate.monitor(books), TIMES),
  undefined,
);
process.exitCode = isMet ? 0 : 1;
