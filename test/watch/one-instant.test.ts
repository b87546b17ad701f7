// One journal, one instant: every face shows the same amounts. Coins are off par and a currency has moved, so that par, mid
// and the lower of par and bid are three amounts, and trading profit and FX revaluation are two.

import { expect, test } from "vitest";
import { Bookings } from "../../src/bot/bookkeeping/bookings.ts";
import { createCore } from "../../src/bot/core.ts";
import { Engine } from "../../src/bot/engine.ts";
import type { Turn } from "../../src/bot/turn.ts";
import { BooksLedger } from "../../src/cli/command/journal-books.ts";
import { printStatus } from "../../src/cli/command/status.ts";
import { ComparedOrders, figuresOf } from "../../src/cli/research/compare.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { CoinCost } from "../../src/domain/event.ts";
import { createIds } from "../../src/domain/ids.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { Fill } from "../../src/domain/order.ts";
import { createRandom } from "../../src/domain/random.ts";
import { ok } from "../../src/domain/result.ts";
import { DAY_MS, millis } from "../../src/domain/time.ts";
import type { Nonce, TradeRecord } from "../../src/exchange/port.ts";
import type { Answer } from "../../src/execution/effects.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/parameters.ts";
import { idOf } from "../../src/execution/send.ts";
import type { Entry, JournalRecord } from "../../src/journal/record.ts";
import { status as operation } from "../../src/operation/status.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { defineStrategy, z } from "../../src/strategy/strategy.ts";
import { openHistory } from "../../src/watch/dashboard/history.ts";
import { createPageModel } from "../../src/watch/dashboard/model.ts";
import * as onPage from "../../src/watch/dashboard/page/format.ts";
import { createMetrics } from "../../src/watch/metrics/metrics.ts";
import { createStatusBoard } from "../../src/watch/status/status-board.ts";
import { type Status, statusSchema } from "../../src/watch/status.ts";
import { renderLine } from "../../src/watch/text/screen-line.ts";
import { statusScreen } from "../../src/watch/text/status-screen.ts";
import { summaryLine } from "../../src/watch/text/status-text.ts";
import { announced, filled, moment } from "../bot/trading-core-bench.ts";
import { temporaryFolder } from "../journal/place.ts";
import { instrumentOf } from "../support/bench-options.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { KNOWN, quietLook, scraped } from "./look.ts";

