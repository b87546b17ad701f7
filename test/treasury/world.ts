// A world for mints and rails: the simulator's service through memory on virtual time, one journal that outlives its writers,
// persons who run the real commands, and the real bot beside them. Any of them can be killed at any write.

import { NEVER, Subject } from "rxjs";
import { expect } from "vitest";
import { timerScheduler } from "../../src/app/bot/pipeline-parts.ts";
import { assembleMoneyCommand, type MoneyCommand } from "../../src/app/money-command/money-command.ts";
import { explain } from "../../src/app/shell.ts";
import type { Person } from "../../src/app/terminal/confirmation.ts";
import { createDispatch } from "../../src/bot/effects/dispatch.ts";
import { createVenueClock } from "../../src/bot/inbox/venue-clock.ts";
import { catchUp, restore } from "../../src/bot/journaled-core/restore.ts";
import { runPipeline } from "../../src/bot/pipeline.ts";
import { type PipelineSettings, pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { IDLE } from "../../src/bot/strategy-host/strategy-state.ts";
import { createTradingCore } from "../../src/bot/trading-core/create-trading-core.ts";
import type { Core, TradingCore } from "../../src/bot/trading-core/trading-core.ts";
import { type MintOptions, mintWith } from "../../src/cli/command/mint.ts";
import { type RailOptions, railWith } from "../../src/cli/command/rail.ts";
import { type ResolveOptions, resolveMovement } from "../../src/cli/command/resolve.ts";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import type { Control } from "../../src/domain/event.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { ok, unwrap } from "../../src/domain/result.ts";
import { type Clock, millis, type Timers } from "../../src/domain/time.ts";
import { withBackoff } from "../../src/exchange/backoff.ts";
import { createExchange } from "../../src/exchange/client.ts";
import type { Signer } from "../../src/exchange/key/signer.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import { presets } from "../../src/exchange/profile.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/execution/parameters.ts";
import type { Moment } from "../../src/execution/request.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import { FRESH, type TradingState } from "../../src/risk/trading-state.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { depositAddressOf } from "../../src/simulator/core/venue-core.ts";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import restless from "../fixture/strategy/restless.ts";
import { type CoreOptions, makeCore } from "../support/bot-core.ts";
import { CrashJournal, Life } from "../support/crash-journal.ts";
import { START } from "../support/lockstep.ts";
import { createMemoryVenue, type MemoryVenue } from "../support/memory-network.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { VirtualBudget } from "../support/virtual-budget.ts";
import { createVirtualTime, type VirtualTime } from "../support/virtual-time.ts";

export const KEY = "treasury-key";
export const VCHF = "VCHF" as Asset;
export const CHF = "CHF" as Asset;
export const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

/** Our own deposit address in a world of the first seed. */
export const HOME = depositAddressOf(1, KEY, VCHF, "ETH");

const FUNDS = { CHF: "1000000", VCHF: "500000", VGBP: "1000", GBP: "200000" };

export const CONFIG = {
  venue: { baseUrl: "http://127.0.0.1:1/api/v1/", profile: { mintDestination: "destination" } },
  key: { file: "./key.pem" },
  treasury: {
    destinations: {
      safe: { kind: "wallet", chain: "ETH", address: WALLET, label: "Treasury" },
      house: { kind: "bank", account: "CH9300762011623852957" },
      home: { kind: "wallet", chain: "ETH", address: HOME, label: "Home" },
    },
    rails: {
      "vchf-in": {
        direction: "on",
        asset: "VCHF",
        chain: "ETH",
        to: "safe",
        sender: { name: "Zürich Handels AG", country: "CH" },
      },
      "vchf-home": {
        direction: "on",
        asset: "VCHF",
        chain: "ETH",
        to: "home",
        sender: { name: "Zürich Handels AG", country: "CH" },
      },
      "vchf-out": {
        direction: "off",
        asset: "VCHF",
        chain: "ETH",
        to: "house",
        sender: { name: "Zürich Handels AG", country: "CH" },
      },
    },
  },
};

const SIGNER = { publicKey: KEY, fingerprint: "treasury", sign: () => "unsigned", close() {} } as unknown as Signer;

export type BotOptions = {
  readonly strategy?: typeof restless;
  readonly settings?: PipelineSettings;
  /** What else sits at the trading core, for the process of this name. */
  readonly dress?: (core: Core, writer: string) => Core;
};

export type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string };

