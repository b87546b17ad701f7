// One life of everything at once, drawn from a seed: a bot that trades, persons who mint and register rails, payments on them,
// wires from outside, processes that are killed at any write, and a venue that loses, delays and holds back. An operator does what
// the bot's words say, and nothing else. Then peace, and the questions: was anything sent twice, is anything still open, do the
// books say what the venue says, and was nothing taken over but what came from outside?

import { mintWith } from "../../../src/cli/action/mint.ts";
import { railWith } from "../../../src/cli/action/rail.ts";
import { type Config, configSchema } from "../../../src/config/schema.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money, Quantity } from "../../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { Settings } from "../../../src/execution/terms.ts";
import { depositAddressOf } from "../../../src/simulator/core/deposit.ts";
import type { FaultsSetting } from "../../../src/simulator/fault.ts";
import { CORE_FUNDS, SHORT_PROTOCOL } from "../../support/bot-core.ts";
import type { Life } from "../../support/crash-journal.ts";
import { CHF, CONFIG, type Command, KEY, SLOW_BOT, TreasuryWorld, VCHF, whitelist } from "../world.ts";
import { nextDeed } from "./operator.ts";
import { unsettled, violationsOf } from "./question.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Everything must be settled so long after the last fault. */
const PEACE_MS_MAX = 6 * 60 * MINUTE;

/** A person is asked soon; the rest is patient enough for the delays that are drawn. */
const PROTOCOL: Settings = { ...SHORT_PROTOCOL, escalateAfterMs: 10 * MINUTE };

export type SwarmOptions = { readonly seed: number; readonly stormMs?: number; readonly log?: (line: string) => void };

export type Swarm = {
  readonly violations: readonly string[];
  readonly kills: number;
  readonly fills: number;
  readonly mints: number;
  readonly payments: number;
  readonly wires: number;
  readonly deeds: number;
  readonly halts: readonly string[];
};

/** Which of all this happens in a life. */
type Weather = {
  readonly faults: FaultsSetting;
  readonly publicationMs: number;
  readonly balanceLagMs: number;
  readonly mintHoldChance: number;
  readonly railHoldChance: number;
  readonly mintFeeBps: number;
  readonly killChance: number;
  readonly mintEveryMs: number;
  readonly payEveryMs: number;
  readonly wireEveryMs: number;
  readonly settlementMs: number;
};

function weatherOf(random: Random): Weather {
  const isOn = (chance = 0.5): boolean => random.next() < chance;
  // Of orders seldom: one in doubt keeps everything else from being sent.
  const rules = [
    ...badAnswers(random, ["addOrder"], 0.008),
    ...badAnswers(random, ["mintTokens", "addPaymentRail"], 0.08),
  ];
  const reads = [
    "queryTrades",
    "queryOrders",
    "accountBalance",
    "quotes",
    "querySupplyChanges",
    "queryPayments",
  ] as const;
  if (isOn()) rules.push({ fault: "lost-answer", on: [...reads], probability: 0.04 });
  if (isOn()) rules.push({ fault: "status", on: [...reads], status: 503, probability: 0.04 });
  // A wire cannot be told from what a mint cost in fees, or from payments that are on their way: beside neither of them, so that
  // what was taken over is known to the digit.
  const [hasFees, hasPayments] = [isOn(0.4), isOn(0.6)];
  return {
    faults: { rules },
    publicationMs: isOn() ? random.integer(1, 60_000) : 0,
    balanceLagMs: isOn() ? random.integer(1_000, 100_000) : 0,
    mintHoldChance: isOn(0.3) ? 0.4 : 0,
    railHoldChance: isOn(0.2) ? 0.3 : 0,
    mintFeeBps: hasFees ? random.integer(1, 9) : 0,
    killChance: isOn(0.7) ? 0.004 : 0,
    mintEveryMs: isOn(0.8) ? random.integer(1, 5) * MINUTE : 0,
    payEveryMs: hasPayments ? random.integer(2, 10) * MINUTE : 0,
    wireEveryMs: !hasFees && !hasPayments ? random.integer(10, 25) * MINUTE : 0,
    settlementMs: random.integer(1, 20) * MINUTE,
  };
}

type Rule = FaultsSetting["rules"][number];

