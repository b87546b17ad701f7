// A simulated world: the real pipeline, trading core, executor, journal text and client, against the simulator's service through
// memory, on virtual time. The bot is killed and started again; the venue loses, delays and refuses. What the bot's journal
// and the venue's books say at the end is compared to the last digit.

import { NEVER, Subject } from "rxjs";
import { timerScheduler } from "../../src/app/system/scheduler.ts";
import type { Core } from "../../src/bot/core.ts";
import type { Engine } from "../../src/bot/engine.ts";
import { runPipeline } from "../../src/bot/pipeline.ts";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import type { Control } from "../../src/domain/event.ts";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { mono, type Timers } from "../../src/domain/time.ts";
import { withBackoff } from "../../src/exchange/backoff.ts";
import { createExchange } from "../../src/exchange/client.ts";
import type { Signer } from "../../src/exchange/key/signer.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import { presets } from "../../src/exchange/profile.ts";
import type { Settings } from "../../src/execution/parameters.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import restless from "../fixture/strategy/restless.ts";
import { CORE_FUNDS, makeCore, SHORT_PROTOCOL } from "../support/bot-core.ts";
import { CrashJournal, Life, type WriteHook } from "../support/crash-journal.ts";
import { START } from "../support/lockstep.ts";
import { memoryBudget } from "../support/memory-budget.ts";
import { createMemoryVenue, type MemoryVenue } from "../support/memory-network.ts";
import { createVirtualTime, type VirtualTime } from "../support/virtual-time.ts";

/** A protection that is taken away, to see that the world notices. */
export type Weakness = {
  readonly core?: (core: Core) => Core;
  readonly exchange?: (exchange: Exchange) => Exchange;
  readonly journal?: (journal: Journal) => Journal;
};

export type WorldOptions = {
  readonly seed: number;
  readonly settings?: Settings;
  readonly venue?: Partial<VenueSettings>;
  readonly weakness?: Weakness;
};

/** Until a dead process's request cannot arrive any more, as the key's ledger waits. */
const AFTER_DEATH_MS = 1_500;

export class World {
  readonly time: VirtualTime;
  readonly venue: MemoryVenue;
  readonly journal: CrashJournal;
  readonly bugs: unknown[] = [];
  readonly #options: WorldOptions;
  readonly #timers: Timers;
  readonly #control$ = new Subject<Control>();
  readonly #strategies$ = new Subject<Strategy>();
  #life: Life | undefined;
  #tradingCore: Engine | undefined;
  #lives = 0;

  private constructor(options: WorldOptions, time: VirtualTime, venue: MemoryVenue) {
    this.#options = options;
    this.time = time;
    this.venue = venue;
    this.#timers = time.timers("bot");
    this.journal = new CrashJournal({
      kind: "opening",
      at: START,
      environment: "test",
      account: "simulation",
      chainId: "simulationsimulation",
      schemaVersion: 1,
      codeVersion: "test",
    });
  }

  static async open(options: WorldOptions): Promise<World> {
    const time = createVirtualTime(START);
    const { seed } = options;
    const venue = await createMemoryVenue({
      seed,
      clock: time.clock,
      timers: time.timers("venue"),
      key: KEY,
      funds: CORE_FUNDS,
      settings: { historyPageMax: 10_000, historyRetainedMax: 10_000, ...options.venue },
    });
    return new World(options, time, venue);
  }

  get lives(): number {
    return this.#lives;
  }

  get isRunning(): boolean {
    return this.#life?.isAlive === true;
  }

  get tradingCore(): Engine {
    if (this.#tradingCore === undefined) throw new Error("no life has begun");
    return this.#tradingCore;
  }

  /** Another process of the bot: everything of the last one but journal and venue is gone. */
  begin(): void {
    this.#lives += 1;
    const life = new Life(`life${String(this.#lives).padStart(4, "0")}`);
    this.#life = life;
    const { clock } = this.time;
    const timers = life.timers(this.#timers);
    const { weakness = {}, settings = SHORT_PROTOCOL, seed } = this.#options;
    const openAt = mono(clock.monotonic() + (this.#lives === 1 ? 0 : AFTER_DEATH_MS));
    const budget = memoryBudget(clock, timers, openAt);
    const wire = createExchange({
      clock,
      budget,
      transport: this.venue.transport(timers),
      signer: SIGNER,
      profile: presets.contract,
      userAgent: "pegbot/simulation",
      priceDecimals: 6,
    });
    const random = createRandom(seed).fork(`patience ${this.#lives}`);
    const patient = withBackoff(wire, { clock, timers, random });
    const journal = this.journal.open(life);
    const pipeline = runPipeline(
      {
        exchange: weakness.exchange?.(patient) ?? patient,
        journal: weakness.journal?.(journal) ?? journal,
        makeCore: (strategy) => {
          const core = makeCore({ writer: life.name, settings }, strategy);
          return weakness.core?.(core) ?? core;
        },
        strategy: unwrap(prepareStrategy(restless, {})),
        strategies$: this.#strategies$,
        references$: NEVER,
        control$: this.#control$,
        lastCheck: () => undefined,
        followState: () => undefined,
        identity: { codeVersion: "test", configDigest: "test" },
        clock,
        scheduler: timerScheduler(clock, timers),
        watch: {
          core: (tradingCore) => {
            if (life.isAlive) this.#tradingCore = tradingCore;
          },
        },
        settings: pipelineDefaults,
      },
      new AbortController().signal,
    );
    pipeline.then(
      (ending) => life.isAlive && this.bugs.push(ending.reason),
      (error) => life.isAlive && this.bugs.push(error),
    );
  }

  kill(): void {
    this.#life?.kill();
  }

  set onWrite(hook: WriteHook | undefined) {
    this.journal.hook = hook;
  }

  /** A person answers a halt. */
  resume(): void {
    this.#control$.next({ kind: "resume", reason: "the simulated operator has looked", by: "operator" });
  }

  /** From now on nothing new is decided. */
  rest(): void {
    this.#strategies$.next(unwrap(prepareStrategy(idle, {})));
  }

  async pass(ms: number): Promise<void> {
    const until = this.time.clock.monotonic() + ms;
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.bugs.length === 0 && this.time.step(until) !== undefined);
  }
}

export const KEY = "simulated-key";

const SIGNER: Signer = {
  publicKey: KEY,
  fingerprint: "simulation",
  sign: () => "unsigned",
  close() {},
} as unknown as Signer;

const idle = { name: "rest", decide: () => undefined };
