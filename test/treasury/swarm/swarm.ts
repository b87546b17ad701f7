// One life of everything at once, drawn from a seed: a bot that trades and rebalances, persons who mint, order and register rails,
// payments on them, wires and trades from outside, a clock that is set wrong, processes that are killed at any write, and a venue
// that loses, delays and holds back. An operator does what the bot's words say, and nothing else. Then peace, and the questions: was anything sent twice, is anything still open, do the
// books say what the venue says, and was nothing taken over but what came from outside?

import { rebalancerParts } from "../../../src/app/owner/owner-parts.ts";
import { pipelineDefaults } from "../../../src/bot/pipeline-settings.ts";
import { type Config, configSchema } from "../../../src/config/schema.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { Settings } from "../../../src/execution/parameters.ts";
import { depositAddressOf } from "../../../src/simulator/core/venue-core.ts";
import { Rebalancer } from "../../../src/treasury/rebalancer/rebalancer.ts";
import { CORE_FUNDS, LIFE_LIMITS, SHORT_PROTOCOL } from "../../support/bot-core.ts";
import type { Life } from "../../support/crash-journal.ts";
import {
  type BotOptions,
  CHF,
  CONFIG,
  type Command,
  KEY,
  recordsOf,
  SLOW_BOT,
  TreasuryWorld,
  VCHF,
  whitelist,
} from "../world.ts";
import { nextDeed } from "./operator.ts";
import { Persons } from "./persons.ts";
import { strangersTrades, unsettled, violationsOf } from "./question.ts";
import { type Band, MINUTE, SECOND, type Weather, weatherOf } from "./weather.ts";

/** Everything must be settled so long after the last fault. */
const PEACE_MS_MAX = 6 * 60 * MINUTE;

/** A person is asked soon; the rest is patient enough for the delays that are drawn. */
const PROTOCOL: Settings = { ...SHORT_PROTOCOL, escalateAfterMs: 10 * MINUTE };

/** It trades nothing, and its prices are young: without a rate no payment is booked. */
const PEACE_BOT: BotOptions = {
  ...SLOW_BOT,
  settings: {
    ...pipelineDefaults,
    tickMs: 5_000,
    polls: { ...pipelineDefaults.polls, quotesMs: 5_000, balancesMs: MINUTE, historiesMs: 10 * MINUTE },
  },
};

export type SwarmOptions = { readonly seed: number; readonly stormMs?: number; readonly log?: (line: string) => void };

export type Swarm = {
  readonly violations: readonly string[];
  readonly kills: number;
  readonly fills: number;
  readonly mints: number;
  readonly payments: number;
  readonly orders: number;
  readonly plans: number;
  readonly wires: number;
  readonly deeds: number;
  readonly halts: readonly string[];
};

export async function runSwarm({ seed, stormMs = 60 * MINUTE, log = () => {} }: SwarmOptions): Promise<Swarm> {
  const random = createRandom(seed).fork("swarm");
  const weather = weatherOf(random.fork("weather"));
  log(JSON.stringify(weather));
  const life = await SwarmLife.open(seed, weather, random, log);
  await life.storm(stormMs);
  await life.peace();
  return life.told();
}

class SwarmLife {
  readonly #world: TreasuryWorld;
  readonly #config: Config;
  readonly #weather: Weather;
  readonly #random: Random;
  readonly #log: (line: string) => void;
  readonly #persons: Persons;
  /** What came from outside, by asset. */
  readonly #wired = new Map<Asset, Money>();
  #bot: Life | undefined;
  #botAt = 0;
  #operator: Command | undefined;
  #operatorAt = 0;
  #kills = 0;
  #deeds = 0;
  #wires = 0;
  #isPeace = false;
  #isStorm = false;

  private constructor(
    world: TreasuryWorld,
    config: Config,
    weather: Weather,
    random: Random,
    log: (l: string) => void,
  ) {
    this.#world = world;
    this.#config = config;
    this.#weather = weather;
    this.#random = random;
    this.#log = log;
    this.#persons = new Persons(world, config, random, (line) => this.#note(line));
  }

  static async open(seed: number, weather: Weather, random: Random, log: (l: string) => void): Promise<SwarmLife> {
    const { settlementMs: medianMs, mintFeeBps } = weather;
    const settlement = { medianMs, sigma: 0.3, minMs: medianMs / 4, maxMs: medianMs * 4 };
    const settings = {
      settlement,
      mintFeeBps,
      mintMinimum: "1000",
      historyPageMax: 10_000,
      historyRetainedMax: 10_000,
    };
    const world = await TreasuryWorld.open(seed, settings, CORE_FUNDS, PROTOCOL);
    const address = depositAddressOf(seed, KEY, VCHF, "ETH");
    whitelist(world);
    whitelist(world, { address, label: "Home" });
    const { destinations } = CONFIG.treasury;
    const config = configSchema.parse({
      ...CONFIG,
      treasury: {
        ...CONFIG.treasury,
        ...targetOf(weather.band),
        destinations: { ...destinations, home: { ...destinations.home, address } },
        mint: { minimum: "1000", minimumCurrency: "GBP", feeBpsMax: 10 },
      },
    });
    return new SwarmLife(world, { ...config, risk: LIFE_LIMITS }, weather, random, log);
  }