/** Each kind of them in half of the lives. */
function badAnswers(random: Random, on: Rule["on"], probability: number): Rule[] {
  const rules: readonly Rule[] = [
    { fault: "lost-answer", on, probability: 2 * probability },
    { fault: "lost-request", on, probability },
    { fault: "late-arrival", on, delayMs: 17_500, probability },
    { fault: "reset-after", on, probability },
    { fault: "status", on, status: 503, executes: true, probability },
    { fault: "status", on, status: 500, probability },
    { fault: "truncated-json", on, probability },
    { fault: "html", on, probability },
  ];
  return rules.filter(() => random.next() < 0.5);
}

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
  /** What came from outside, by asset. */
  readonly #wired = new Map<Asset, Money>();
  #bot: Life | undefined;
  #botAt = 0;
  #person: Command | undefined;
  #operator: Command | undefined;
  #operatorAt = 0;
  #kills = 0;
  #deeds = 0;
  #wires = 0;
  #payments = 0;
  #isPeace = false;

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
        destinations: { ...destinations, home: { ...destinations.home, address } },
        mint: { minimum: "1000", minimumCurrency: "GBP", feeBpsMax: 10 },
      },
    });
    return new SwarmLife(world, config, weather, random, log);
  }

  async storm(ms: number): Promise<void> {
    const { venue, journal } = this.#world;
    await this.#calm(3 * MINUTE);
    const { faults, publicationMs, balanceLagMs, mintHoldChance, railHoldChance } = this.#weather;
    venue.setFaults(faults);
    const publicationDelay = { chance: 0.5, minMs: 1, maxMs: Math.max(publicationMs, 1) };
    venue.venue.setFaults({ balanceLagMs, mintHoldChance, railHoldChance, publicationDelay });
    const dice = this.#random.fork("kills");
    journal.hook = (life) => {
      if (dice.next() < this.#weather.killChance) this.#kill(life);
    };
    venue.onCall = () => {
      const victim = [this.#bot, this.#person?.life, this.#operator?.life][dice.integer(0, 2)];
      if (victim !== undefined && dice.next() < this.#weather.killChance) this.#kill(victim);
    };
    await this.#calm(ms);
  }

  async peace(): Promise<void> {
    const { venue, journal } = this.#world;
    venue.setFaults({ rules: [] });
    const never = { chance: 0, minMs: 0, maxMs: 0 };
    venue.venue.setFaults({ balanceLagMs: 0, mintHoldChance: 0, railHoldChance: 0, publicationDelay: never });
    journal.hook = undefined;
    venue.onCall = undefined;
    this.#isPeace = true;
    this.#bot?.kill();
    for (const { requestId, status } of this.#mints()) if (status === "held") this.#release(requestId);
    for (const { railId, status } of this.#rails()) if (status === "held") this.#release(railId);
    for (let passed = 0; passed < PEACE_MS_MAX && !this.#isOver(); passed += MINUTE) await this.#calm(MINUTE);
  }

  told(): Swarm {
    const world = this.#world;
    return {
      violations: violationsOf(world, this.#wired),
      kills: this.#kills,
      fills: unwrap(world.venue.venue.trades(KEY, world.moment())).length,
      mints: this.#mints().length,
      payments: this.#payments,
      wires: this.#wires,
      deeds: this.#deeds,
      halts: world.halts(),
    };
  }

  #isOver(): boolean {
    const { desk } = this.#world;
    if (desk === undefined) return false;
    const isOpen = unsettled(desk.executor).length > 0 || [...desk.engine.context.accounts.flights()].length > 0;
    const isBusy = this.#operator?.finished === undefined && this.#operator?.life.isAlive === true;
    return !isOpen && !isBusy && this.#world.standing.state === "ACTIVE" && this.#passed() - this.#botAt > 10 * MINUTE;
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
    if (this.#isPeace || this.#passed() < 4 * MINUTE) return;
    const { mintEveryMs, payEveryMs, wireEveryMs } = this.#weather;
    if (this.#strikes(mintEveryMs)) this.#mint();
    if (this.#strikes(payEveryMs)) this.#pay();
    if (this.#strikes(wireEveryMs)) this.#wire();
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
    this.#bot = this.#world.bot(this.#isPeace ? SLOW_BOT : {});
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
    const deed = nextDeed(this.#world);
    if (deed === undefined) return;
    this.#deeds += 1;
    if (deed === "resume" || hasTaken) {
      this.#note(`operator resumes ${this.#world.standing.reason}`);
      if (deed !== "resume") deed.life.kill();
      this.#world.resume();
    } else this.#operator = deed;
  }

  #mint(): void {
    if (this.#isPersonBusy()) return;
    const quantity = `${this.#random.integer(2_000, 20_000)}.${String(this.#random.integer(1, 999_999)).padStart(6, "0")}`;
    const to = this.#random.next() < 0.2 ? { to: "safe" } : {};
    const content = { chain: "ETH", quantity, exact: true, yes: true, ...to };
    this.#person = this.#world.command((tool, person) =>
      mintWith({ ...tool, config: this.#config }, person, "VCHF", content),
    );
    this.#note(`mint ${quantity}`);
  }

  /** On a rail that works; without one, one is registered. */
  #pay(): void {
    // Nobody pays on a rail of which it is not known yet that it is there.
    const known = JSON.stringify(this.#world.records().filter(({ kind }) => kind === "outcome" || kind === "evidence"));
    const working = this.#rails().filter(({ railId, status }) => status === "pending" && known.includes(railId));
    if (working.length === 0 || this.#random.next() < 0.1) {
      if (this.#isPersonBusy()) return;
      const direction = this.#random.next() < 0.5 ? "on" : "off";
      const template = direction === "on" ? "vchf-home" : "vchf-out";
      this.#person = this.#world.command((tool, person) =>
        railWith(
          { ...tool, config: this.#config },
          person,
          { direction, template },
          { yes: true, another: working.length > 0 },
        ),
      );
      this.#note(`rail ${direction}`);
      return;
    }
    const { railId } = working[this.#random.integer(0, working.length - 1)] as { railId: string };
    const amount = Quantity.of(String(this.#random.integer(50, 5_000)));
    if (this.#world.venue.venue.pay(railId, amount, this.#world.moment()).ok) this.#payments += 1;
    this.#note(`paid ${amount} on ${railId}`);
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

  #isPersonBusy(): boolean {
    const finished = this.#person?.finished;
    if (finished !== undefined) this.#note(`person: ${finished.code} ${finished.stderr}`);
    return this.#person !== undefined && finished === undefined && this.#person.life.isAlive;
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
