// One journal, one instant: whoever shows money shows the same figures. Coins are off par and a currency has moved, so that par, mid
// and the lower of par and bid are three amounts, and trading profit and FX revaluation are two.

import { expect, test } from "vitest";
import { Bookings } from "../../src/bot/bookkeeping/bookings.ts";
import { createCore } from "../../src/bot/core.ts";
import { Engine } from "../../src/bot/engine.ts";
import type { Turn } from "../../src/bot/turn.ts";
import { printStatus } from "../../src/cli/command/status.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { CoinCost } from "../../src/domain/event.ts";
import { createIds } from "../../src/domain/ids.ts";
import { Money, Price } from "../../src/domain/money/money.ts";
import { ok } from "../../src/domain/result.ts";
import type { Step } from "../../src/domain/step.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/parameters.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, z } from "../../src/strategy/strategy.ts";
import { createMetrics } from "../../src/watch/metrics/metrics.ts";
import { createStatusBoard } from "../../src/watch/status/status-board.ts";
import { type Status, statusSchema } from "../../src/watch/status.ts";
import { renderLine } from "../../src/watch/text/screen-line.ts";
import { statusScreen } from "../../src/watch/text/status-screen.ts";
import { announced, filled, moment } from "../bot/trading-core-bench.ts";
import { instrumentOf } from "../support/bench-options.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { KNOWN, quietLook, scraped } from "./look.ts";

const PAIRS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
const LIMITS = {
  ...paperLimits,
  symbols: PAIRS,
  depegLossBpsMax: "off: a test of few assets",
  issuerLossBpsMax: "off: a test of few assets",
  issuerEndBps: 6_000,
  ordersPerMinuteMax: "off: inputs by hand",
  duplicateWindowMs: "off: inputs by hand",
  offsetWindowMs: "off: inputs by hand",
} as const;

type Wish = { readonly side: "buy" | "sell"; readonly limit: number; readonly size: number };

/** A bot by hand: `quote` is the venue's, and its strategy answers with the wish. */
function aBot(openingCosts: readonly CoinCost[] = []) {
  let wish: Wish | undefined;
  const strategy = defineStrategy({
    name: "by-hand",
    params: z.object({}),
    decide({ quote, buy, sell }) {
      if (wish === undefined) return undefined;
      const { side, limit, size } = wish;
      return (side === "buy" ? buy : sell)(quote.symbol, { limit, size, reason: "by hand" });
    },
  });
  const prepared = prepareStrategy(strategy, {});
  if (!prepared.ok) throw new Error(prepared.error);
  const par = new Map(PAIRS.map((symbol) => [symbol, { bandBps: 50 }]));
  const core = createCore(prepared.value, {
    ...{ limits: LIMITS, par, ids: createIds("T", "abcdefgh"), writer: "abcdefgh", settings: DEFAULT_SETTINGS },
    openingCosts,
  });
  const tradingCore = new Engine(core, { safePointMs: 10_000 });
  const steps: Step[] = [];
  let [ms, nonce] = [0, 0];
  const take = (turn: Turn): Turn => {
    for (const { step } of turn.records.filter((record) => record.kind === "step")) steps.push(step);
    return turn;
  };
  const price = (symbol: PairSymbol, bid: number, ask: number, source = "venue") => {
    ms += 1_000;
    const { at: receivedAt } = moment(ms);
    const sizes = { bidSize: undefined, askSize: undefined };
    const event = { kind: "quote", symbol, bid, ask, ...sizes, source, at: undefined, receivedAt } as const;
    return take(tradingCore.process({ kind: "event", event }, moment(ms)));
  };
  return {
    tradingCore,
    steps,
    now: () => moment(ms),
    quote(symbol: PairSymbol, bid: number, ask: number, wanted?: Wish) {
      wish = wanted;
      const turn = price(symbol, bid, ask);
      wish = undefined;
      return turn;
    },
    rate(gbp: number) {
      for (const source of ["a", "b"]) price("GBP/CHF" as PairSymbol, gbp - 0.0001, gbp + 0.0001, source);
    },
    fills(turn: Turn) {
      announced(tradingCore, turn, ++nonce, ms);
      return take(tradingCore.process(filled(turn, nonce), moment(ms)));
    },
    open() {
      const { at } = moment(ms);
      const amounts = OWNED.map(({ available }) => available);
      const history = { until: undefined, ids: [] };
      const adoption = { kind: "adoption", at, amounts, history, reason: "opens", by: "bot" } as const;
      const instruments = PAIRS.map(instrumentOf);
      take(
        tradingCore.process({ kind: "event", event: { kind: "instruments", instruments, receivedAt: at } }, moment(ms)),
      );
      take(tradingCore.process({ kind: "adoption", adoption }, moment(ms)));
    },
    /** With each answer equity is looked at. */
    balances() {
      const { at: receivedAt, mono: askedAt } = moment(ms);
      const answer = { witness: "balances", rows: OWNED, askedAt, receivedAt, nonce: undefined } as const;
      take(tradingCore.process({ kind: "answer", answer }, moment(ms)));
    },
  };
}

