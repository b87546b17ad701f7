// The running bot as a whole, against the simulated venue in process and on virtual time, with its journal on disk.

import { resolve } from "node:path";
import { defer, of, Subject } from "rxjs";
import { describe, expect, it, onTestFinished } from "vitest";
import { agendaDefaults } from "../../src/bot/agenda.ts";
import { endingReport } from "../../src/cli/bot/ending-report.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { QuoteEvent } from "../../src/domain/event.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import type { Fill } from "../../src/domain/order.ts";
import { err, unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { Exchange, MoneyWant, Outcome, WantClass } from "../../src/exchange/port.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import { FRESH, RESUME } from "../../src/risk/standing.ts";
import { loadStrategyFile } from "../../src/strategy/load-file.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { saveState } from "../../src/strategy/state.ts";
import { journalAt, temporaryPath } from "../journal/place.ts";
import { type InProcess, openInProcess } from "../support/in-process.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { type BotOptions, failing, type RunningBot, startBot, tradesInTurn } from "./bench.ts";

function openWorld(seed = 1): InProcess {
  const world = openInProcess({ seed, funds: { CHF: "100000", VCHF: "100000" } });
  onTestFinished(() => world.close());
  return world;
}

type Options = Omit<BotOptions, "world" | "strategy"> & { readonly strategy?: Strategy };

async function start(world: InProcess, options: Options): Promise<RunningBot> {
  return startBot({ world, strategy: await tradesInTurn(), ...options });
}

async function run(world: InProcess, options: Options, ms: number): Promise<RunningBot> {
  const bot = await start(world, options);
  await world.pass(ms);
  return bot;
}

/** The first order is on its way. */
async function untilSent(world: InProcess, sent: readonly string[]): Promise<void> {
  for (let waited = 0; sent.length === 0 && waited < 30_000; waited += 100) await world.pass(100);
  expect(sent).not.toEqual([]);
}

async function stopped(world: InProcess, bot: RunningBot) {
  bot.stop();
  await world.pass(20_000);
  return bot.ended;
}

function records<K extends JournalRecord["kind"]>(path: string, kind: K): Extract<JournalRecord, { kind: K }>[] {
  const journal = journalAt(path);
  const all = journal.read(0, 1_000_000);
  journal.close();
  if (!all.ok) throw new Error(all.error.message);
  return all.value.flatMap(({ record }) =>
    record.kind === kind ? [record as Extract<JournalRecord, { kind: K }>] : [],
  );
}

/** The venue's own word on what we hold, and the ledger's. */
async function expectAgreement(world: InProcess, bot: RunningBot): Promise<void> {
  const reading = world.exchange.balances({ class: "other" });
  await world.pass(5_000);
  const told = await reading;
  if (told.kind !== "read") throw new Error("the balances must be readable");
  for (const { asset, available, pending } of told.value)
    expect(String(bot.desk.engine.context.accounts.held(asset) ?? "0"), asset).toBe(
      String(pending === undefined ? available : available.plus(pending)),
    );
}

/** The venue with its orders seen on the way, and held back or changed where a test wants it. */
function watched(
  exchange: Exchange,
  addOrder?: (send: () => Promise<Outcome<Fill>>, want: MoneyWant) => Promise<Outcome<Fill>>,
) {
  const sent: string[] = [];
  const classes: string[] = [];
  const noted =
    <A extends unknown[], T>(name: string, call: (...args: A) => T) =>
    (...args: A): T => {
      classes.push(`${name} ${(args.at(-1) as { class: WantClass }).class}`);
      return call(...args);
    };
  const seen: Exchange = {
    ...exchange,
    orders: noted("orders", exchange.orders),
    trades: noted("trades", exchange.trades),
    addOrder(order, want) {
      const send = (): Promise<Outcome<Fill>> =>
        exchange.addOrder(order, {
          ...want,
          lastCheck() {
            const refusal = want.lastCheck();
            if (refusal === undefined) sent.push(order.clientOrderId);
            return refusal;
          },
        });
      return addOrder === undefined ? send() : addOrder(send, want);
    },
  };
  return { exchange: seen, sent, classes };
}

describe("a first start", () => {
  it("reads the venue, journals the opening entry, says so, and trades until it is stopped", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const bot = await run(world, { journal: journalAt(path) }, 60_000);
    const ending = await stopped(world, bot);
    expect(ending).toMatchObject({ kind: "stopped", reason: "the test is over", abandoned: [] });
    expect(bot.phases.map(({ kind }) => kind)).toEqual(["restoring", "reading", "trading", "stopping"]);
    expect(bot.notes[0]).toContain("100000 CHF");
    expect(records(path, "adoption")).toHaveLength(1);
    expect(bot.trace.lines.filter((line) => line.includes(" confirmed #")).length).toBeGreaterThan(5);
    expect(bot.desk.engine.context.books.state).toBe("ACTIVE");
    await expectAgreement(world, bot);
  });

  it("decides nothing before pairs, histories, balances and the quotes of all pairs are known", async () => {
    const world = openWorld();
    const bot = await run(world, { journal: journalAt(temporaryPath()) }, 20_000);
    const seated = bot.turns.findIndex(({ input }) => input.kind === "strategy");
    const quoted = bot.turns
      .slice(0, seated)
      .flatMap(({ input }) => (input.kind === "event" && input.event.kind === "quote" ? [input.event.symbol] : []));
    expect(new Set(quoted)).toEqual(new Set(bot.desk.engine.instruments.keys()));
    const first = bot.turns.findIndex(({ turn }) => turn.sends.length > 0);
    const before = bot.turns
      .slice(0, first)
      .flatMap(({ input }) => (input.kind === "answer" ? [input.answer.witness] : []));
    expect(first).toBeGreaterThan(0);
    expect(new Set(before)).toEqual(new Set(["trades", "orders", "rails", "supply-changes", "balances"]));
    await stopped(world, bot);
  });

  it("waits ten seconds for quotes of a venue that gives none, and goes on without", async () => {
    const world = openWorld();
    const exchange: Exchange = { ...world.exchange, quotes: () => new Promise(() => {}) };
    const bot = await run(world, { journal: journalAt(temporaryPath()), exchange }, 15_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "reading" });
    await world.pass(10_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "trading" });
    await stopped(world, bot);
  });

  it("reads a list of pairs again of which none can be used, says what is wrong, and keeps the list that it had", async () => {
    const world = openWorld();
    let isBad = true;
    let asked = 0;
    const exchange: Exchange = {
      ...world.exchange,
      async pairs(want) {
        asked++;
        const reading = await world.exchange.pairs(want);
        return isBad && reading.kind === "read"
          ? { ...reading, value: [], problems: ["[0].min_order_size must not be negative"] }
          : reading;
      },
    };
    const settings = { agenda: { ...agendaDefaults, pairsMs: 60_000 } };
    const bot = await run(world, { journal: journalAt(temporaryPath()), exchange, settings }, 25_000);
    expect(asked).toBe(3);
    expect(bot.problems[0]).toMatch(/^unusable: pairs: .*\[0\]\.min_order_size must not be negative.*read again/);
    isBad = false;
    await world.pass(30_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "trading" });
    isBad = true;
    await world.pass(70_000);
    expect(bot.problems.length).toBeGreaterThan(3);
    expect(bot.desk.engine.instruments.size).toBeGreaterThan(0);
    await stopped(world, bot);
  });

  it("refuses beside a history that its journal does not know, and names adopt", async () => {
    const world = openWorld();
    await stopped(world, await run(world, { journal: journalAt(temporaryPath()) }, 20_000));
    const path = temporaryPath();
    const other = await run(world, { journal: journalAt(path) }, 20_000);
    const ending = await other.ended;
    expect(ending.kind).toBe("refused");
    expect(ending.reason).toContain("pegbot adopt");
    expect(records(path, "adoption")).toEqual([]);
    expect(records(path, "intent")).toEqual([]);
  });
});

