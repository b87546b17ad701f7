// What the tradingCore costs for an approved order (gate, reservation, intent, and the outcome that ends it) and for a quote that
// leads to nothing: synchronous and in memory, as a backtest calls it.

import { createCore } from "../src/bot/core.ts";
import { createTradingCore } from "../src/bot/trading-core/create-trading-core.ts";
import type { Input } from "../src/bot/trading-core/input.ts";
import type { TradingCore } from "../src/bot/trading-core/trading-core.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import { createIds } from "../src/domain/ids.ts";
import type { ClientOrderId } from "../src/domain/order.ts";
import { DEFAULT_SETTINGS } from "../src/execution/parameters.ts";
import { paperLimits } from "../src/risk/paper-limits.ts";
import { isOrder } from "../src/risk/treasury-gate.ts";
import { moment, newEager, openDesk, PAIR, quote } from "../test/bot/trading-core-bench.ts";

const ORDERS = Number(process.argv[2] ?? 50_000);
const QUOTES = 20 * ORDERS;

function newDesk(): TradingCore {
  const off = "off: a benchmark" as const;
  const limits = {
    ...paperLimits,
    depegLossBpsMax: off,
    ordersPerMinuteMax: off,
    ordersPerDayMax: 10_000_000,
    duplicateWindowMs: off,
  };
  const core = createCore(newEager(), {
    limits: { ...limits, offsetWindowMs: off, rejectsMax: off, rejectsPerSymbolMax: off },
    par: new Map([[PAIR as PairSymbol, { bandBps: 50 }]]),
    ids: createIds("T", "bench000"),
    writer: "bench000",
    settings: DEFAULT_SETTINGS,
  });
  const tradingCore = createTradingCore(core, { safePointMs: Number.POSITIVE_INFINITY });
  openDesk(tradingCore);
  return tradingCore;
}

function orders(tradingCore: TradingCore, count: number): number {
  return cpuMs(() => {
    for (let n = 1; n <= count; n++) {
      const now = moment(n * 1_000);
      const [order] = tradingCore.turn([], quote(0.9985, n * 1_000), now).sends;
      if (order === undefined || !isOrder(order)) throw new Error(`order ${n} must be approved`);
      tradingCore.turn([], notSent(order.clientOrderId), now);
    }
  });
}

/** Of this process alone, so that a busy machine does not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function notSent(id: ClientOrderId): Input {
  return { kind: "outcome", id, outcome: { kind: "not-sent", code: "outdated", reason: "too late" } };
}

function quotes(tradingCore: TradingCore, count: number, from: number): number {
  const input = quote(1.001, from);
  const now = moment(from);
  return cpuMs(() => {
    for (let n = 0; n < count; n++) tradingCore.turn([], input, now);
  });
}

const tradingCore = newDesk();
orders(tradingCore, 20_000);
const busy = orders(newDesk(), ORDERS);
const quiet = quotes(tradingCore, QUOTES, 20_000_000);
process.stdout.write(`an order from approval, gate included, to its end  ${((busy * 1_000) / ORDERS).toFixed(1)} µs\n`);
process.stdout.write(
  `a quote that leads to nothing                      ${((quiet * 1_000) / QUOTES).toFixed(3)} µs\n`,
);
