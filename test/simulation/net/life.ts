// One life: an hour of virtual time in a world of one kind, drawn from its seed, then peace until everything has settled. It
// is judged by the truth, which only the venue knows: who halted the bot, when a theft was noticed, what the books say.

import type { Accounts } from "../../../src/books/accounts/accounts.ts";
import type { Engine } from "../../../src/bot/engine.ts";
import { LineClosed } from "../../../src/bot/operation-line.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { millis } from "../../../src/domain/time.ts";
import type { SupplyChange } from "../../../src/exchange/port.ts";
import { isEscalated } from "../../../src/execution/request.ts";
import { isUncosted } from "../../../src/execution/request-state.ts";
import type { View } from "../../../src/strategy/view.ts";
import { feeOf, type Kind, MINT_FEE_BPS_MAX } from "./kinds.ts";
import { CHF, PAIR, VCHF } from "./venue.ts";
import { type Command, NetWorld, type Weaken } from "./world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PEACE_MIN = 8;
const PEACE_MAX = 40;

export type Theft = {
  readonly amount: Money;
  /** In running time of the bot. */
  readonly at: number;
  /** Wall time. */
  readonly wallAt: number;
  /** Running time until the bot halted; undefined where it was halted already, or never did. */
  seenAfterMs: number | undefined;
  /** A person has taken it over. */
  isAdopted: boolean;
};

export type LifeResult = {
  readonly kind: string;
  readonly seed: number;
  readonly thefts: readonly Theft[];
  readonly halts: number;
  /** Reasons of halts while nothing had been stolen. */
  readonly falseHalts: readonly string[];
  /** Where the books are not the truth at the end, or something is not over. */
  readonly wrong: readonly string[];
  readonly frozenMs: number;
  /** Of running time: what the bot was neither starting nor halted in. */
  readonly activeMs: number;
  readonly fills: number;
  readonly trace: readonly string[];
  /** Of the journal: the same for the same life. */
  readonly head: string;
};

/** `weaken` takes a protection away, to see that the net notices. */
export function runLife(kind: Kind, seed: number, weaken?: Weaken): Promise<LifeResult> {
  return new NetLife(kind, seed, weaken).run();
}

class NetLife {
  readonly #kind: Kind;
  readonly #seed: number;
  readonly #random: Random;
  readonly #world: NetWorld;
  readonly #thefts: Theft[] = [];
  readonly #falseHalts: string[] = [];
  readonly #trace: string[] = [];
  readonly #rails = new Map<"in" | "out", string>();
  #halts = 0;
  #runningMs = 0;
  #frozenMs = 0;
  #activeMs = 0;
  #frozen: string | undefined;
  #isHalted = false;
  #isResting = false;
  #isPersonBusy = false;
  #beginsAt = 0;
  /** Steals as soon as something else has moved a balance. */
  #thief: (() => void) | undefined;

  constructor(kind: Kind, seed: number, weaken: Weaken | undefined) {
    this.#kind = kind;
    this.#seed = seed;
    this.#random = createRandom(seed).fork(kind.name);
    const orders = this.#random.fork("orders");
    const strategy = { name: "net", decide: (view: View) => this.#decide(view, orders) };
    this.#world = new NetWorld(kind, this.#random, strategy, weaken);
    this.#world.onNote = (text) => this.#note(`bot: ${text}`);
    this.#world.onEvent = (event) => {
      if (event.kind === "report") this.#note(`bot: ${event.clientOrderId} ${event.report.kind}`);
      if (event.kind === "movement") this.#note(`bot: ${event.id} ${event.report.kind}`);
    };
  }

