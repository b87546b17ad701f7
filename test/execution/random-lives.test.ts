import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import type { Effects } from "../../src/execution/effects.ts";
import { createExecutor, type Executor } from "../../src/execution/executor.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/parameters.ts";
import { reservationOf } from "../../src/execution/request.ts";
import { resolutionRefusal } from "../../src/execution/request-state.ts";
import { gathered } from "./gathered.ts";
import { fillOf, Keeping } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";
import { Venue } from "./venue.ts";

const LIVES = 40;
const TURNS = 120;
/** Publication takes up to 10 s here, so that 120 s are enough; every third life frees nothing without a person. */
const settingsOf = (seed: number) => {
  return {
    acknowledgedMin: 0,
    releaseBpsMax: seed % 3 === 0 ? 0 : 10_000,
    windowPerDelay: 1,
    escalateAfterMs: 400_000,
  };
};

/** One bot after another on one journal, beside a command now and then. */
class RandomLife {
  readonly venue: Venue;
  readonly #random;
  readonly #settings;
  bot: Keeping;
  /** Processes that have ended; the others live. */
  readonly #gone = new Set<string>();
  #instances = 1;

  constructor(seed: number) {
    this.#random = createRandom(seed);
    this.venue = new Venue(this.#random);
    this.#settings = settingsOf(seed);
    this.bot = new Keeping({ settings: this.#settings }).opened(Money.of("100000", CHF), Money.of("0", VCHF));
  }

  turn(faults = true): void {
    const { bot } = this;
    bot.seconds += this.#random.next() * (this.venue.chance(0.02) ? 300 : 4);
    const choice = this.#random.next();
    const isFree = bot.executor.freeze(bot.now).kind === "none" || this.venue.chance(0.1);
    if (faults && choice < 0.02) this.restart();
    else if (faults && choice < 0.06) this.command();
    else if (faults && choice < 0.34 && isFree) this.order(bot);
    else if (faults && choice < 0.36) this.fail();
    else if (choice < 0.62) this.read("trades");
    else if (choice < 0.76) this.read("orders");
    else if (choice < 0.92) this.read("balances");
    else this.resolve();
    bot.at(bot.seconds);
  }

  restart(): void {
    const before = this.bot;
    const writer = `bot${String(++this.#instances).padStart(5, "0")}`;
    this.bot = new Keeping({ writer, settings: this.#settings, entries: before.entries });
    this.bot.seconds = before.seconds;
    this.bot.nonce = before.nonce;
    this.#gone.add(before.writer);
    this.recover();
  }

  recover(): void {
    this.bot.take((out) => this.bot.executor.recover(this.bot.now, out));
  }

  /** Another process sends one order and ends, or dies before it has heard of it; the bot reads what it wrote. */
  command(): void {
    const writer = `cmd${String(++this.#instances).padStart(5, "0")}`;
    const { bot } = this;
    const command = new Keeping({ writer, settings: this.#settings, entries: bot.entries });
    command.seconds = bot.seconds;
    command.nonce = bot.nonce;
    this.order(command);
    bot.nonce = command.nonce;
    for (const entry of command.entries.slice(bot.entries.length)) bot.hear(entry);
    if (this.venue.chance(0.5)) bot.at(bot.seconds);
    this.#gone.add(writer);
    this.recover();
  }

  order(bot: Keeping): void {
    const { venue } = this;
    const dies = (): void => {
      if (bot === this.bot) this.restart();
    };
    const id = bot.intend();
    const choice = this.#random.next();
    if (choice < 0.05) {
      dies();
      return;
    }
    if (choice < 0.15) {
      bot.take((out) => bot.executor.outcome(id, { kind: "not-sent", code: "stale", reason: "too old" }, bot.now, out));
      return;
    }
    bot.send(id);
    const arrives = venue.chance(0.85);
    if (!arrives) venue.onTheWay.add(id);
    const filled = arrives && venue.arrive(id, bot.seconds);
    if (choice < 0.2) dies();
    else if (!arrives || choice < 0.5) bot.doubt(id, choice < 0.25 && !filled ? "rate-limited" : "timeout");
    else if (filled) bot.fill(id);
    else bot.reject(id);
  }

  read(witness: "trades" | "orders" | "balances"): void {
    const { bot, venue } = this;
    const askedAt = bot.now.mono;
    // What is under way may arrive just before; afterwards it cannot.
    for (const id of [...venue.onTheWay]) if (venue.chance(0.3)) venue.arrive(id, bot.seconds);
    venue.accept();
    const { seconds } = bot;
    bot.seconds += this.#random.next();
    if (witness === "trades") bot.trades(venue.trades(seconds), askedAt);
    else if (witness === "balances") bot.balances(venue.balances(seconds), askedAt);
    else
      bot.orders(
        [...venue.trades(seconds)].map(({ clientOrderId, orderId }) => {
          return { ...NO_ORDER, clientOrderId, orderId, status: "Filled" };
        }),
        askedAt,
      );
  }

  fail(): void {
    this.bot.take((out) =>
      this.bot.executor.unanswered(
        { witness: "trades", askedAt: this.bot.now.mono, code: "timeout" },
        this.bot.now,
        out,
      ),
    );
  }

  /** A person with the venue's own record. */
  resolve(): void {
    const { bot, venue } = this;
    for (const submission of [...bot.executor.open()]) {
      const { id } = submission;
      const kind = venue.landed(id) ? "landed" : "not-landed";
      if (resolutionRefusal(submission, kind) !== undefined) continue;
      const said = { by: "anna", reason: "asked the venue" };
      bot.take((out) =>
        bot.executor.resolve(
          id,
          kind === "landed" ? { kind, receipt: fillOf(id), ...said } : { kind, ...said },
          bot.now,
          out,
        ),
      );
    }
  }
}

const NO_ORDER = { symbol: undefined, side: undefined, quantity: undefined, limit: undefined, at: undefined } as const;

describe("random lives of orders", () => {
  test("a fold of the journal is the living state, after every record of it", () => {
    for (let seed = 1; seed <= LIVES; seed++) {
      const life = new RandomLife(seed);
      let shadow = fresh(seed);
      let folded = 0;
      for (let turn = 0; turn < TURNS; turn++) {
        life.turn();
        for (const entry of life.bot.entries.slice(folded)) shadow.fold(entry);
        folded = life.bot.entries.length;
        expect(pictureOf(shadow, life), `seed ${seed}, turn ${turn}`).toEqual(pictureOf(life.bot.executor, life));
      }
      shadow = fresh(seed);
      for (const entry of life.bot.entries) shadow.fold(entry);
      expect(pictureOf(shadow, life), `seed ${seed}`).toEqual(pictureOf(life.bot.executor, life));
    }
  });

  test("nothing is booked that did not happen, nothing freed that did or still may, and in the end the books are the venue's", () => {
    const reached = new Map<string | undefined, number>();
    for (let seed = 1_001; seed <= 1_000 + LIVES; seed++) {
      const life = new RandomLife(seed);
      for (let turn = 0; turn < TURNS; turn++) {
        life.turn();
        for (const id of idsOf(life)) expectTruth(life, id, `seed ${seed}, turn ${turn}`);
        for (const { id } of life.bot.executor.open())
          reached.set(life.bot.phase(id), (reached.get(life.bot.phase(id)) ?? 0) + 1);
        const halts = life.bot.controls.filter((control) => !/was answered as done/.test(JSON.stringify(control)));
        expect(halts, `seed ${seed}, turn ${turn}`).toEqual([]);
      }
      for (let turn = 0; turn < 2_000 && [...life.bot.executor.open()].length > 0; turn++) life.turn(false);
      const { bot, venue } = life;
      for (const id of idsOf(life)) reached.set(bot.state(id), (reached.get(bot.state(id)) ?? 0) + 1);
      expect([...bot.executor.open()], `seed ${seed}`).toEqual([]);
      expect(bot.accounts.open.size, `seed ${seed}`).toBe(0);
      bot.seconds += 20;
      const { CHF: chf, VCHF: vchf } = venue.balances(bot.seconds);
      expect([bot.accounts.held(CHF)?.toString(), bot.accounts.held(VCHF)?.toString()], `seed ${seed}`).toEqual([
        chf,
        vchf,
      ]);
    }
    // Whatever is said above was said of something.
    for (const kind of ["settled", "rejected", "not-sent", "released", "fenced", "escalated", "confirmed"])
      expect(reached.get(kind) ?? 0, kind).toBeGreaterThan(20);
  });

  test("every prefix of a journal is a state that a start can recover from", () => {
    for (let seed = 2_001; seed <= 2_010; seed++) {
      const life = new RandomLife(seed);
      for (let turn = 0; turn < 60; turn++) life.turn();
      for (let cut = 0; cut <= life.bot.entries.length; cut++) {
        const executor = fresh(seed);
        for (const entry of life.bot.entries.slice(0, cut)) executor.fold(entry);
        const recover = (out: Effects): void => executor.recover(life.bot.now, out);
        const effects = gathered(recover);
        for (const { state } of executor.open())
          expect(["intended", "sending"], `seed ${seed}, cut at ${cut}`).not.toContain(state.kind);
        // Recovering twice is recovering once.
        expect(gathered(recover).records).toEqual([]);
        // What is too old by then is a person's at once.
        expect(effects.records.filter(({ kind }) => kind !== "recovered" && kind !== "resolution")).toEqual([]);
      }
    }
  });
});

function expectTruth(life: RandomLife, id: string, where: string): void {
  const { venue, bot } = life;
  const submission = bot.executor.get(id);
  if (submission === undefined) return;
  const reservation = reservationOf(submission.state);
  if (reservation === "booked") expect(venue.landed(id), `${where}: ${id} is booked`).toBe(true);
  if (reservation === "freed")
    expect(venue.landed(id) || venue.onTheWay.has(id), `${where}: ${id} is ${submission.state.kind}`).toBe(false);
}

function fresh(seed: number): Executor {
  return createExecutor({
    writer: "shadow01",
    settings: { ...DEFAULT_SETTINGS, ...settingsOf(seed) },
    held: () => undefined,
    equity: () => Money.of("20000", CHF),
    feeBpsMax: 0,
  });
}

function idsOf(life: RandomLife): readonly string[] {
  return life.bot.entries.flatMap(({ record }) => (record.kind === "intent" ? [record.id] : []));
}

/** All that must outlive a process: not the clock that began with it, nor the queries it had under way. */
function pictureOf(executor: Executor, life: RandomLife): unknown {
  return {
    all: idsOf(life).map((id) => executor.get(id)),
    open: [...executor.open()].map(({ id }) => id).sort(),
    parameters: executor.parameters(life.bot.now),
    isOpened: executor.isOpened,
  };
}
