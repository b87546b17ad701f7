// What watching costs: the tradingCore takes prices and orders as fast as it can, with everything attached that a running bot tells
// (status, metrics, messages, log lines, the page's model and server). Once nobody looks, once a page listens and Prometheus
// scrapes every second, both from another process. Pairs in turn, by the CPU time of this process, so that a busy machine
// does not count. Beside it: what the telling itself costs an input, against a tradingCore that tells nobody.

import { spawn } from "node:child_process";
import { setImmediate as yieldTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "../src/app/system/system-clock.ts";
import { systemTimers } from "../src/app/system/system-timers.ts";
import type { Input } from "../src/bot/trading-core/input.ts";
import type { TradingCore } from "../src/bot/trading-core/trading-core.ts";
import type { Turn } from "../src/bot/trading-core/turn.ts";
import { Quantity } from "../src/domain/money/money.ts";
import { ok } from "../src/domain/result.ts";
import { paperLimits } from "../src/risk/paper-limits.ts";
import { isOrder } from "../src/risk/treasury-gate.ts";
import { createReadModel } from "../src/watch/dashboard/model/read-model.ts";
import { startServer } from "../src/watch/dashboard/server.ts";
import { createMetrics, type Metrics } from "../src/watch/metrics/metrics.ts";
import { createNotices, type Notices } from "../src/watch/notices/notices.ts";
import { createStatusBoard, type StatusBoard } from "../src/watch/status/status-board.ts";
import { logOf } from "../src/watch/step-log.ts";
import { moment, newDesk, openDesk, PAIR, quote } from "../test/bot/trading-core-bench.ts";

const PAIRS = 7;
const LIMIT = 0.9;
/** As it is live: an order is a second, and prices come several times in it. */
const QUOTES_PER_ORDER = 10;
const SLICE = 50;
const ROUND_MS = Number(process.argv[2] ?? 3_000);
const VIEWER = "viewer";
/** Frees what the order reserved, so that the next one is approved as well. */
const NOT_SENT = { kind: "not-sent", code: "outdated", reason: "too late" } as const;

/** Lines of the log are made and counted, and not written. */
let lines = 0;

if (process.argv[2] === VIEWER) await view(process.argv[3] ?? "");
else await compare();

async function compare(): Promise<void> {
  const ratios: number[] = [];
  for (const watchers of [undefined, await openWatch(false)]) {
    await round(watchers, ROUND_MS);
    await watchers?.close();
  }
  for (let pair = 1; pair <= PAIRS; pair++) {
    const bare = await round(undefined, ROUND_MS / 2);
    const { rate: alone } = await measured(false);
    const { rate: watched, seen } = await measured(true);
    ratios.push(watched / alone);
    const rates = `${Math.round(alone)} inputs per CPU second while nobody looks, ${Math.round(watched)} watched`;
    const counting = (1e6 / alone - 1e6 / bare).toFixed(1);
    print(
      `pair ${pair}: ${rates}, ratio ${(watched / alone).toFixed(3)} (${seen}); counting costs ${counting} µs an input`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(PAIRS / 2)] ?? Number.NaN;
  const verdict = median >= LIMIT ? "kept" : "NOT KEPT";
  print(`median of ${PAIRS} pairs ${median.toFixed(3)}, limit ${LIMIT} ${verdict}; ${lines} log lines made`);
}

async function measured(isWatched: boolean): Promise<{ readonly rate: number; readonly seen: string }> {
  const watch = await openWatch(isWatched);
  const rate = await round(watch, ROUND_MS);
  return { rate, seen: await watch.close() };
}

type Watch = {
  readonly attach: (tradingCore: TradingCore) => void;
  readonly told: (turn: Turn, input: Input) => void;
  readonly close: () => Promise<string>;
};

/** Inputs per second of CPU. */
async function round(watch: Watch | undefined, ms: number): Promise<number> {
  const tradingCore = newDesk("watching");
  watch?.attach(tradingCore);
  openDesk(tradingCore);
  let at = 1_000;
  let inputs = 0;
  const take = (input: Input): Turn => {
    const turn = tradingCore.turn([], input, moment(at));
    watch?.told(turn, input);
    inputs++;
    return turn;
  };
  const before = process.cpuUsage();
  const until = systemClock.monotonic() + ms;
  while (systemClock.monotonic() < until) {
    for (let n = 0; n < SLICE; n++) {
      for (let q = 0; q < QUOTES_PER_ORDER; q++) {
        at += 100;
        take(quote(1.0005 + (q % 5) / 1e5, at));
      }
      const turn = take(quote(0.9985, at));
      const [order] = turn.sends;
      if (order === undefined || !isOrder(order)) continue;
      take({ kind: "outcome", id: order.clientOrderId, outcome: NOT_SENT });
    }
    await yieldTurn();
  }
  const { user, system } = process.cpuUsage(before);
  return (inputs * 1e6) / (user + system);
}

/** Everything that a running bot tells, its server, and with `isWatched` a page and a scraper that use it. */
async function openWatch(isWatched: boolean): Promise<Watch> {
  const board = createStatusBoard({
    clock: systemClock,
    journal: { head: () => ok({ sequence: 1, hash: "" }) },
    journalPath: "pegbot.db",
    ledger: () => undefined,
    limits: paperLimits,
    haircuts: { bps: 50, heldBps: 1_000 },
    targets: {},
    version: "bench",
    mode: "paper",
    environment: "paper",
    venue: "none",
  });
  const metrics = createMetrics({
    build: { version: "bench", mode: "paper", environment: "paper" },
    symbols: paperLimits.symbols,
    par: new Set([PAIR as string]),
    feeds: ["venue"],
    currency: paperLimits.currency,
  });
  const pairs = paperLimits.symbols.map((symbol) => ({ symbol, parBandBps: 50 }));
  const model = createReadModel({ boot: "bench", status: board.snapshot, pairs, settlements: () => board.settlements });
  const vitals = { memory: { residentBytes: 0, heapBytes: 0 }, lag: { p50Ms: 0, p99Ms: 0, maxMs: 0 }, journalBytes: 1 };
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    holderOf: () => undefined,
    version: "bench",
    model,
    timers: systemTimers,
    unready: () => [],
    metrics: () => metrics.scrape({ status: board.snapshot(), isReady: true, vitals, now: systemClock.monotonic() }),
    denied: () => undefined,
    trouble: () => undefined,
    halt: () => undefined,
    heartbeat: () => {},
    resume: async () => ({ ok: false, error: "not here" }) as never,
    approve: async () => ({ ok: false, error: "not here" }) as never,
    decline: async () => ({ ok: false, error: "not here" }) as never,
    plans: async () => ok([]),
  });
  const notices = quietNotices();
  const viewer = isWatched ? await openViewer(server.url) : undefined;
  return {
    attach: (tradingCore) => board.watcher.core(tradingCore),
    told: (turn, input) => tell({ board, metrics, notices, model }, turn, input),
    async close() {
      const seen = await viewer?.close();
      await server.close();
      notices.close();
      return seen ?? "";
    },
  };
}