describe("a journal that cannot be written", () => {
  it("is a failure of the machine, not a refusal: whoever watches over the bot begins it again", async () => {
    const world = openWorld();
    const message = "attempt to write a readonly database";
    const journal = Object.assign(journalAt(temporaryPath()), {
      append: async () => err({ code: "journal-unwritable", message } as const),
    });
    const ending = await (await run(world, { journal }, 1_000)).ended;
    expect(ending).toMatchObject({ kind: "failed", reason: message });
    const guard = { standing: () => FRESH };
    expect(() => endingReport(recordedShell(), ending, { failure: () => undefined, journal: "", guard })).toThrow(
      expect.objectContaining({ code: 1, message }),
    );
  });
});

describe("a restart", () => {
  it("beside balances that moved meanwhile is one stop for one cause, with the whole way out", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    await stopped(world, await run(world, { journal }, 15_000));
    journal.close();
    const now = world.clock.now();
    for (const asset of ["VGBP", "GBP"] as Asset[])
      world.venue.credit(world.key, asset, Quantity.of("500"), { venue: now, settlement: now });
    const bot = await run(world, { journal: journalAt(path) }, 30_000);
    expect(bot.desk.engine.context.books.standing).toMatchObject({
      state: "HALTED",
      cause: "balances",
      reason: "the venue's balances differ from the ledger by 500 GBP, 500 VGBP, which no order of ours explains",
      wayOut: `pegbot adopt, then ${RESUME}`,
      also: [],
    });
    await stopped(world, bot);
  });

  it("with a clock a day ahead has the venue's time in its books from the first step on, and trades with a right one later", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const clock = { ...world.clock, now: () => millis(world.clock.now() + 86_400_000) };
    const ahead = await run({ ...world, clock }, { journal: journalAt(path) }, 20_000);
    await stopped(world, ahead);
    expect(Math.max(...records(path, "step").map(({ at }) => at))).toBeLessThanOrEqual(world.clock.now());
    const orders = records(path, "intent").length;
    const right = await run(world, { journal: journalAt(path) }, 20_000);
    expect(records(path, "intent").length).toBeGreaterThan(orders);
    expect(right.warnings).toEqual([]);
    await stopped(world, right);
  });

  it("with a clock a day ahead takes no time from a feed that speaks before the venue has", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const clock = { ...world.clock, now: () => millis(world.clock.now() + 86_400_000) };
    const references$ = defer(() =>
      of<QuoteEvent>({
        ...{ kind: "quote", symbol: "EUR/CHF" as PairSymbol, source: "kraken", at: undefined, receivedAt: clock.now() },
        ...{ bid: 0.95, ask: 0.951, bidSize: undefined, askSize: undefined },
      }),
    );
    const bot = await run({ ...world, clock }, { journal: journalAt(path), references$ }, 20_000);
    expect(bot.desk.engine.now).toBeLessThanOrEqual(world.clock.now());
    expect(bot.warnings).toEqual([]);
    expect(records(path, "intent").length).toBeGreaterThan(0);
    await stopped(world, bot);
  });

  it("over a journal whose time is ahead orders nothing and says so once, with how long and until when", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    await stopped(world, await run(world, { journal }, 10_000));
    const later = journalAt(path);
    const until = millis(world.clock.now() + 3_600_000);
    await later.append([{ kind: "control", at: until, control: { kind: "heartbeat", by: "ops" } }]);
    const orders = records(path, "intent").length;
    const bot = await run(world, { journal: later }, 20_000);
    expect(records(path, "intent")).toHaveLength(orders);
    expect(bot.warnings).toEqual([
      expect.stringMatching(
        /^the journal's time is \d:\d\d:\d\d ahead of the clock: .* nothing is ordered; then it goes on by itself\./,
      ),
    ]);
    expect(bot.warnings[0]).toContain(`Until ${new Date(until).toISOString()} every price counts as old`);
    await stopped(world, bot);
  });

  it("continues from the journal: books, strategy state, and an account that agrees", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const first = await run(world, { journal: journalAt(path) }, 40_000);
    await stopped(world, first);
    const count = (first.desk.engine.strategy.state as { count: number }).count;
    const second = await run(world, { journal: journalAt(path) }, 40_000);
    expect(second.notes).toEqual(["strategy in-turn continues from its last safe point"]);
    expect((second.desk.engine.strategy.state as { count: number }).count).toBeGreaterThan(count);
    await stopped(world, second);
    expect(records(path, "adoption")).toHaveLength(1);
    await expectAgreement(world, second);
  });

  it("after a kill continues from the last safe point: the average goes on where it was recorded", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    const first = await run(world, { journal }, 45_000);
    const { count } = first.desk.engine.strategy.state as { count: number };
    // As good as dead: nothing of it reaches the disk any more, and so nothing leaves.
    first.ended.catch(() => undefined);
    journal.close();
    const saved = records(path, "state").at(-1)?.state as { state: { count: number } };
    expect(saved.state.count).toBeGreaterThan(count - 6);
    const second = startBot({ world, journal: journalAt(path), strategy: await tradesInTurn() });
    for (let waited = 0; second.notes.length === 0 && waited < 30_000; waited += 10) await world.pass(10);
    expect(second.notes).toEqual(["strategy in-turn continues from its last safe point"]);
    expect(saveState(second.desk.engine.strategy.state)).toEqual({ ok: true, value: saved.state });
    await world.pass(10_000);
    expect((second.desk.engine.strategy.state as { count: number }).count).toBeGreaterThan(saved.state.count);
    await stopped(world, second);
    first.stop();
    await world.pass(20_000);
  });

  it("resolves what was sent and not answered before the strategy runs, however late history shows it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const deaf = watched(world.exchange, (send) => send().then(() => new Promise(() => {})));
    const first = await start(world, { journal: journalAt(path), exchange: deaf.exchange });
    await untilSent(world, deaf.sent);
    const ending = await stopped(world, first);
    const [id] = deaf.sent as [string];
    expect(ending.abandoned).toEqual([id]);
    expect(ending.open.map((one) => one.id)).toEqual([id]);
    const from = world.clock.monotonic();
    const late: Exchange = {
      ...world.exchange,
      async trades(want) {
        const reading = await world.exchange.trades(want);
        return reading.kind === "read" && world.clock.monotonic() - from < 30_000 ? { ...reading, value: [] } : reading;
      },
    };
    const second = await run(world, { journal: journalAt(path), exchange: late }, 60_000);
    expect(second.phases).toEqual([
      { kind: "restoring" },
      { kind: "reading" },
      { kind: "resolving", open: 1 },
      { kind: "trading" },
    ]);
    const turnOf = (isIt: (turn: RunningBot["turns"][number]) => boolean) => second.turns.findIndex(isIt);
    const booked = turnOf(({ turn }) =>
      turn.steps.some(({ event }) => event.kind === "report" && event.report.kind === "filled"),
    );
    const seated = turnOf(({ input }) => input.kind === "strategy");
    expect(booked).toBeGreaterThan(0);
    expect(seated).toBeGreaterThan(booked);
    expect(turnOf(({ turn }) => turn.sends.length > 0)).toBeGreaterThan(seated);
    await stopped(world, second);
    await expectAgreement(world, second);
  });
});