type Bot = ReturnType<typeof aBot>;

const OWNED = Object.entries({ CHF: "100000", VCHF: "50000", GBP: "20000", VGBP: "10000" }).map(([asset, amount]) => ({
  asset: asset as Asset,
  available: Money.of(amount, asset as Asset),
  pending: Money.zero(asset as Asset),
}));
const [VCHF_CHF, VGBP_GBP] = PAIRS as [PairSymbol, PairSymbol];

/** Opened at a rate of 1.10; nothing was traded. */
function opened(...costs: readonly CoinCost[]): Bot {
  const bot = aBot(costs);
  bot.open();
  bot.rate(1.1);
  bot.quote(VGBP_GBP, 0.9985, 0.9988);
  bot.quote(VCHF_CHF, 0.999, 0.9992);
  bot.balances();
  return bot;
}

/** It has bought, and sold a part; then pounds rise and both coins fall further below par. The last decisions know it all. */
function traded(): Bot {
  const bot = opened();
  bot.fills(bot.quote(VCHF_CHF, 0.999, 0.9992, { side: "buy", limit: 0.9992, size: 1_000 }));
  bot.fills(bot.quote(VGBP_GBP, 0.9985, 0.9988, { side: "buy", limit: 0.9988, size: 800 }));
  bot.fills(bot.quote(VCHF_CHF, 0.9997, 0.9999, { side: "sell", limit: 0.9997, size: 400 }));
  bot.rate(1.1022);
  const unmet = { side: "buy", limit: 0.5, size: 1_000 } as const;
  bot.quote(VGBP_GBP, 0.997, 0.9976, unmet);
  bot.quote(VCHF_CHF, 0.9968, 0.9974, unmet);
  return bot;
}

function statusOf({ tradingCore, now }: Bot): Status {
  const board = createStatusBoard({
    ...{ clock: { now: () => now().at, monotonic: () => now().mono }, version: "0.1.0", mode: "paper" },
    ...{ environment: "paper", venue: "venue", journal: { head: () => ok({ sequence: 9 } as never) } },
    ...{
      journalPath: "pegbot.db",
      ledger: () => undefined,
      limits: LIMITS,
      haircuts: { bps: 0, heldBps: 0 },
      targets: {},
    },
  });
  board.watcher.core(tradingCore);
  return board.snapshot();
}

/** To the cent, in one order. */
const NAMES = ["equity", "at mid", "at par", "realised", "unrealised", "FX"] as const;

const PATTERNS: Readonly<Record<(typeof NAMES)[number], RegExp>> = {
  equity: /[Ee]quity +(-?[\d,]+\.\d\d)/,
  "at mid": /at mid +(-?[\d,]+\.\d\d)/,
  "at par": /at par +(-?[\d,]+\.\d\d)/,
  // The last of a text: those before are of a day, or since the last message.
  realised: /.*[^n]realised +([+-]?[\d,]+\.\d\d)/s,
  unrealised: /unrealised +([+-]?[\d,]+\.\d\d)/,
  FX: /FX(?: revaluation)? +([+-]?[\d,]+\.\d\d)/,
};

