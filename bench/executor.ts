// Whole lives of orders through the executor: intent, sending, answer, confirmation by a page of history, balances now and
// then. No text is written. As the yardstick the same number of orders goes into a bare Map and out again.

import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import { Money, Price, Quantity } from "../src/domain/money/money.ts";
import type { ClientOrderId } from "../src/domain/order.ts";
import { millis, mono } from "../src/domain/time.ts";
import type { Nonce, TradeRecord } from "../src/exchange/port.ts";
import type { Effects } from "../src/execution/effects.ts";
import { createExecutor } from "../src/execution/executor.ts";
import { DEFAULT_SETTINGS } from "../src/execution/parameters.ts";
import type { Moment } from "../src/execution/request.ts";
import type { Approved } from "../src/risk/gate.ts";

/** Less than 5 microseconds for a life. */
const GOAL = 200_000;
const ROUNDS = 7;
const ORDERS = 62_000;
/** Rows of history in an answer, and orders between two looks at the balances. */
const PAGE = 20;
const BALANCES_EVERY = 10;
const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;

const orders = Array.from({ length: ORDERS }, (_, n) => orderOf(n));
const trades = orders.map(tradeOf);
const pages = trades.map((_, n) => trades.slice(Math.max(0, n + 1 - PAGE), n + 1));

const rates: number[] = [];
const bare: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  bare.push(measured(mapLoop));
  rates.push(measured(lives));
}
const best = Math.max(...rates);
const yardstick = Math.max(...bare);
process.stdout.write(`orders/s through the executor  ${Math.round(best).toLocaleString("en")}\n`);
process.stdout.write(`microseconds an order          ${(1_000_000 / best).toFixed(2)}\n`);
process.stdout.write(`orders/s through a bare Map    ${Math.round(yardstick).toLocaleString("en")}\n`);
process.stdout.write(`ratio                          ${(yardstick / best).toFixed(1)}\n`);
if (best < GOAL) process.stdout.write(`missed: the executor must take ${GOAL} orders/s\n`);
process.exitCode = best < GOAL ? 1 : 0;

function lives(): void {
  let chf = Money.of("100000000", CHF);
  let vchf = Money.zero(VCHF);
  const executor = createExecutor({
    writer: "benchbench",
    settings: DEFAULT_SETTINGS,
    held: (asset) => (asset === CHF ? chf : vchf),
    equity: () => chf,
    feeBpsMax: 10,
  });
  const history = { until: undefined, ids: [] };
  const opening = { at: millis(0), amounts: [chf, vchf], history, reason: "opening", by: "bench" };
  let records = 0;
  const out: Effects = { record: () => void records++, rails() {}, tell() {}, ask() {} };
  executor.adopt({ kind: "adoption", ...opening }, momentOf(0), out);
  for (let n = 0; n < ORDERS; n++) {
    const order = orders[n] as Approved;
    const trade = trades[n] as TradeRecord;
    const id = order.clientOrderId;
    const nonce = (2 * n + 1) as Nonce;
    const now = momentOf(n);
    executor.intend(order, trade.sold, now, out);
    records += executor.sending(id, { nonce, digest: "d", host: "h" }, now).length;
    const value = { ...trade, clientOrderId: id, tradeId: undefined };
    executor.outcome(id, { kind: "accepted", value, nonce, receivedAt: now.at }, now, out);
    chf = chf.minus(trade.sold);
    vchf = vchf.plus(trade.bought);
    const asked = { askedAt: now.mono, receivedAt: now.at, nonce: (2 * n + 2) as Nonce };
    executor.answered({ witness: "trades", rows: pages[n] ?? [], ...asked }, now, out);
    if (n % BALANCES_EVERY !== 0) continue;
    const rows = [chf, vchf].map((available) => ({
      asset: available.asset,
      available,
      pending: Money.zero(available.asset),
    }));
    executor.answered({ witness: "balances", rows, ...asked }, now, out);
  }
  // The opening; intent, sending, outcome and evidence of every order; settled of those that balances were read after.
  const expected = 1 + 4 * ORDERS + (Math.floor((ORDERS - 1) / BALANCES_EVERY) * BALANCES_EVERY + 1);
  if (records !== expected) throw new Error(`records must be ${expected}, were ${records}`);
}

function mapLoop(): void {
  const open = new Map<string, Approved>();
  let done = 0;
  for (const order of orders) {
    open.set(order.clientOrderId, order);
    if (open.get(order.clientOrderId) === order && open.delete(order.clientOrderId)) done++;
  }
  if (done !== ORDERS) throw new Error("every order must end");
}

function measured(run: () => void): number {
  // Processor time, not the clock: a busy machine shall not change the figure much.
  const began = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(began);
  return (ORDERS / (user + system)) * 1_000_000;
}

function momentOf(n: number): Moment {
  return { at: millis(n * 2_000), mono: mono(n * 2_000) };
}

function orderOf(n: number): Approved {
  return {
    clientOrderId: `T-benchbench-${n + 1}` as ClientOrderId,
    symbol: "VCHF/CHF" as PairSymbol,
    side: "buy",
    quantity: Quantity.ofSteps(10_000 + (n % 100), 2),
    limit: Price.of("1.001"),
    reason: "bench",
    decidedAt: millis(n * 2_000),
    expiresAt: millis(n * 2_000 + 3_000),
  } as Approved;
}

function tradeOf(order: Approved, n: number): TradeRecord {
  return {
    clientOrderId: order.clientOrderId,
    orderId: `o${n}`,
    tradeId: `t${n}`,
    symbol: order.symbol,
    side: "buy",
    bought: order.quantity.of(VCHF),
    sold: order.quantity.of(CHF),
    fee: Money.zero(CHF),
    at: undefined,
    status: undefined,
  };
}
