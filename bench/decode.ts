// How long the largest acceptable answers take to read: 2 MB, or 50,000 items, whichever comes first. The bound is 50 ms:
// `npm run bench:decode`.

import { millis } from "../src/domain/time.ts";
import { classifyRead } from "../src/exchange/classify.ts";
import { accountBalance } from "../src/exchange/endpoint/account-balance.ts";
import type { ReadEndpoint } from "../src/exchange/endpoint/endpoint.ts";
import { queryOrders } from "../src/exchange/endpoint/query-orders.ts";
import { queryTrades } from "../src/exchange/endpoint/query-trades.ts";
import { presets } from "../src/exchange/profile.ts";
import type { Observation } from "../src/exchange/wire/http-attempt.ts";
import { jsonLimits } from "../src/exchange/wire/json.ts";

const BOUND_MS = 50;
const ROUNDS = 31;

const trade = {
  tradeid: "6fd2a4a6-7d4f-4a3e-9d3b-0f3f6f0c2b11",
  clordid: "T-abcdefgh-1",
  ordid: 9001,
  symbol: "VCHF/CHF",
  side: "Buy",
  bought: "100.12345",
  bought_currency: "VCHF",
  sold: "100.512345",
  sold_currency: "CHF",
  fee: "0.01",
  fee_currency: "CHF",
  status: "Filled",
  timestamp: "2026-11-15T10:00:00.000Z",
};
const order = { clordid: "T-abcdefgh-1", ordid: 9001, ordstatus: "Filled", timestamp: trade.timestamp, note: "" };
const balance = (i: number) => ({ asset: `A${i}`, available: "1234.56789", pending: "0.5" });

measure("trades, as many items as allowed", queryTrades(presets.contract), "trades", () => trade);
measure("orders, as many bytes as allowed", queryOrders(presets.contract), "orders", () => ({
  ...order,
  note: "x".repeat(250),
}));
measure("balances, as many items as allowed", accountBalance, "balances", balance);

function measure(name: string, endpoint: ReadEndpoint<unknown>, list: string, row: (i: number) => object) {
  const rows: object[] = [];
  let bytes = 100;
  let items = 10;
  for (let i = 0; ; i++) {
    const next = row(i);
    bytes += JSON.stringify(next).length + 1;
    items += Object.keys(next).length + 1;
    if (bytes > jsonLimits.bytes || items > jsonLimits.items) break;
    rows.push(next);
  }
  const body = Buffer.from(JSON.stringify({ [list]: rows }));
  const answer = {
    status: 200,
    contentType: undefined,
    body,
    at: undefined,
    receivedAt: millis(0),
    retryAfterMs: undefined,
  };
  const observation: Observation = { kind: "answer", answer };
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    const verdict = classifyRead(observation, endpoint.answer);
    if (verdict.kind !== "read") throw new Error(`${name}: ${verdict.failure.message}`);
    return performance.now() - began;
  }).sort((a, b) => a - b);
  const median = times[ROUNDS >> 1] as number;
  process.stdout.write(
    `${name}: ${rows.length} rows, ${(body.length / 1e6).toFixed(2)} MB, median of ${ROUNDS} ${median.toFixed(1)} ms, best ${(times[0] as number).toFixed(1)} ms, bound ${BOUND_MS} ms\n`,
  );
  if (median > BOUND_MS) process.exitCode = 1;
}