  async storm(ms: number): Promise<void> {
    const { venue, journal } = this.#world;
    // From before the first order on: balances that fall behind go back to what they were.
    const { balanceLagMs } = this.#weather;
    venue.venue.setFaults({ balanceLagMs });
    await this.#world.pass(balanceLagMs);
    await this.#calm(3 * MINUTE);
    const { faults, publicationMs, mintHoldChance, railHoldChance, strangerChance } = this.#weather;
    venue.setFaults(faults);
    const publicationDelay = { chance: 0.5, minMs: 1, maxMs: Math.max(publicationMs, 1) };
    venue.venue.setFaults({ mintHoldChance, railHoldChance, publicationDelay });
    const dice = this.#random.fork("kills");
    journal.hook = (life) => {
      if (dice.next() < this.#weather.killChance) this.#kill(life);
    };
    const strangers = this.#random.fork("strangers");
    venue.onCall = (path) => {
      if (path === "/private/addOrder" && strangers.next() < strangerChance) this.#strangerTrades();
      const victim = [this.#bot, this.#persons.life, this.#operator?.life][dice.integer(0, 2)];
      if (victim !== undefined && dice.next() < this.#weather.killChance) this.#kill(victim);
    };
    await this.#calm(MINUTE);
    this.#isStorm = true;
    await this.#calm(ms - MINUTE);
    this.#isStorm = false;
  }

  /** A person at the portal sells a coin on the account. */
  #strangerTrades(): void {
    const { venue } = this.#world.venue;
    const order = { symbol: "VCHF/CHF" as PairSymbol, quantity: Quantity.of("0.1"), limit: Price.of("0.97") };
    venue.placeOrder(KEY, { ...order, clientOrderId: "portal" as ClientOrderId, side: "sell" }, this.#world.moment());
  }

  async peace(): Promise<void> {
    const { venue, journal } = this.#world;
    venue.setFaults({ rules: [] });
    const never = { chance: 0, minMs: 0, maxMs: 0 };
    const honest = { mintHoldChance: 0, railHoldChance: 0 };
    venue.venue.setFaults({ balanceLagMs: 0, publicationDelay: never, ...honest });
    journal.hook = undefined;
    venue.onCall = undefined;
    this.#isPeace = true;
    this.#bot?.kill();
    this.#botAt = this.#passed();
    for (const { requestId, status } of this.#mints()) if (status === "held") this.#release(requestId);
    for (const { railId, status } of this.#rails()) if (status === "held") this.#release(railId);
    for (let passed = 0; passed < PEACE_MS_MAX && !this.#isOver(); passed += MINUTE) await this.#calm(MINUTE);
  }

  told(): Swarm {
    const world = this.#world;
    return {
      violations: violationsOf(world, this.#outside()),
      kills: this.#kills,
      fills: unwrap(world.venue.venue.trades(KEY, world.moment())).length,
      mints: this.#mints().length,
      payments: this.#persons.payments,
      orders: recordsOf(world, "intent").filter(({ id }) => id.startsWith("T-")).length,
      plans: recordsOf(world, "plan").length,
      wires: this.#wires,
      deeds: this.#deeds,
      halts: world.halts(),
    };
  }

  /** All that came, and what others traded. */
  #outside(): ReadonlyMap<Asset, Money> {
    const sums = new Map(this.#wired);
    for (const amount of strangersTrades(this.#world))
      sums.set(amount.asset, (sums.get(amount.asset) ?? Money.zero(amount.asset)).plus(amount));
    return sums;
  }

  #isOver(): boolean {
    const { tradingCore } = this.#world;
    if (tradingCore === undefined) return false;
    const isOpen = unsettled(tradingCore.executor).length > 0 || [...tradingCore.books.accounts.flights()].length > 0;
    const isBusy = this.#operator?.finished === undefined && this.#operator?.life.isAlive === true;
    // A payment of the last minute may take twice as long, and balances that differ are believed at the second sight.
    const hasLooked = this.#passed() - this.#botAt > 25 * MINUTE;
    return !isOpen && !isBusy && this.#world.standing.state === "ACTIVE" && hasLooked;
  }

  async #calm(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND) {
      this.#beat();
      await this.#world.pass(SECOND);
    }
  }

  /** What everybody does within a second. */
  #beat(): void {
    this.#runBot();
    this.#operate();
    if (!this.#isStorm) return;
    const { mintEveryMs, payEveryMs, wireEveryMs, orderEveryMs, clockMs, band } = this.#weather;
    if (this.#strikes(mintEveryMs)) this.#persons.mint();
    if (this.#strikes(payEveryMs)) this.#persons.pay();
    if (this.#strikes(wireEveryMs)) this.#wire();
    if (this.#strikes(orderEveryMs)) this.#persons.order();
    if (band?.isAsked && this.#strikes(2 * MINUTE)) this.#persons.approve();
    if (clockMs > 0 && this.#strikes(10 * MINUTE)) this.#setClock(this.#random.integer(-clockMs, clockMs));
    if (this.#strikes(10 * MINUTE)) this.#letGo();
  }

  #strikes(everyMs: number): boolean {
    return everyMs > 0 && this.#random.next() < SECOND / everyMs;
  }

  #passed(): number {
    return this.#world.time.clock.monotonic();
  }

  #runBot(): void {
    if (this.#bot?.isAlive === true || this.#passed() < this.#botAt) return;
    this.#bot = this.#world.bot(this.#isPeace ? PEACE_BOT : this.#dressed());
    this.#botAt = this.#passed();
    this.#note("the bot starts");
  }

  /** Looks twice a minute, one thing at a time. */
  #operate(): void {
    const isBusy = this.#operator !== undefined && this.#operator.finished === undefined && this.#operator.life.isAlive;
    if (isBusy || this.#passed() < this.#operatorAt || this.#bot?.isAlive !== true) return;
    this.#operatorAt = this.#passed() + 30 * SECOND;
    const last = this.#operator?.finished;
    if (last !== undefined) this.#note(`operator: ${last.code} ${last.stdout} ${last.stderr}`);
    const hasTaken = last?.code === 0 && (last.stdout + last.stderr).includes("agree");
    this.#operator = undefined;
    const deed = nextDeed(this.#world, last);
    if (deed === undefined) return;
    this.#deeds += 1;
    if (deed === "resume" || hasTaken) {
      this.#note(`operator resumes ${this.#world.standing.reason}`);
      if (deed !== "resume") deed.stop();
      this.#world.resume();
    } else this.#operator = deed;
  }

  /** With a rebalancer where there is something to reach. */
  #dressed(): BotOptions {
    if (this.#weather.band === undefined) return {};
    const parts = rebalancerParts(this.#config, this.#random.integer(0, 1_000_000));
    if (parts === undefined) throw new Error("there must be targets");
    return { dress: (core, writer) => ({ ...core, rebalancer: new Rebalancer({ ...parts, writer }) }) };
  }

  #setClock(aheadMs: number): void {
    this.#world.aheadMs = aheadMs;
    this.#note(`our clock is set ${aheadMs} ms ahead`);
  }

  #wire(): void {
    const asset = this.#random.next() < 0.5 ? CHF : VCHF;
    const amount = Quantity.of(String(this.#random.integer(100, 9_000)));
    this.#world.venue.venue.credit(KEY, asset, amount, this.#world.moment());
    this.#wired.set(asset, (this.#wired.get(asset) ?? Money.zero(asset)).plus(amount.of(asset)));
    this.#wires += 1;
    this.#note(`wire of ${amount} ${asset}`);
  }

  #letGo(): void {
    const held = [
      ...this.#mints().flatMap(({ requestId, status }) => (status === "held" ? [requestId] : [])),
      ...this.#rails().flatMap(({ railId, status }) => (status === "held" ? [railId] : [])),
    ];
    const [first] = held;
    if (first !== undefined) this.#release(first);
  }

  #release(id: string): void {
    this.#note(`${id} is let go`);
    this.#world.venue.venue.hold(id, false, this.#world.moment());
  }

  #kill(life: Life): void {
    if (!life.isAlive) return;
    this.#kills += 1;
    this.#note(`${life.name} is killed`);
    life.kill();
    if (life === this.#bot) this.#botAt = this.#passed() + this.#random.integer(1, 90) * SECOND;
  }

  #mints() {
    return unwrap(this.#world.venue.venue.supplyChanges(KEY, { asset: "VCHF" }, this.#world.moment()));
  }

  #rails() {
    return unwrap(this.#world.venue.venue.rails(KEY, this.#world.moment()));
  }

  #note(line: string): void {
    this.#log(`${(this.#passed() / SECOND).toFixed(0).padStart(6)} ${line}`);
  }
}

/** So that both routes are used: an order costs more than a mint does, and is there at once. */
function targetOf(band: Band | undefined): object {
  if (band === undefined) return {};
  const { low, high, isAsked } = band;
  const max = isAsked ? {} : { mintValueMax: "100000", orderValueMax: "100000", dayValueMax: "10000000" };
  return {
    targets: { VCHF: { low, high } },
    planning: { orders: { slippageBps: 10 }, mints: { VCHF: { chain: "ETH" } } },
    approvals: { automatic: true, lookMs: 20 * SECOND, costBpsMax: 90, ...max },
  };
}