type Watchers = {
  readonly board: StatusBoard;
  readonly metrics: Metrics;
  readonly notices: Notices;
  readonly model: ReturnType<typeof createReadModel>;
};

/** As a running bot tells them; the lines of the log are made and not written. */
function tell({ board, metrics, notices, model }: Watchers, turn: Turn, input: Input): void {
  board.watcher.turn(turn, input);
  for (const record of turn.records) {
    metrics.record(record);
    notices.record(record);
  }
  if (input.kind === "event" && input.event.kind === "quote") metrics.quote(input.event);
  for (const step of turn.steps) {
    board.watcher.step(step);
    model.step(step);
    lines += logOf(step).length;
  }
}

/** Every record is looked at; no fill is large enough to be told. */
function quietNotices(): Notices {
  return createNotices({
    channels: [],
    clock: systemClock,
    timers: systemTimers,
    told: () => {},
    settings: {
      fillValueMin: Quantity.of("1000000"),
      currency: paperLimits.currency,
      summaryMinute: undefined,
      repeatMs: 900_000,
      perHourMax: 30,
      templates: {},
      name: "bench",
    },
  });
}

/** Connected when this resolves; closing it gives back its last line. */
async function openViewer(url: string): Promise<{ close(): Promise<string> }> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), VIEWER, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said = text.trimEnd().split("\n").at(-1) ?? said;
      resolve();
    });
  });
  return {
    async close() {
      child.kill("SIGTERM");
      await new Promise((ended) => child.once("close", ended));
      return said;
    },
  };
}

/** Another process: a page that listens, and a scrape a second. It says what it has seen after each. */
async function view(url: string): Promise<void> {
  let events = 0;
  let bytes = 0;
  let scrapes = 0;
  const stream = await fetch(new URL("stream", url));
  if (!stream.ok || stream.body === null) throw new Error(`the stream answered with ${stream.status}`);
  const scrape = async (): Promise<void> => {
    const answer = await fetch(new URL("metrics", url));
    bytes += (await answer.text()).length;
    scrapes++;
    print(`${events} events, ${scrapes} scrapes, ${Math.round(bytes / 1_000)} kB`);
  };
  await scrape();
  const again = setInterval(() => void scrape().catch(() => clearInterval(again)), 1_000);
  try {
    for await (const chunk of stream.body) {
      events++;
      bytes += chunk.length;
    }
  } catch {
    // the bench has closed its server
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