describe("a kill", () => {
  it("lets no order out any more, is latched, and what is on its way is verified first of all", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const bot = await run(world, { journal: journalAt(temporaryPath()), exchange: venue.exchange }, 30_000);
    const before = venue.sent.length;
    expect(before).toBeGreaterThan(2);
    bot.control$.next({ kind: "kill", reason: "by hand", by: "test" });
    await world.pass(30_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.latched.at(-1)).toMatchObject({ state: "KILLED", reason: "by hand" });
    expect(venue.classes).toContain("orders kill-check");
    expect(venue.classes).toContain("trades kill-check");
    const { length } = bot.turns;
    await world.pass(15_000);
    expect(bot.turns.length).toBeGreaterThan(length);
    bot.control$.next({ kind: "resume", reason: "looked", by: "test" });
    await world.pass(20_000);
    expect(venue.sent.length).toBeGreaterThan(before);
    await stopped(world, bot);
  });

  it.each([
    ["the journal", false],
    ["its latch", true],
  ])("that a command came to is told once, read first from %s", async (_, isLatchFirst) => {
    const world = openWorld();
    const path = temporaryPath();
    const bot = await run(world, { journal: journalAt(path) }, 15_000);
    const control = {
      kind: "halt",
      cause: "contradiction",
      reason: "the answer to T-9 contradicts itself",
      wayOut: RESUME,
    } as const;
    const at = world.clock.now();
    const event = { kind: "control", control, receivedAt: at } as const;
    const step = { sequence: 1, at, event, decisions: [], commands: [], mark: undefined };
    const command = journalAt(path);
    expect(await command.append([{ kind: "step", at, step }])).toMatchObject({ ok: true });
    command.close();
    if (isLatchFirst) bot.control$.next(control);
    await world.pass(5_000);
    const steps = bot.turns.flatMap(({ turn }) => turn.steps.filter((one) => one.event.kind === "control"));
    expect([bot.controls, steps.length]).toEqual(isLatchFirst ? [[], 1] : [[control], 0]);
    expect(bot.latched.at(-1)).toMatchObject({ state: "HALTED", reason: control.reason });
    await stopped(world, bot);
  });

  it("that another process takes back is told once to whoever watches, as every command does it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const bot = await run(world, { journal: journalAt(path) }, 15_000);
    bot.control$.next({ kind: "kill", reason: "by hand", by: "test" });
    await world.pass(5_000);
    expect(bot.controls).toEqual([]);
    const command = journalAt(path);
    const control = { kind: "resume", reason: "looked", by: "anna" } as const;
    expect(await command.append([{ kind: "control", at: world.clock.now(), control }])).toMatchObject({ ok: true });
    command.close();
    await world.pass(5_000);
    expect(bot.controls).toEqual([control]);
    expect(bot.desk.engine.context.books.state).toBe("ACTIVE");
    await stopped(world, bot);
  });

  it("that is taken back leaves the bot's own halt that came beneath it: latched, journaled, and there after a restart", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const path = temporaryPath();
    const journal = journalAt(path);
    const first = await run(world, { journal, exchange: venue.exchange }, 30_000);
    const before = venue.sent.length;
    first.control$.next({ kind: "kill", reason: "by hand", by: "test" });
    await world.pass(5_000);
    first.control$.next({ kind: "halt", cause: "foreign", reason: "foreign activity", wayOut: "pegbot adopt" });
    await world.pass(5_000);
    expect(first.latched.at(-1)).toMatchObject({
      state: "KILLED",
      also: [{ state: "HALTED", reason: "foreign activity" }],
    });
    await stopped(world, first);
    journal.close();
    const second = await run(world, { journal: journalAt(path), exchange: venue.exchange }, 20_000);
    expect(second.latched[1]).toEqual(first.latched.at(-1));
    second.control$.next({ kind: "resume", reason: "looked", by: "test" });
    await world.pass(20_000);
    expect(second.latched.at(-1)).toMatchObject({ state: "HALTED", reason: "foreign activity", also: [] });
    expect(venue.sent.length).toBe(before);
    second.control$.next({ kind: "resume", reason: "adopted", by: "test" });
    await world.pass(20_000);
    expect(venue.sent.length).toBeGreaterThan(before);
    await stopped(world, second);
  });

  it("that comes while an order waits for its slot drops the order", async () => {
    const world = openWorld();
    let reason: string | undefined;
    const venue = watched(world.exchange, (send) => send());
    const bot = await start(world, {
      journal: journalAt(temporaryPath()),
      exchange: venue.exchange,
      lastCheck: () => reason,
    });
    await world.pass(12_000);
    reason = "KILLED: by file";
    const before = venue.sent.length;
    await world.pass(20_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.desk.engine.context.books.rejects.count).toBe(0);
    await stopped(world, bot);
  });
});