function readIn(text: string): readonly (number | undefined)[] {
  return NAMES.map((name) => {
    const found = PATTERNS[name].exec(text)?.[1];
    return found === undefined ? undefined : Number(found.replaceAll(",", ""));
  });
}

/** As people read amounts: cut after the cent. */
function cents(amount: number | string | Money | undefined): number {
  return Math.trunc(Number(Number(String(amount)).toFixed(8)) * 100) / 100;
}

test("screen, page, status, metrics, and message agree on every figure of one journal at one instant", async () => {
  const bot = traded();
  const status = statusOf(bot);

  const screen = statusScreen(status, undefined, { width: 240, height: 50 });
  const told = statusSchema.parse(JSON.parse(JSON.stringify(status)));
  const shell = recordedShell();
  const process = { pid: 1, since: status.at, folder: "." };
  printStatus(shell.terminal, { ...told, bot: process });
  const metrics = createMetrics(KNOWN);
  const samples = await scraped(metrics, quietLook(status));
  const gauge = (name: string) => samples.get(name);
  const { equity, totals } = told;
  const page = [equity.now, equity.atMid, equity.atPar, totals?.realised, totals?.unrealised, totals?.fx].map(cents);
  const value = (basis: string) => gauge(`pegbot_value{currency="CHF",basis="${basis}"}`);
  const profit = (kind: string) => gauge(`pegbot_profit{currency="CHF",kind="${kind}"}`);
  const gauges = [
    gauge('pegbot_equity{currency="CHF"}'),
    ...[value("mid"), value("par")],
    ...[profit("realised"), profit("unrealised"), profit("fx")],
  ].map(cents);
  const shown = {
    screen: readIn(screen.map((line) => renderLine(line, 240, (_, text) => text)).join("\n")),
    page,
    status: readIn(shell.stdout()),
    metrics: gauges,
  };
  // At par 100000 + 50000 CHF and 30000 GBP at 1.1022, and what trades brought; FX is 30000 * 0.0022.
  expect(page[5]).toBeCloseTo(66, 1);
  expect(page[3]).toBeCloseTo(400 * 0.0005, 1);
  expect(new Set(page).size).toBe(6);
  for (const [who, figures] of Object.entries(shown)) expect([who, figures]).toEqual([who, page]);
  // Limits go by that equity.
  expect(cents(bot.tradingCore.books.pricing.equity())).toBe(page[0]);
});

test("an account without an order shows no trading profit, however prices and rates move", () => {
  const bot = opened();
  bot.rate(1.1022);
  bot.quote(VGBP_GBP, 0.997, 0.9976);
  bot.quote(VCHF_CHF, 0.9968, 0.9974);
  const { totals, equity } = statusOf(bot);
  expect([totals?.realised, totals?.unrealised]).toEqual(["0", "0"]);
  // 30000 * 0.0022
  expect(cents(totals?.fx)).toBe(66);
  // 150000 + 30000 * 1.1022, less 50000 * 0.0032 and 10000 * 0.003 * 1.1022.
  expect([equity.atPar, equity.now].map(cents)).toEqual([183_066, 182_872.93]);
});

test("the stated cost of opening balances counts from the first sale: in realised and unrealised profit, and in the books", () => {
  const bot = opened({ asset: "VCHF" as Asset, price: Price.of("0.9985") });
  const before = statusOf(bot).totals;
  // 50000 at 0.999, which had cost 0.9985; FX has not moved.
  expect([before?.realised, cents(before?.unrealised), cents(before?.fx)]).toEqual(["0", 25, 0]);
  bot.fills(bot.quote(VCHF_CHF, 0.9997, 0.9999, { side: "sell", limit: 0.9997, size: 1_000 }));
  // 1000 * (0.9997 - 0.9985)
  expect(cents(statusOf(bot).totals?.realised)).toBe(1.2);
  const bookings = new Bookings("CHF" as Asset);
  const trades = bot.steps
    .flatMap((step, sequence) => bookings.take({ sequence, record: { kind: "step", at: step.at, step } }))
    .flatMap(({ kind, trade }) => (kind === "trade" && trade !== undefined ? [trade] : []));
  expect(trades.map(({ closed, realised }) => [closed?.cost, realised].map(String))).toEqual([["998.5", "1.2"]]);
});