  async run(): Promise<LifeResult> {
    const world = this.#world;
    world.begin();
    for (let second = 0; second < 120 && !world.isTrading; second++) await world.pass(SECOND);
    if (!world.isTrading) throw new Error("the bot did not begin to trade", { cause: world.bugs[0] });
    this.#beginsAt = world.clock.monotonic();
    if (this.#kind.payments > 0) await this.#register();
    this.#sample();
    void this.#resolver();
    this.#schedule();
    await this.#pass(HOUR);
    await this.#peace();
    return {
      kind: this.#kind.name,
      seed: this.#seed,
      thefts: this.#thefts,
      halts: this.#halts,
      falseHalts: this.#falseHalts,
      wrong: this.#wrong(),
      frozenMs: this.#frozenMs,
      activeMs: this.#activeMs,
      fills: world.venue.trades(world.clock.now()).length,
      trace: this.#trace,
      head: world.journal.entries.at(-1)?.hash ?? "",
    };
  }

  /** In steps, so that commands and the person have their turns. */
  async #pass(ms: number): Promise<void> {
    const until = this.#world.clock.monotonic() + ms;
    while (this.#world.clock.monotonic() < until && this.#world.bugs.length === 0)
      await this.#world.pass(Math.min(10 * MINUTE, until - this.#world.clock.monotonic()));
  }

  #decide({ quote, buy, sell }: View, random: Random): unknown {
    const isDue = random.next() < this.#kind.orders / 360;
    if (this.#isResting || !isDue || quote === undefined) return undefined;
    const size = random.integer(100, 500_000) / 100;
    const reason = "drawn";
    return random.next() < 0.5
      ? buy(PAIR, { limit: quote.ask * 1.0002, size, reason })
      : sell(PAIR, { limit: quote.bid * 0.9998, size, reason });
  }

  #schedule(): void {
    const { payments, mints, commands, restarts } = this.#kind;
    const random = this.#random.fork("schedule");
    const count = payments >= 10 ? payments : payments === 0 ? 0 : random.integer(1, Math.floor(payments));
    const moments: number[] = [];
    for (let i = 0; i < count; i++) {
      const begin = random.integer(MINUTE, 52 * MINUTE);
      // Some are listed only when they have come.
      const end = begin + (random.next() < 0.3 ? 0 : random.integer(20 * SECOND, 15 * MINUTE));
      moments.push(begin, end);
      this.#pay(begin, end - begin, random.fork(`payment ${i}`));
    }
    for (let i = 0; i < mints; i++) {
      const at = random.integer(MINUTE, 55 * MINUTE);
      moments.push(at);
      this.#at(at, () => void this.#mint(random.fork(`mint ${i}`), false).catch(unlessClosed(undefined)));
    }
    for (let i = 0; i < commands; i++) {
      const own = random.fork(`command ${i}`);
      const isKilled = own.next() < 0.34;
      const at = random.integer(MINUTE, 55 * MINUTE);
      moments.push(at);
      this.#at(
        at,
        () =>
          void (own.next() < 0.7 ? this.#order(own, isKilled) : this.#mint(own, isKilled)).catch(
            unlessClosed(undefined),
          ),
      );
    }
    for (let i = 0; i < restarts; i++) {
      const own = random.fork(`restart ${i}`);
      this.#at(random.integer(MINUTE, 58 * MINUTE), () => this.#restart(own));
    }
    const settling = random.fork("settling");
    this.#world.venue.onMint = (id) => this.#settleLater(id, settling);
    this.#plan(random.fork("thief"), moments);
  }

  #at(ms: number, run: () => void): void {
    this.#world.after(ms, run);
  }

  async #register(): Promise<void> {
    const world = this.#world;
    const command = world.command("rail");
    const party = { name: "Zürich Handels AG", country: "CH", type: "company" };
    for (const way of ["in", "out"] as const) {
      const at = world.clock.now();
      const rail = {
        type: way === "in" ? ("FiatToStablecoin" as const) : ("StablecoinToFiat" as const),
        sender: party,
        destination: way === "in" ? "0x1" : "CH9300762011623852957",
        memo: undefined,
        asset: VCHF,
        currency: CHF,
        blockchain: "ETH",
        known: world.venue.rails(at).map(({ railId }) => railId),
        ...(way === "in" ? { toAccount: true } : {}),
      };
      const wish = {
        kind: "rail",
        rail,
        isAnother: false,
        decidedAt: at,
        expiresAt: millis(at + MINUTE),
        reason: "net",
      } as const;
      const sent = command.take({ kind: "movement", wish });
      await this.#world.pass(15 * SECOND);
      await sent;
      const registered = world.venue.rails(world.clock.now()).at(-1);
      if (registered === undefined) throw new Error("the rail was not registered");
      this.#rails.set(way, registered.railId);
    }
  }

  #pay(inMs: number, lastsMs: number, random: Random): void {
    const way = random.next() < 0.6 ? "in" : "out";
    const hundredths = random.integer(100_000, way === "in" ? 20_000_000 : 5_000_000);
    const amount = Money.ofSteps(hundredths, 2, VCHF);
    this.#at(inMs, () => {
      const { venue } = this.#world;
      if (way === "out" && !amount.atMost(venue.total(VCHF))) return;
      const railId = this.#rails.get(way) as string;
      const id = venue.pay(railId, way, amount, feeOf(amount), this.#kind.fees === "row");
      this.#note(`payment ${id} ${way}: ${amount}, fee ${feeOf(amount)}`);
      const end = (): void => {
        venue.end(id);
        this.#note(
          `payment ${id} is ${venue.payments(this.#world.clock.now()).find((one) => one.paymentId === id)?.status}`,
        );
      };
      if (lastsMs === 0) end();
      else this.#at(lastsMs, end);
    });
  }

  async #order(random: Random, isKilled: boolean): Promise<void> {
    const command = this.#command(random, isKilled, "order");
    const { clock } = this.#world;
    const pairs = await command.exchange.pairs({ class: "other" });
    if (pairs.kind !== "read") return;
    await command.take({
      kind: "event",
      event: { kind: "instruments", instruments: pairs.value, receivedAt: clock.now() },
    });
    const balances = await command.ask("balances");
    if (balances !== undefined) await command.take({ kind: "answer", answer: balances });
    const quotes = await command.exchange.quotes({ class: "other" });
    const quote = quotes.kind === "read" ? quotes.value[0] : undefined;
    if (quote === undefined) return;
    const side = random.next() < 0.5 ? "buy" : "sell";
    const price = side === "buy" ? quote.ask * 1.0002 : quote.bid * 0.9998;
    const quantity = (random.integer(100, 500_000) / 100).toFixed(2);
    await command.take({ kind: "event", event: { kind: "quote", ...quote } });
    const proposal = {
      symbol: PAIR,
      side,
      limit: Number(price.toFixed(6)),
      size: quantity,
      reason: "by hand",
    } as const;
    await command.take({ kind: "order", proposal: { ...proposal, lifetimeMs: undefined } });
  }

  async #mint(random: Random, isKilled: boolean): Promise<void> {
    const command = this.#command(random, isKilled, "mint");
    const { clock } = this.#world;
    const list = await command.ask("supply-changes");
    const balances = await command.ask("balances");
    if (list === undefined || balances === undefined) return;
    await command.take({ kind: "answer", answer: list });
    await command.take({ kind: "answer", answer: balances });
    const known = (list.rows as readonly SupplyChange[]).map(({ requestId }) => requestId as string);
    const hundredths = random.integer(100_000, 5_000_000);
    const quantity = Quantity.ofSteps(hundredths, 2);
    const feeMax = quantity.of(CHF).share(this.#kind.mintFeeBps === 0 ? 0 : MINT_FEE_BPS_MAX, "up");
    const mint = { asset: VCHF, blockchain: "ETH", quantity, spentMax: quantity.of(CHF).plus(feeMax), feeMax, known };
    const at = clock.now();
    const wish = { kind: "mint", mint, decidedAt: at, expiresAt: millis(at + MINUTE), reason: "by hand" } as const;
    const turn = await command.take({ kind: "movement", wish });
    if (turn.refusal !== undefined) this.#note(`mint refused: ${turn.refusal.message}`);
  }

  /** After minutes, or not within this life. */
  #settleLater(id: string, random: Random): void {
    const { venue } = this.#world;
    if (random.next() < 0.25) return;
    this.#at(random.integer(2 * MINUTE, 30 * MINUTE), () => {
      this.#note(`mint ${id} settles`);
      venue.end(id);
    });
  }

  #command(random: Random, isKilled: boolean, name: string): Command {
    const command = this.#world.command(name);
    this.#note(`command ${command.name}${isKilled ? ", whose owner is killed" : ""}`);
    if (isKilled) this.#at(random.integer(0, 15 * SECOND), () => this.#restart(random));
    return command;
  }

  /** Killed at once, around one of the next writes, or as a request leaves; down for a while. */
  #restart(random: Random): void {
    const world = this.#world;
    const { bot } = world;
    if (bot === undefined) return;
    const die = (): void => {
      if (!bot.isAlive) return;
      world.kill(bot);
      world.journal.hook = undefined;
      world.wire.onSend = undefined;
      this.#note("bot killed");
      this.#at(random.integer(2 * SECOND, 45 * SECOND), () => {
        world.begin();
        this.#note("bot started");
      });
    };
    const how = random.next();
    const [when, left] = [random.next() < 0.5 ? "before" : "after", random.integer(1, 6)];
    let writes = left;
    if (how < 0.4) die();
    else if (how < 0.8)
      world.journal.hook = (life, moment) => {
        if (life === bot && moment === when && --writes <= 0) die();
      };
    else
      world.wire.onSend = (life) => {
        if (life === bot) die();
      };
  }

  #plan(random: Random, moments: readonly number[]): void {
    if (random.next() < 0.15) return;
    const asset = random.next() < 0.5 ? CHF : VCHF;
    const hundredths = Math.round(100 * 10 ** (4 * random.next()));
    const [mode, at] = [random.next(), random.integer(2 * MINUTE, 50 * MINUTE)];
    const steal = (amount: number): void => this.#steal(asset, amount);
    if (mode < 0.4 && moments.length > 0) {
      const near = moments[random.integer(0, moments.length - 1)] as number;
      this.#at(Math.max(0, near + random.integer(-40 * SECOND, 40 * SECOND)), () => steal(hundredths));
    } else if (mode < 0.6) {
      const steps = random.integer(3, 6);
      let later = at;
      for (let i = 0; i < steps; i++, later += random.integer(5 * SECOND, 90 * SECOND))
        this.#at(later, () => steal(Math.max(1, Math.round(hundredths / steps))));
    } else if (mode < 0.8)
      this.#at(at, () => {
        this.#thief = () => {
          this.#thief = undefined;
          steal(hundredths);
        };
      });
    else this.#at(at, () => steal(hundredths));
  }

  #steal(asset: Asset, hundredths: number): void {
    const amount = Money.ofSteps(hundredths, 2, asset);
    this.#world.venue.move(amount.negated());
    this.#note(`THEFT of ${amount} ${asset}`);
    const wallAt = this.#world.clock.monotonic();
    this.#thefts.push({ amount, at: this.#runningMs, wallAt, seenAfterMs: undefined, isAdopted: false });
  }

  /** Each second: what the bot is at. */
  #sample(before = 0): void {
    const world = this.#world;
    const { changes } = world.venue;
    if (changes > before) this.#thief?.();
    if (world.bot !== undefined) {
      this.#runningMs += SECOND;
      this.#look();
    }
    world.after(SECOND, () => this.#sample(changes));
  }

  #look(): void {
    const world = this.#world;
    const { books, executor } = world.tradingCore;
    const { tradingState } = books.counters;
    const isHalted = tradingState.state === "HALTED";
    if (isHalted && !this.#isHalted) this.#halted(tradingState.reason);
    this.#isHalted = isHalted;
    if (isHalted || !world.isTrading) return;
    this.#activeMs += SECOND;
    const freeze = executor.freeze(world.now);
    const reason = freeze.kind === "none" ? undefined : freeze.reason;
    if (reason !== undefined) this.#frozenMs += SECOND;
    if ((reason === undefined) !== (this.#frozen === undefined))
      this.#note(reason === undefined ? "not frozen any more" : `frozen: ${reason}`);
    this.#frozen = reason;
  }

  #halted(reason: string): void {
    this.#halts += 1;
    const taken = this.#thefts.filter(({ isAdopted }) => !isAdopted);
    if (taken.length === 0) this.#falseHalts.push(reason);
    for (const theft of taken) theft.seenAfterMs ??= this.#runningMs - theft.at;
    this.#note(`HALT${taken.length === 0 ? ", without a theft" : ""}: ${reason}`);
    if (!this.#isPersonBusy) void this.#person(this.#random.integer(60 * SECOND, 200 * SECOND));
  }

  /** A person looks every minute for what evidence left open, and asks the venue. */
  async #resolver(): Promise<void> {
    const world = this.#world;
    for (;;) {
      await new Promise<void>((resolve) => this.#at(MINUTE, resolve));
      if (world.bot === undefined || !isAnyEscalated(world.tradingCore)) continue;
      const command = world.command("resolve");
      for (const id of await command.resolve().catch(unlessClosed([]))) this.#note(`closed as not landed: ${id}`);
    }
  }

  /** Adopts what differs, as often as it is refused, and lets the bot go on. */
  async #person(inMs: number): Promise<void> {
    const world = this.#world;
    this.#isPersonBusy = true;
    for (let wait = inMs, refused: string[] = []; ; wait = 30 * SECOND) {
      await new Promise<void>((resolve) => this.#at(wait, resolve));
      if (world.bot === undefined) continue;
      const command = world.command("person", true);
      const lookedAt = world.clock.monotonic();
      const beside = refused.length < REFUSALS_BEFORE_BESIDE ? [] : besideIn(refused.at(-1));
      const why = await command.adopt(beside).catch(unlessClosed("the owner was killed"));
      if (why === undefined) {
        for (const theft of this.#thefts) if (theft.wallAt <= lookedAt) theft.isAdopted = true;
        break;
      }
      if (why !== refused.at(-1)) this.#note(`not adopted: ${why}`);
      refused = [...refused, why];
    }
    this.#note("adopted, resumes");
    while (this.#isHalted) {
      if (world.bot !== undefined) world.resume();
      await new Promise<void>((resolve) => this.#at(2 * SECOND, resolve));
    }
    this.#isPersonBusy = false;
  }

  /** Lists are fresh, nothing is lost, everything settles. */
  async #peace(): Promise<void> {
    const world = this.#world;
    this.#note("peace");
    this.#isResting = true;
    world.wire.isPeaceful = true;
    world.journal.hook = undefined;
    world.wire.onSend = undefined;
    for (const id of world.venue.openIds) world.venue.end(id);
    for (let minute = 0; minute < PEACE_MAX && world.bugs.length === 0; minute++) {
      await world.pass(MINUTE);
      if (world.bot === undefined) world.begin();
      for (const id of world.venue.openIds) world.venue.end(id);
      if (minute >= PEACE_MIN && this.#isQuiet()) return;
    }
  }

  #isQuiet(): boolean {
    return !this.#isHalted && this.#thefts.every(({ isAdopted }) => isAdopted) && this.#open().length === 0;
  }

  #open(): readonly string[] {
    const { executor, books } = this.#world.tradingCore;
    const open = [...executor.open()]
      .filter(({ kind }) => kind !== "rail")
      .map(({ id, state }) => `${id} is ${state.kind}`);
    const accounts = books.accounts as Accounts;
    const flights = [...accounts.movements.flights()].map(({ id }) => `${id} is in flight`);
    return [...open, ...flights];
  }

  #wrong(): readonly string[] {
    const { tradingCore, venue, bugs } = this.#world;
    const { accounts } = tradingCore.books;
    const books = [CHF, VCHF].flatMap((asset) => {
      const [ours, truth] = [accounts.settled(asset), venue.total(asset)];
      // What was stolen and not taken over is the one thing that may differ.
      const stolen = this.#thefts
        .filter((one) => !one.isAdopted && one.amount.asset === asset)
        .map((one) => one.amount);
      const expected = truth.plus(Money.sum(stolen, asset));
      return ours?.equals(expected) === true ? [] : [`books have ${ours} ${asset}, the truth is ${expected}`];
    });
    return [
      ...bugs.map((bug) => (bug instanceof Error ? (bug.stack ?? bug.message) : String(bug))),
      ...books,
      ...this.#open(),
      ...(this.#isHalted ? ["still halted"] : []),
    ];
  }

  #note(text: string): void {
    const seconds = Math.round((this.#world.clock.monotonic() - this.#beginsAt) / SECOND);
    this.#trace.push(
      `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, "0")}  ${text}`,
    );
  }
}

/** What is on its way has so many chances to come before a person says that the difference is other money. */
const REFUSALS_BEFORE_BESIDE = 6;

function besideIn(refusal = ""): readonly string[] {
  return /--beside((?: [A-Za-z0-9:-]+)+)/.exec(refusal)?.[1]?.trim().split(" ") ?? [];
}

function isAnyEscalated({ executor }: Engine): boolean {
  return executor.open().some((one) => one.kind !== "rail" && (isEscalated(one.state) || isUncosted(one)));
}

/** What a command comes to whose owner was killed. */
function unlessClosed<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof LineClosed)) throw error;
    return value;
  };
}