const PAIRS = ["VCHF/CHF", "VGBP/GBP", "USDC/CHF", "VCHF/USDC"] as PairSymbol[];
const LIMITS = {
  ...paperLimits,
  symbols: PAIRS,
  depegLossBpsMax: "off: a test of few assets",
  issuerLossBpsMax: "off: a test of few assets",
  issuerEndBps: 6_000,
  ordersPerMinuteMax: "off: inputs by hand",
  lossesMax: "off: inputs by hand",
  adverseBpsMax: "off: inputs by hand",
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
  const par = new Map(PAIRS.slice(0, 2).map((symbol) => [symbol, { bandBps: 50 }]));
  const started = (writer: string): Engine => {
    const core = createCore(prepared.value, {
      ...{ limits: LIMITS, par, ids: createIds("T", writer), writer, settings: DEFAULT_SETTINGS, openingCosts },
    });
    return new Engine(core, { safePointMs: 10_000 });
  };
  let tradingCore = started("abcdefgh");
  const records: JournalRecord[] = [];
  const trades: TradeRecord[] = [];
  let [ms, nonce] = [0, 0];
  const take = (turn: Turn): Turn => {
    records.push(...turn.records);
    return turn;
  };
  const requests = (asset: string) => `mint-${asset}-${nonce}`;
  const price = (symbol: PairSymbol, bid: number, ask: number, source = "venue") => {
    ms += 1_000;
    const { at: receivedAt } = moment(ms);
    const sizes = { bidSize: undefined, askSize: undefined };
    const event = { kind: "quote", symbol, bid, ask, ...sizes, source, at: undefined, receivedAt } as const;
    return take(tradingCore.process({ kind: "event", event }, moment(ms)));
  };
  return {
    get tradingCore() {
      return tradingCore;
    },
    records,
    now: () => moment(ms),
    pass(more: number) {
      ms += more;
    },
    /** Another process: everything but the journal is gone. */
    restart() {
      tradingCore = started("bcdefghi");
      for (const [index, record] of records.entries())
        tradingCore.fold({ sequence: index + 1, writer: "abcdefgh", record } as Entry);
    },
    mint(asset: string, quantity: string): string {
      const fiat = asset.slice(1) as Asset;
      const amount = Quantity.of(quantity);
      const [spentMax, feeMax] = [amount.of(fiat).plus(Money.of("5", fiat)), Money.of("5", fiat)];
      const mint = { asset: asset as Asset, blockchain: "ETH", quantity: amount, spentMax, feeMax, known: [] };
      const terms = { decidedAt: moment(ms).at, expiresAt: millis(moment(ms).at + 600_000), reason: "by hand" };
      const turn = take(tradingCore.process({ kind: "movement", wish: { kind: "mint", mint, ...terms } }, moment(ms)));
      if (turn.sends[0] === undefined) throw new Error(turn.refusal?.message);
      const id = idOf(turn.sends[0]);
      const sent = { nonce: ++nonce as Nonce, digest: "00", host: "test" };
      records.push(...tradingCore.executor.sending(id, sent, moment(ms)));
      const fee = Money.of("2.49", fiat);
      const value = { requestId: requests(asset), transactionId: undefined, fee, spent: amount.of(fiat).plus(fee) };
      const outcome = { kind: "accepted", value, nonce: nonce as Nonce, receivedAt: moment(ms).at } as const;
      take(tradingCore.process({ kind: "outcome", id, outcome }, moment(ms)));
      return value.requestId;
    },
    /** In the venue's list of mints. */
    listed(asset: string, quantity: string, requestId: string, status: "pending" | "settled") {
      const { at: receivedAt, mono: askedAt } = moment(ms);
      const common = { transactionId: undefined, blockchain: "ETH", status, reason: undefined };
      const row = { ...common, requestId, asset: asset as Asset, quantity: Quantity.of(quantity), at: receivedAt };
      const rows = [row];
      const answer = { witness: "supply-changes", asset: asset as Asset, rows, askedAt, receivedAt, nonce: undefined };
      take(tradingCore.process({ kind: "answer", answer: answer as Answer }, moment(ms)));
    },
    quote(symbol: PairSymbol, bid: number, ask: number, wanted?: Wish) {
      wish = wanted;
      const turn = price(symbol, bid, ask);
      wish = undefined;
      return turn;
    },
    rate(gbp: number, usd = 0.8) {
      for (const source of ["a", "b"]) {
        price("GBP/CHF" as PairSymbol, gbp - 0.0001, gbp + 0.0001, source);
        price("USDC/CHF" as PairSymbol, usd - 0.0001, usd + 0.0001, source);
      }
    },
    fills(turn: Turn) {
      records.push(...announced(tradingCore, turn, ++nonce, ms));
      const fill = filled(turn, nonce);
      if (fill.outcome.kind === "accepted") trades.push({ ...(fill.outcome.value as Fill), status: "Filled" });
      return take(tradingCore.process(fill, moment(ms)));
    },
    /** The venue's history, as it is read after a fill. */
    history() {
      ms += 1_000;
      const { at: receivedAt, mono: askedAt } = moment(ms);
      const answer = { witness: "trades", rows: trades.slice(-20), askedAt, receivedAt, nonce: undefined };
      take(tradingCore.process({ kind: "answer", answer: answer as Answer }, moment(ms)));
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

const OWNED = Object.entries({ CHF: "100000", VCHF: "50000", GBP: "20000", VGBP: "10000", USDC: "0" }).map(
  ([asset, amount]) => ({
    asset: asset as Asset,
    available: Money.of(amount, asset as Asset),
    pending: Money.zero(asset as Asset),
  }),
);
const CHF = "CHF" as Asset;
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

function statusOf(bot: Bot): Status {
  const board = boardOf(bot);
  board.watcher.core(bot.tradingCore);
  return board.snapshot();
}

function boardOf({ now }: Bot) {
  return createStatusBoard({
    ...{ clock: { now: () => now().at, monotonic: () => now().mono }, version: "0.1.0", mode: "paper" },
    ...{ environment: "paper", venue: "venue", journal: { head: () => ok({ sequence: 9 } as never) } },
    ...{
      journalPath: "pegbot.db",
      ledger: () => undefined,
      limits: LIMITS,
      targets: {},
    },
  });
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

function inCents(amount: number | string | Money | undefined): number {
  return Math.trunc(Number((Number(String(amount)) * 100).toFixed(6)));
}

/** As people read amounts: cut after the cent. */
function cents(amount: number | string | Money | undefined): number {
  return inCents(amount) / 100;
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
  const trades = bot.records
    .flatMap((record, sequence) => bookings.take({ sequence, record }))
    .flatMap(({ kind, trade }) => (kind === "trade" && trade !== undefined ? [trade] : []));
  expect(trades.map(({ closed, realised }) => [closed?.cost, realised].map(String))).toEqual([["998.5", "1.2"]]);
});

const OPENED_AT_PAR = ["VCHF", "VGBP"].map((asset) => ({ asset: asset as Asset, price: Price.of("1") }));

/** What a face shows of the day and of the whole, as it stands there. */
const SHOWN = {
  equity: /[Ee]quity +(-?[\d,]+\.\d\d)/,
  today: /today +([+-]?[\d,]+\.\d\d)/,
  trading: /trading ([+-]?[\d,]+\.\d\d)/,
  opening: /opening ([+-]?[\d,]+\.\d\d)/,
  fx: /FX ([+-]?[\d,]+\.\d\d)/,
} as const;
type Figures = Readonly<Record<keyof typeof SHOWN, number>>;

function shownIn(text: string): Figures {
  const read = (pattern: RegExp): number => {
    const found = pattern.exec(text.replaceAll("\u2212", "-"))?.[1];
    return found === undefined ? Number.NaN : Math.round(Number(found.replaceAll(",", "")) * 100);
  };
  return Object.fromEntries(Object.entries(SHOWN).map(([name, pattern]) => [name, read(pattern)])) as never;
}

/** In cents, by each face that shows them. */
async function faces(status: Status, bot: Bot, folder: string): Promise<Readonly<Record<string, Figures>>> {
  const shell = recordedShell();
  printStatus(shell.terminal, { ...status, bot: { pid: 1, since: status.at, folder: "." } });
  const screen = statusScreen(status, undefined, { width: 240, height: 50 });
  const history = openHistory(`${folder}/page`, []);
  const model = createPageModel({
    ...{ boot: "1", pairs: [], history, status: () => status, fills: () => [], settlements: () => [] },
  });
  history.close();
  const { equity: page } = JSON.parse(model.data("1")).status as Status;
  const answer = await operation.act({ model } as never, undefined, { by: "test", token: undefined });
  const { equity: api } = statusSchema.parse(JSON.parse(JSON.stringify(answer.ok && answer.value)));
  const samples = await scraped(createMetrics(KNOWN), quietLook(status));
  const source = (name: string) => inCents(samples.get(`pegbot_day_source{currency="CHF",source="${name}"}`));
  const { realised, opening } = bot.tradingCore.books.counters.shown.day;
  const written = (equity: Status["equity"], amount: typeof onPage.amount, change: typeof onPage.change) =>
    shownIn(
      `equity ${amount(equity.now)} today ${change(equity.today)} trading ${change(equity.sources?.trading)} opening ${change(equity.sources?.opening)} FX ${change(equity.sources?.fx)}`,
    );
  expect(api.realised).toBe(String(realised));
  expect(cents(opening?.plus(Money.of(api.today ?? "0", opening.asset)))).toBe(cents(api.now));
  const metric = {
    equity: inCents(samples.get('pegbot_equity{currency="CHF"}')),
    today: Number.NaN,
    ...{ trading: source("trading"), opening: source("opening"), fx: source("fx") },
  };
  const today = metric.trading + metric.opening + metric.fx;
  return {
    screen: shownIn(screen.map((line) => renderLine(line, 240, (_, text) => text)).join("\n")),
    page: written(page, onPage.amount, onPage.change),
    status: shownIn(shell.stdout()),
    api: written(api, onPage.amount, onPage.change),
    metric: { ...metric, today },
    message: shownIn(summaryLine(status)),
  };
}

test("coins of the opening that lose their peg are no trade's loss, and a sale above their cost is its profit", () => {
  const bot = opened({ asset: "VCHF" as Asset, price: Price.of("1") });
  const board = boardOf(bot);
  board.watcher.core(bot.tradingCore);
  board.snapshot();
  bot.quote(VCHF_CHF, 0.997, 0.9972);
  // 50000 at 0.999, then at 0.997.
  expect(board.snapshot().equity.sources).toEqual({ trading: "0", opening: "-100", fx: "0" });
  bot.fills(bot.quote(VCHF_CHF, 1.001, 1.0012, { side: "sell", limit: 1.001, size: 1_000 }));
  // At par again, and 1000 * 0.001 above it; opened at 0.999.
  expect(board.snapshot().equity.sources).toEqual({ trading: "1", opening: "50", fx: "0" });
});

/** The day by `journal export`, from the records alone. */
function dayReported({ records }: Bot, at: number) {
  const telling = function* () {
    for (const [index, record] of records.entries())
      yield ok({ entry: { sequence: index + 1, hash: "", writer: "abcdefgh", record } });
  };
  const period = { from: millis(Math.floor(at / DAY_MS) * DAY_MS), to: undefined };
  const ledger = new BooksLedger({ telling } as never, CHF, period);
  const { summary } = ledger.read(() => {});
  const { turnover, fees, mintFees, realised } = (summary as { inCurrency: Record<string, string> }).inCurrency;
  return { turnover, fees, mintFees, realised, opening: String(ledger.change().opening?.value) };
}

function dayOf({ equity: { turnover, fees, mintFees, realised } }: Status, { tradingCore }: Bot) {
  return { turnover, fees, mintFees, realised, opening: String(tradingCore.books.counters.shown.day.opening) };
}

function roundTripsIn(fills: ReturnType<typeof boardOf>["fills"]): number {
  const held = new Map<string, number>();
  return fills.filter(({ symbol, side, size }) => {
    const before = held.get(symbol) ?? 0;
    const change = side === "buy" ? Number(size) : -Number(size);
    held.set(symbol, before + change);
    return before * change < 0;
  }).length;
}

/** Each pair by `backtest --compare`, from the records alone; and by the fills of the page, in basis points of the middle. */
function pairsCompared({ records }: Bot, fills: ReturnType<typeof boardOf>["fills"], middles: readonly number[]) {
  const orders = new ComparedOrders();
  for (const record of records) if (record.kind === "step") orders.step(record.step);
  const ended = orders.within({ from: millis(0), to: millis(Number.MAX_SAFE_INTEGER) });
  return PAIRS.map((symbol) => {
    const shown = fills.flatMap((fill, index) =>
      fill.symbol === symbol ? [{ fill, middle: middles[index] ?? 0 }] : [],
    );
    const gains = shown.map(
      ({ fill: { side, bought, sold, size }, middle }) =>
        (side === "buy" ? 1 - Number(sold) / Number(size) / middle : Number(bought) / Number(size) / middle - 1) * 1e4,
    );
    const bps = gains.reduce((sum, one) => sum + one, 0) / gains.length;
    const { orders: count, fillBps } = figuresOf(ended, symbol);
    return [
      [symbol, count, fillBps?.toFixed(6)],
      [symbol, shown.length, gains.length === 0 ? undefined : bps.toFixed(6)],
    ];
  });
}

test.each([1, 2])(
  "at 40 moments of a day (seed %i) with trades, USDC, mints, currency moves, midnight and a restart every face agrees to the cent, and the parts add up",
  async (seed) => {
    const random = createRandom(seed);
    const folder = temporaryFolder();
    const bot = opened(...(seed === 2 ? [] : OPENED_AT_PAR));
    let board = boardOf(bot);
    let history = openHistory(`${folder}/page`, []);
    board.watcher.core(bot.tradingCore);
    const [gbp, usd] = [{ at: 1.1 }, { at: 0.8 }];
    const flying: { asset: string; id: string; until: number }[] = [];
    const STEPS = 240;
    const drawn = new Set<number>();
    while (drawn.size < 40) drawn.add(random.integer(1, STEPS));
    const middles: number[] = [];
    const days = new Set<number>();
    const walk = (rate: { at: number }, by: number) => {
      rate.at = Number((rate.at * (1 + random.normal() * by)).toFixed(4));
    };
    let told = 0;
    const seen = () => {
      for (const record of bot.records.slice(told)) if (record.kind === "step") board.watcher.step(record.step);
      told = bot.records.length;
      const status = board.snapshot();
      history.keepBase(board.day.base);
      return status;
    };
    seen();
    for (let step = 1; step <= STEPS; step++) {
      bot.pass(DAY_MS / STEPS - 8_000);
      walk(gbp, 0.0005);
      walk(usd, 0.0005);
      bot.rate(gbp.at, usd.at);
      const pick = random.integer(0, 7);
      for (const [index, symbol] of PAIRS.entries()) {
        const fair = [1, 1, usd.at, 1 / usd.at][index] as number;
        const mid = fair * (1 + random.normal() * 0.0008);
        const [bid, ask] = [Number((mid * 0.9998).toFixed(4)), Number((mid * 1.0002).toFixed(4))];
        const side = random.next() < 0.5 ? "buy" : "sell";
        const wish = { side, limit: side === "buy" ? ask : bid, size: random.integer(100, 2_000) } as const;
        const turn = bot.quote(symbol, bid, ask, pick === index ? wish : undefined);
        if (turn.sends.length === 0) continue;
        bot.fills(turn);
        bot.history();
        middles.push((bid + ask) / 2);
      }
      if (step % 60 === 20) {
        const asset = step % 120 === 20 ? "VCHF" : "VGBP";
        flying.push({ asset, id: bot.mint(asset, "5000"), until: step + 25 });
      }
      for (const { asset, id, until } of flying)
        if (step <= until) bot.listed(asset, "5000", id, step === until ? "settled" : "pending");
      const status = seen();
      if (step === 150) {
        history.close();
        bot.restart();
        board = boardOf(bot);
        board.watcher.core(bot.tradingCore);
        history = openHistory(`${folder}/page`, []);
        if (history.base !== undefined) board.day.recall(history.base);
        for (const record of bot.records) board.recall(record);
        // The journal has no prices: the first ones bring all figures back.
        expect(seen().equity.sources).toBeUndefined();
        continue;
      }
      days.add(Math.floor(status.at / DAY_MS));
      if (!drawn.has(step)) continue;
      // What the table of fills says was realised is the day's figure, and what the trades of a pair took back is counted.
      const today = board.fills.filter(({ at }) => Math.floor(at / DAY_MS) === Math.floor(status.at / DAY_MS));
      const realised = today.reduce((sum, one) => sum.plus(Money.of(one.realised ?? "0", CHF)), Money.zero(CHF));
      expect([step, today.length, String(realised)]).toEqual([step, status.counts.fills, status.equity.realised]);
      expect([step, roundTripsIn(board.fills)]).toEqual([step, status.totals?.roundTrips]);
      expect([step, dayReported(bot, status.at)]).toEqual([step, dayOf(status, bot)]);
      for (const [compared, shown] of pairsCompared(bot, board.fills, middles))
        expect([step, compared]).toEqual([step, shown]);
      const { screen, ...others } = await faces(status, bot, folder);
      for (const [who, figures] of Object.entries(others)) expect([step, who, figures]).toEqual([step, who, screen]);
      const { today: change = 0, trading = 0, opening = 0, fx = 0 } = screen ?? {};
      expect([step, trading + opening + fx]).toEqual([step, change]);
    }
    history.close();
    expect(middles.length).toBeGreaterThan(30);
    expect(days.size).toBe(2);
    expect(bot.tradingCore.books.accounts.held("USDC" as Asset)?.isZero()).toBe(false);
    expect(bot.tradingCore.books.counters.state).toBe("ACTIVE");
  },
);