describe("a stop", () => {
  it("waits for the answer of the one order in flight, and journals it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const venue = watched(world.exchange, async (send) => {
      const outcome = await send();
      await new Promise<void>((resolve) => void world.timers.after(3_000, resolve));
      return outcome;
    });
    const bot = await start(world, { journal: journalAt(path), exchange: venue.exchange });
    await untilSent(world, venue.sent);
    const ending = await stopped(world, bot);
    expect(ending.abandoned).toEqual([]);
    expect(records(path, "outcome").map(({ id }) => id)).toEqual(venue.sent);
    expect(records(path, "state").length).toBeGreaterThan(0);
  });

  it("loses no halt that the exit door raises with the last outcome", async () => {
    const world = openWorld();
    const path = temporaryPath();
    // At the door twice, as a second sending would be.
    const addOrder: Exchange["addOrder"] = (order, want) => {
      const lastCheck = (): string | undefined => {
        const refusal = want.lastCheck();
        expect(want.lastCheck()).toContain("RC21");
        return refusal;
      };
      return world.exchange.addOrder(order, { ...want, lastCheck });
    };
    const venue = watched({ ...world.exchange, addOrder }, async (send) => {
      const outcome = await send();
      await new Promise<void>((resolve) => void world.timers.after(3_000, resolve));
      return outcome;
    });
    const bot = await start(world, { journal: journalAt(path), exchange: venue.exchange });
    await untilSent(world, venue.sent);
    const ending = await stopped(world, bot);
    expect(ending.standing).toMatchObject({ state: "HALTED", reason: expect.stringContaining("RC21") });
    expect(records(path, "outcome").map(({ id }) => id)).toEqual(venue.sent);
    const again = await run(world, { journal: journalAt(path) }, 20_000);
    expect((await stopped(world, again)).standing?.state).toBe("HALTED");
  });

  it("ends an order that still waits for its slot as not sent, at once", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const venue = watched(world.exchange);
    const bot = await start(world, { journal: journalAt(path), exchange: venue.exchange });
    const waits = () => bot.turns.some(({ turn }) => turn.sends.length > 0);
    for (let waited = 0; waited < 30_000 && !waits(); waited += 10) await world.pass(10);
    expect(venue.sent).toEqual([]);
    bot.stop();
    await world.pass(100);
    const ending = await bot.ended;
    expect(ending).toMatchObject({ abandoned: [], open: [] });
    expect(records(path, "outcome").map(({ outcome }) => outcome)).toEqual([
      { kind: "not-sent", code: "stopped", reason: "the bot is stopping" },
    ]);
    await world.pass(10_000);
    expect(venue.sent).toEqual([]);
  });

  it("ends within its deadline, whatever the venue does", async () => {
    const world = openWorld();
    const venue = watched(world.exchange, (send) => send().then(() => new Promise(() => {})));
    const bot = await start(world, { journal: journalAt(temporaryPath()), exchange: venue.exchange });
    await untilSent(world, venue.sent);
    const from = world.clock.monotonic();
    bot.stop();
    let took = Number.POSITIVE_INFINITY;
    void bot.ended.then(() => {
      took = world.clock.monotonic() - from;
    });
    await world.pass(20_000);
    expect(took).toBeLessThanOrEqual(5_100);
  });

  it("before the start is complete ends it as well", async () => {
    const world = openWorld();
    const bot = await run(world, { journal: journalAt(temporaryPath()) }, 1_500);
    expect((await stopped(world, bot)).kind).toBe("stopped");
    expect(bot.turns.some(({ turn }) => turn.sends.length > 0)).toBe(false);
  });
});