export class TreasuryWorld {
  readonly time: VirtualTime;
  readonly venue: MemoryVenue;
  readonly journal: CrashJournal;
  readonly bugs: unknown[] = [];
  readonly #timers: Timers;
  readonly #alive = new Map<string, Life>();
  readonly #protocol: Settings;
  readonly #config: object;
  #lives = 0;
  #standing: TradingState = FRESH;
  #control$: Subject<Control> | undefined;
  readonly #isGone = (writer: string): boolean => this.#alive.get(writer)?.isAlive !== true;
  /** All processes of a key share one line of slots, as the ledger of the key gives it to them. */
  readonly #exchange: Exchange;
  tradingCore: TradingCore | undefined;
  /** So much our own wall clock is ahead of the venue's. */
  aheadMs = 0;
  /** Ours: of the venue's only the speed is the same. */
  readonly #clock: Clock;
  /** What a command is told of the limits of the bot beside it. */
  otherLimits: string | undefined;
  /** Of commands, where they differ from those of all lives. */
  limits: CoreOptions["limits"] = {};

  private constructor(time: VirtualTime, venue: MemoryVenue, protocol: Settings, mintFunding: string) {
    this.#protocol = protocol;
    const { profile } = CONFIG.venue;
    this.#config = { ...CONFIG, venue: { ...CONFIG.venue, profile: { ...profile, mintFunding } } };
    this.time = time;
    this.venue = venue;
    this.#timers = time.timers("process");
    const { clock } = time;
    this.#clock = { now: () => millis(clock.now() + this.aheadMs), monotonic: clock.monotonic };
    this.#exchange = createExchange({
      clock: this.#clock,
      budget: new VirtualBudget(this.#clock, this.#timers),
      transport: venue.transport(this.#timers),
      signer: SIGNER,
      profile: { ...presets.contract, mintDestination: "destination", mintFunding },
      userAgent: "pegbot/treasury",
      priceDecimals: 6,
    });
    this.journal = new CrashJournal({
      kind: "opening",
      at: START,
      environment: "test",
      account: "treasury",
      chainId: "treasurytreasury",
      schemaVersion: 1,
      codeVersion: "test",
    });
  }

  static async open(
    seed = 1,
    settings: Partial<VenueSettings> = {},
    funds: Readonly<Record<string, string>> = FUNDS,
    protocol: Settings = DEFAULT_SETTINGS,
  ): Promise<TreasuryWorld> {
    const time = createVirtualTime(START);
    const timers = time.timers("venue");
    const venue = await createMemoryVenue({ seed, clock: time.clock, timers, key: KEY, funds, settings });
    return new TreasuryWorld(time, venue, protocol, settings.mintFundingField ?? "none");
  }

  /** A bot that trades and follows; dead ones before it are taken over. */
  bot({ strategy = restless, settings = pipelineDefaults, dress = (core) => core }: BotOptions = {}): Life {
    const life = this.#born();
    const timers = life.timers(this.#timers);
    const clock = this.#clock;
    const control$ = new Subject<Control>();
    this.#control$ = control$;
    const patient = withBackoff(this.#exchange, { clock, timers, random: createRandom(1).fork(life.name) });
    const ending = runPipeline(
      {
        exchange: patient,
        journal: this.journal.open(life),
        makeCore: (one) => dress(makeCore({ writer: life.name, settings: this.#protocol }, one), life.name),
        strategy: unwrap(prepareStrategy(strategy, {})),
        strategies$: NEVER,
        references$: NEVER,
        control$,
        lastCheck: () => undefined,
        followState: (standing) => {
          this.#standing = standing;
        },
        isGone: this.#isGone,
        identity: { codeVersion: "test", configDigest: "test" },
        clock,
        scheduler: timerScheduler(clock, timers),
        watch: {
          core: (tradingCore) => {
            if (life.isAlive) this.tradingCore = tradingCore;
          },
        },
        settings,
      },
      new AbortController().signal,
    );
    ending.then(
      ({ reason }) => life.isAlive && this.bugs.push(reason),
      (error) => life.isAlive && this.bugs.push(error),
    );
    return life;
  }

  mint(options: Partial<MintOptions> & { readonly asset?: string } = {}): Command {
    const { asset = "VCHF", ...rest } = options;
    return this.command((tool, person) =>
      mintWith(tool, person, asset, { chain: "ETH", quantity: "120000", yes: true, ...rest }),
    );
  }

  rail(direction: "on" | "off", template: string | undefined, options: RailOptions = {}): Command {
    return this.command((tool, person) => railWith(tool, person, { direction, template }, { yes: true, ...options }));
  }

  /** To the bot, as its own guards give it. */
  control(control: Control): void {
    this.#control$?.next(control);
  }

  /** A person takes the bot's stop back; it has to run. */
  resume(): void {
    this.#standing = FRESH;
    this.#control$?.next({ kind: "resume", reason: "the operator has looked", by: "operator" });
  }

  get standing(): TradingState {
    return this.#standing;
  }

  /** Commands are given with --json. */
  wantsJson = false;

  /** A command of a person, in a process of its own that can be killed. */
  command(work: (tool: MoneyCommand, person: Person) => Promise<number>): Command {
    const life = this.#born();
    const shell = recordedShell({ json: this.wantsJson });
    const stop = new AbortController();
    const command: Command = { life, finished: undefined, stop: () => stop.abort() };
    const person = { shell, prompts: scriptedPrompts(), stop: stop.signal };
    const end = (code: number, more = ""): void => {
      if (life.isAlive) command.finished = { code, stdout: shell.stdout(), stderr: shell.stderr() + more };
      life.kill();
    };
    work(this.#tool(life), person).then(end, (error: unknown) => {
      const { code, lines } = explain(error);
      end(code, lines.join("\n"));
    });
    return command;
  }

  /** What the journal says now, as whoever starts next will know it. */
  reader(): TradingCore {
    const life = new Life("reader");
    const core = makeCore({ writer: "reader00", settings: this.#protocol }, IDLE);
    return unwrap(restore(createTradingCore(core, { safePointMs: Number.POSITIVE_INFINITY }), this.journal.open(life)));
  }

  /** Bodies and outcomes of the calls that reached the venue. */
  calls(name: string): readonly { readonly path: string; readonly outcome: string }[] {
    return this.venue.requests().filter(({ path }) => path.endsWith(`/${name}`));
  }

  halts(): readonly string[] {
    return this.records().flatMap((record) =>
      record.kind === "step" && record.step.event.kind === "control" && record.step.event.control.kind === "halt"
        ? [record.step.event.control.reason]
        : [],
    );
  }

  records(): readonly JournalRecord[] {
    return this.journal.entries.map(({ record }) => record);
  }

  setFaults(faults: FaultsSetting): void {
    this.venue.setFaults(faults);
  }

  async pass(ms: number): Promise<void> {
    const until = this.time.clock.monotonic() + ms;
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.bugs.length === 0 && this.time.step(until) !== undefined);
    if (this.bugs.length > 0) throw this.bugs[0];
  }

  /** Until the command has ended, within so much virtual time. */
  async end(command: Command, withinMs = 600_000): Promise<Finished> {
    for (let passed = 0; passed < withinMs && command.finished === undefined; passed += 1_000) await this.pass(1_000);
    if (command.finished === undefined) throw new Error(`the command must end within ${withinMs} ms`);
    return command.finished;
  }

  moment() {
    const now = this.time.clock.now();
    return { venue: now, settlement: now };
  }

  #tool(life: Life): MoneyCommand {
    const timers = life.timers(this.#timers);
    const clock = createVenueClock(this.#clock);
    const now = (): Moment => ({ at: clock.now(), mono: clock.monotonic() });
    const journal = this.journal.open(life);
    const core = makeCore({ writer: life.name, settings: this.#protocol, limits: this.limits ?? {} }, IDLE);
    const tradingCore = unwrap(restore(createTradingCore(core, { safePointMs: Number.POSITIVE_INFINITY }), journal));
    const exchange = this.#exchange;
    const check = (): string | undefined => (this.#standing.state === "HALTED" ? this.#standing.reason : undefined);
    const isGone = this.#isGone;
    const dispatch = createDispatch({
      exchange,
      journal,
      core: () => tradingCore,
      now,
      catchUp: () => catchUp({ journal, core: tradingCore, isGone, now }),
      lastCheck: check,
      heard: clock.heard,
    });
    const done = () => ok(undefined);
    const killFile = { check, standing: () => this.#standing, write: done, remove: done };
    const config = configSchema.parse(this.#config);
    const widerLimits = (only = "") => (this.otherLimits?.includes(only) ? this.otherLimits : undefined);
    const beside = { isGone, widerLimits, replaces: async () => undefined, bind: async () => {} };
    const parts = { config, exchange, journal, killFile, tradingCore, dispatch, clock, timers, now, ...beside };
    return assembleMoneyCommand(parts);
  }

  #born(): Life {
    this.#lives += 1;
    const life = new Life(`life${String(this.#lives).padStart(4, "0")}`);
    this.#alive.set(life.name, life);
    return life;
  }
}

export type Command = { readonly life: Life; finished: Finished | undefined; stop(): void };

/** A bot that trades nothing and looks seldom: for days of virtual time. */
export const SLOW_BOT: BotOptions = {
  strategy: { name: "still", decide: () => undefined } as unknown as typeof restless,
  settings: {
    ...pipelineDefaults,
    tickMs: 30_000,
    polls: { ...pipelineDefaults.polls, quotesMs: 600_000, balancesMs: 600_000, historiesMs: 3_600_000 },
  },
};

/** The same for weeks. */
export const DAYS_BOT: BotOptions = {
  ...SLOW_BOT,
  settings: {
    ...pipelineDefaults,
    tickMs: 300_000,
    polls: { ...pipelineDefaults.polls, quotesMs: 3_600_000, balancesMs: 3_600_000, historiesMs: 3_600_000 },
  },
};

/** Of one kind, as the journal has them. */
export function recordsOf<K extends JournalRecord["kind"]>(
  world: TreasuryWorld,
  kind: K,
): Extract<JournalRecord, { kind: K }>[] {
  return world.records().filter((record) => record.kind === kind) as Extract<JournalRecord, { kind: K }>[];
}

/** Kills the command when it writes such a record: before it is on disk, or after. */
export function atRecord(when: "before" | "after", kind: JournalRecord["kind"]) {
  return (world: TreasuryWorld, { life }: Command): void => {
    world.journal.hook = (writer, moment, records) => {
      if (writer === life && moment === when && records.some((record) => record.kind === kind)) life.kill();
    };
  };
}

/** Kills the command when its bytes have arrived. */
export function atArrival(call: string) {
  return (world: TreasuryWorld, { life }: Command): void => {
    world.venue.onCall = (path) => {
      if (path.endsWith(`/${call}`)) life.kill();
    };
  };
}

/** A person closes what evidence did not decide. */
export function close(world: TreasuryWorld, id: string, options: ResolveOptions): Command {
  return world.command((tool, person) => {
    const submission = tool.tradingCore.executor.get(id);
    if (submission === undefined) throw new Error(`the journal must know ${id}`);
    return resolveMovement(tool, person, submission, { ...options, reason: "support says so", yes: true });
  });
}

export function whitelist(
  world: TreasuryWorld,
  { address = WALLET, label = "Treasury", status = "Confirmed" as "Confirmed" | "Unconfirmed" } = {},
): void {
  const travelRule = { originator: "us", beneficiary: "us" };
  const row = { asset: VCHF, blockchain: "ETH", address, label, status, travelRule };
  if (!world.venue.venue.whitelist(KEY, row).ok) throw new Error("the venue must take the address");
}

/** What the venue has of each asset is what the ledger says, coins in flight included where it counts them as pending. */
export function expectSameBooks(world: TreasuryWorld): void {
  const { accounts } = world.reader().engine.books;
  const rows = world.venue.venue.balances(KEY, world.moment());
  if (!rows.ok) throw new Error("the venue must tell its balances");
  for (const { asset, available, pending } of rows.value) {
    const zero = Money.zero(asset);
    const expected = [asset, String(available), String(pending)];
    const flying = pending.isZero() ? zero : accounts.inFlight(asset);
    expect([asset, String(accounts.settled(asset) ?? zero), String(flying)]).toEqual(expected);
  }
}