describe("a strategy", () => {
  it("is replaced at a safe point by another that continues its state", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const strategies$ = new Subject<Strategy>();
    const bot = await run(world, { journal: journalAt(path), strategies$ }, 30_000);
    const before = bot.desk.engine.strategy;
    const { count } = before.state as { count: number };
    strategies$.next(await tradesInTurn());
    await world.pass(10_000);
    expect(bot.desk.engine.strategy).not.toBe(before);
    expect(bot.notes.at(-1)).toBe("strategy in-turn continues from its last safe point");
    expect((bot.desk.engine.strategy.state as { count: number }).count).toBeGreaterThanOrEqual(count);
    strategies$.next(await tradesInTurn({ everyMs: 3_000 }));
    await world.pass(10_000);
    expect(bot.warnings.at(-1)).toMatch(/^strategy in-turn starts fresh .*: everyMs was \d+, is 3000$/);
    await stopped(world, bot);
  });
});

describe("a journal that cannot be written", () => {
  const full = {
    code: "journal-full",
    message: "journal x: disk full; nothing was written: free some disk space",
  } as const;
  const locked = { code: "journal-locked", message: "journal x: locked; end the other one" } as const;

  it("locked: nothing is sent, the input is kept, and everything goes on when it is free again", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const journal = failing(journalAt(temporaryPath()));
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    const before = venue.sent.length;
    journal.fault = { error: locked, when: "before" };
    await world.pass(10_000);
    expect(venue.sent.length).toBeLessThanOrEqual(before + 1);
    expect(bot.phases.at(-1)).toMatchObject({ kind: "unwritable", error: { code: "journal-locked" } });
    const during = venue.sent.length;
    journal.fault = undefined;
    await world.pass(20_000);
    expect(bot.phases.at(-1)).toEqual({ kind: "trading" });
    expect(venue.sent.length).toBeGreaterThan(during);
    expect(bot.desk.engine.context.books.state).toBe("ACTIVE");
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });

  it("full after a decision: nothing is sent, it halts durably, says what to do, and rebuilds itself when there is room", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const journal = failing(journalAt(temporaryPath()));
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    const { desk } = bot;
    const before = venue.sent.length;
    journal.fault = { error: full, when: "after", append: true };
    await world.pass(10_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.latched.at(-1)).toMatchObject({
      state: "HALTED",
      reason: expect.stringContaining("free some disk space"),
    });
    journal.fault = undefined;
    await world.pass(10_000);
    expect(bot.desk).not.toBe(desk);
    expect(bot.desk.engine.context.books.standing).toMatchObject({ state: "HALTED" });
    expect(bot.controls).toEqual([
      {
        kind: "halt",
        cause: "journal",
        subject: "journal-full",
        reason: expect.stringMatching(/^journal-full: /),
        wayOut: RESUME,
      },
    ]);
    expect(venue.sent.length).toBe(before);
    bot.control$.next({ kind: "resume", reason: "room again", by: "test" });
    await world.pass(20_000);
    expect(venue.sent.length).toBeGreaterThan(before);
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });

  it("that may have lost a write: it halts, and the way out begins with a restart", async () => {
    const world = openWorld();
    const venue = watched(world.exchange);
    const journal = failing(journalAt(temporaryPath()));
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    const before = venue.sent.length;
    const message = "what is on disk is not known: start again, which verifies it";
    journal.fault = { error: { code: "journal-suspect", message }, when: "after", append: true };
    await world.pass(10_000);
    expect(venue.sent.length).toBe(before);
    expect(bot.latched.at(-1)).toMatchObject({
      state: "HALTED",
      reason: expect.stringContaining(message),
      wayOut: expect.stringMatching(/^restart the bot, .* pegbot resume/),
    });
    await stopped(world, bot);
  });

  it("full while a person has stopped the bot: the halt is latched beneath the stop, not in its place", async () => {
    const world = openWorld();
    const journal = failing(journalAt(temporaryPath()));
    const bot = await run(world, { journal }, 20_000);
    bot.control$.next({ kind: "kill", reason: "by hand", by: "test" });
    await world.pass(5_000);
    journal.fault = { error: full, when: "after", append: true };
    await world.pass(10_000);
    const both = {
      state: "KILLED",
      reason: "by hand",
      also: [{ state: "HALTED", reason: expect.stringContaining("disk") }],
    };
    expect(bot.latched.at(-1)).toMatchObject(both);
    journal.fault = undefined;
    await world.pass(10_000);
    expect(bot.desk.engine.context.books.standing).toMatchObject(both);
    await stopped(world, bot);
  });

  it("with its reserve spent: it halts, and what happened to the order in flight is still written", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = failing(journalAt(path));
    let orders = 0;
    const venue = watched(world.exchange, async (send) => {
      const outcome = await send();
      orders += 1;
      if (orders === 3) {
        journal.fault = { error: full, when: "before" };
        await new Promise<void>((resolve) => void world.timers.after(2_000, resolve));
      }
      return outcome;
    });
    const bot = await run(world, { journal, exchange: venue.exchange }, 40_000);
    expect(venue.sent).toHaveLength(3);
    expect(bot.desk.engine.context.books.state).toBe("HALTED");
    expect(records(path, "outcome").map(({ id }) => id)).toEqual(venue.sent);
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });

  it("that cannot be announced to keeps the order at home", async () => {
    const world = openWorld();
    const inner = journalAt(temporaryPath());
    const journal = failing(inner);
    let refused = 0;
    journal.announce = () => {
      refused += 1;
      return { ok: false, error: full };
    };
    const venue = watched(world.exchange);
    const bot = await run(world, { journal, exchange: venue.exchange }, 20_000);
    expect(refused).toBeGreaterThan(0);
    expect(venue.sent).toEqual([]);
    expect([...bot.desk.executor.open()]).toEqual([]);
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });
});

describe("a bug", () => {
  it("ends the bot; the halt is latched and journaled, and the next start recovers into it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const journal = journalAt(path);
    const first = await start(world, { journal });
    const failed = expect(first.ended).rejects.toThrow("a made-up bug");
    await world.pass(15_000);
    first.desk.executor.time = () => {
      throw new Error("a made-up bug");
    };
    await world.pass(5_000);
    await failed;
    expect(first.latched.at(-1)).toMatchObject({
      state: "HALTED",
      cause: "bug",
      reason: "stopped by a bug: a made-up bug",
    });
    journal.close();
    const venue = watched(world.exchange);
    const second = await run(world, { journal: journalAt(path), exchange: venue.exchange }, 20_000);
    expect(second.desk.engine.context.books.standing).toMatchObject({ state: "HALTED" });
    expect(venue.sent).toEqual([]);
    await stopped(world, second);
  });
});

describe("another process", () => {
  it("that died between sending and answer is taken over by the running bot, which books its fill", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const dead = new Set<string>();
    const strategy = await tradesInTurn({ everyMs: 3_600_000 });
    const bot = await run(world, { journal: journalAt(path), strategy, isGone: (writer) => dead.has(writer) }, 20_000);
    // A command with the same strategy for a trigger: its order reaches the venue, the answer never reaches it.
    const journal = journalAt(path);
    const venue = watched(world.exchange, (send) => send().then(() => new Promise(() => {})));
    const command = await start(world, { journal, exchange: venue.exchange, isGone: () => false });
    await untilSent(world, venue.sent);
    const [id] = venue.sent as [string];
    await world.pass(2_000);
    expect(bot.desk.executor.get(id)?.state.kind).toBe("sending");
    // Nothing of it is written any more.
    command.stop();
    await world.pass(10_000);
    expect((await command.ended).abandoned).toEqual([id]);
    dead.add(journal.writer);
    await world.pass(30_000);
    expect(bot.desk.executor.get(id)?.state.kind).toMatch(/confirmed|settled/);
    expect(bot.desk.engine.context.books.state).toBe("ACTIVE");
    await stopped(world, bot);
    await expectAgreement(world, bot);
  });

  it("that died over a request keeps the bot's next order from leaving, before the bot's own tick has seen it", async () => {
    const world = openWorld();
    const path = temporaryPath();
    const dead = new Set<string>();
    const seen = watched(world.exchange);
    // Its next tick is far: only what is seen at the slot can hold an order back.
    const options: Options = {
      journal: journalAt(path),
      exchange: seen.exchange,
      strategy: unwrap(await loadStrategyFile(resolve("test/fixture/strategy/restless.ts"), { restMs: 5_000 })),
      isGone: (writer) => dead.has(writer),
      settings: { tickMs: 600_000 },
    };
    const bot = await run(world, options, 20_000);
    const journal = journalAt(path);
    const venue = watched(world.exchange, (send) => send().then(() => new Promise(() => {})));
    const command = await start(world, { journal, exchange: venue.exchange, isGone: () => false });
    await untilSent(world, venue.sent);
    const before = seen.sent.length;
    await world.pass(30_000);
    expect(seen.sent.length).toBeGreaterThan(before);
    command.stop();
    await world.pass(10_000);
    await command.ended;
    dead.add(journal.writer);
    await world.pass(3_000);
    const held = seen.sent.length;
    await world.pass(60_000);
    expect(seen.sent.length).toBe(held);
    const reasons = bot.turns.map(({ input }) =>
      input.kind === "outcome" && "reason" in input.outcome ? input.outcome.reason : "",
    );
    expect(reasons).toContain(
      `the outcome of ${venue.sent[0]} is unknown: its process has just ended, or stands still`,
    );
    await stopped(world, bot);
  });
});
