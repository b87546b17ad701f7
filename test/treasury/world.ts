// A world for mints and rails: the simulator's service through memory on virtual time, one journal that outlives its owners,
// persons who ask the running bot, or are the owner of the key themselves where there is none. Any can be killed at any write.

import { NEVER, Subject } from "rxjs";
import { expect } from "vitest";
import { type AnswerParts, type Answers, createAnswers } from "../../src/app/owner/answer.ts";
import type { Ask } from "../../src/app/owner/client.ts";
import { rebalancerParts } from "../../src/app/owner/owner-parts.ts";
import { planAnswers } from "../../src/app/owner/plan-answers.ts";
import { explain, type Shell } from "../../src/app/shell.ts";
import { timerScheduler } from "../../src/app/system/scheduler.ts";
import type { Prompts } from "../../src/app/terminal/prompts.ts";
import type { Terminal } from "../../src/app/terminal/terminal.ts";
import type { Ending } from "../../src/bot/bot.ts";
import type { Core } from "../../src/bot/core.ts";
import { Engine } from "../../src/bot/engine.ts";
import type { Input, PlanDecision } from "../../src/bot/input.ts";
import { OperationLine } from "../../src/bot/operation-line.ts";
import { runPipeline } from "../../src/bot/pipeline.ts";
import { type PipelineSettings, pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { restoreFrom } from "../../src/bot/snapshot.ts";
import { IDLE } from "../../src/bot/strategy-host/strategy-state.ts";
import { asked } from "../../src/cli/asking.ts";
import { type Config, configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import type { Control } from "../../src/domain/event.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { type Clock, millis, type Timers } from "../../src/domain/time.ts";
import { withBackoff } from "../../src/exchange/backoff.ts";
import { createExchange } from "../../src/exchange/client.ts";
import type { Signer } from "../../src/exchange/key/signer.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import { presets } from "../../src/exchange/profile.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/execution/parameters.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import type { MintInput } from "../../src/operation/mint.ts";
import type { Owner } from "../../src/operation/owner.ts";
import type { RailInput } from "../../src/operation/rail.ts";
import type { ResolveInput } from "../../src/operation/resolve.ts";
import { MONEY_OPERATIONS, OPERATIONS } from "../../src/operation/table.ts";
import { FRESH, type TradingState } from "../../src/risk/trading-state.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { depositAddressOf } from "../../src/simulator/core/venue-core.ts";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { DEMO_MARKET, type MarketParameters } from "../../src/simulator/market/parameters.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { Rebalancer } from "../../src/treasury/rebalancer/rebalancer.ts";
import restless from "../fixture/strategy/restless.ts";
import { type CoreOptions, LIFE_LIMITS, makeCore } from "../support/bot-core.ts";
import { CrashJournal, Life } from "../support/crash-journal.ts";
import { START } from "../support/lockstep.ts";
import { memoryBudget } from "../support/memory-budget.ts";
import { createMemoryVenue, type MemoryVenue } from "../support/memory-network.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
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

type Running = Pick<AnswerParts, "line" | "exchange" | "config"> & {
  readonly ending: Promise<Ending>;
  readonly timers: Timers;
};

type OwnerOptions = Pick<BotOptions, "settings" | "dress" | "limits"> & {
  readonly strategy: Strategy;
  readonly config: Config;
  readonly isHeld?: boolean;
  readonly stop?: AbortSignal;
};

export type Asking = {
  readonly config?: Config;
  readonly flags?: readonly string[];
  readonly preview?: boolean;
  readonly yes?: boolean;
  readonly show?: (terminal: Terminal, shown: unknown) => void;
  readonly shell?: ReturnType<typeof recordedShell>;
  readonly prompts?: Prompts;
  readonly through?: ((line: OperationLine) => OperationLine) | undefined;
  readonly isHeld?: boolean;
  /** Asked over HTTP with the token of this person, where it is an approval. */
  readonly token?: string;
};

export type BotOptions = {
  readonly config?: Config;
  readonly limits?: CoreOptions["limits"];
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
  readonly #config: Config;
  #lives = 0;
  #standing: TradingState = FRESH;
  #control$: Subject<Control> | undefined;
  /** All processes of a key share one line of slots, as the ledger of the key gives it to them. */
  readonly #exchange: Exchange;
  tradingCore: Engine | undefined;
  /** So much our own wall clock is ahead of the venue's. */
  aheadMs = 0;
  /** Ours: of the venue's only the speed is the same. */
  readonly #clock: Clock;
  /** A command without a bot. */
  #alone: Life | undefined;
  #running: (Running & { readonly life: Life }) | undefined;

  private constructor(time: VirtualTime, venue: MemoryVenue, protocol: Settings, mintFunding: string) {
    this.#protocol = protocol;
    const { venue: ours } = CONFIG;
    const parsed = configSchema.parse({ ...CONFIG, venue: { ...ours, profile: { ...ours.profile, mintFunding } } });
    this.#config = { ...parsed, mode: "live", risk: LIFE_LIMITS };
    this.time = time;
    this.venue = venue;
    this.#timers = time.timers("process");
    const { clock } = time;
    this.#clock = { now: () => millis(clock.now() + this.aheadMs), monotonic: clock.monotonic };
    this.#exchange = createExchange({
      clock: this.#clock,
      budget: memoryBudget(this.#clock, this.#timers),
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
    market: MarketParameters = DEMO_MARKET,
  ): Promise<TreasuryWorld> {
    const time = createVirtualTime(START);
    const timers = time.timers("venue");
    const venue = await createMemoryVenue({ seed, clock: time.clock, timers, key: KEY, funds, settings, market });
    return new TreasuryWorld(time, venue, protocol, settings.mintFundingField ?? "none");
  }

  /** A bot that trades and follows; dead ones before it are taken over. */
  bot({
    strategy = restless,
    settings = pipelineDefaults,
    dress = (core) => core,
    config = this.#config,
    limits = {},
  }: BotOptions = {}): Life {
    // A key has one owner: who has it ends first.
    this.#alone?.kill();
    const life = this.#born();
    const owner = this.#owner(life, {
      strategy: unwrap(prepareStrategy(strategy, {})),
      settings,
      dress,
      config,
      limits,
    });
    this.#running = { life, ...owner };
    owner.ending.then(
      ({ reason }) => life.isAlive && this.bugs.push(reason),
      (error) => life.isAlive && this.bugs.push(error),
    );
    return life;
  }

  /** An owner that lasts as long as its command has no strategy. */
  #owner(
    life: Life,
    {
      strategy,
      settings = pipelineDefaults,
      dress = (core) => core,
      config,
      limits = {},
      isHeld = false,
      stop,
    }: OwnerOptions,
  ): Running {
    const timers = life.timers(this.#timers);
    const clock = this.#clock;
    const control$ = new Subject<Control>();
    this.#control$ = control$;
    const line = new OperationLine();
    const exchange = withBackoff(this.#exchange, { clock, timers, random: createRandom(1).fork(life.name) });
    const parts = rebalancerParts(config, 7);
    const withPlans = (core: Core): Core =>
      parts === undefined ? core : { ...core, rebalancer: new Rebalancer({ ...parts, writer: life.name }) };
    const ending = runPipeline(
      {
        exchange,
        journal: this.journal.open(life),
        makeCore: (one) =>
          dress(withPlans(makeCore({ writer: life.name, settings: this.#protocol, limits }, one)), life.name),
        strategy,
        strategies$: NEVER,
        references$: NEVER,
        control$,
        operations: line,
        isHeld,
        lastCheck: () => (this.#standing.state === "HALTED" ? this.#standing.reason : undefined),
        followState: (standing) => {
          this.#standing = standing;
        },
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
      stop ?? new AbortController().signal,
    );
    return { ending, line, exchange, config, timers };
  }

  killBot(): void {
    this.#running?.life.kill();
  }

  /** The owner's side of what a person asks. `through`: a line that does something of its own. */
  #answers(running: Running, config: Config, through: (line: OperationLine) => OperationLine): Answers {
    const line = through(running.line);
    const killFile = { standing: () => this.#standing };
    return createAnswers({
      ...{ config, line, exchange: running.exchange, killFile, timers: running.timers, clock: this.#clock },
      opening: { at: START },
      phase: () => "starting",
      owner: planAnswers({ config, line, killFile }) as Partial<AnswerParts["owner"]> as AnswerParts["owner"],
    });
  }

  mint({ asset = "VCHF", ...given }: Partial<MintInput> = {}, asking: Asking = {}): Command {
    return this.asks("mint", { asset, chain: "ETH", quantity: "120000", ...given }, asking);
  }

  rail(
    direction: "on" | "off",
    template: string | undefined,
    given: Partial<RailInput> = {},
    asking: Asking = {},
  ): Command {
    return this.asks("rail", { direction, template, ...given }, asking);
  }

  order(input: object, asking: Asking = {}): Command {
    return this.asks("order", { side: "buy", symbol: "VCHF/CHF", quantity: "100", price: "1.02", ...input }, asking);
  }

  /** A person asks for this operation, by --yes unless told otherwise. */
  asks(name: string, input: object, { flags = [], preview, yes = true, show, ...how }: Asking = {}): Command {
    const wanted = { name, input, flags, ...(show && { show }) };
    const isHeld = MONEY_OPERATIONS.find((one) => one.name === name)?.begins === "restored";
    const given = { yes, ...(preview !== undefined && { preview }) };
    return this.command((ask, shell, prompts) => asked(shell, ask, wanted, given, prompts), { ...how, isHeld });
  }

  /** To the bot, as its own guards give it. */
  control(control: Control): void {
    this.#control$?.next(control);
  }

  /** What a person decides about plans: in a turn of the running bot, or by the books alone. */
  async decide(...records: PlanDecision["records"]): Promise<void> {
    if (this.#running?.life.isAlive !== true) unwrap(await this.journal.open(new Life("person")).append(records));
    else this.#running.line.take({ kind: "plan", decide: () => ({ records }) }).catch((error) => this.bugs.push(error));
  }

  /** A person takes the bot's stop back; it has to run. */
  resume(): void {
    this.#standing = FRESH;
    const control = { kind: "resume", reason: "the operator has looked", by: "operator" } as const;
    this.#running?.line.take({ kind: "control", control }).catch(() => undefined);
  }

  get standing(): TradingState {
    return this.#standing;
  }

  /** Commands are given with --json. */
  wantsJson = false;

  /** A command of a person: its life is that of the owner where no bot runs. */
  command(
    work: (ask: Ask, shell: Shell, prompts: Prompts) => Promise<number>,
    { config, shell = recordedShell({ json: this.wantsJson }), prompts = scriptedPrompts(), ...more }: Asking = {},
  ): Command {
    const { through = (line) => line, isHeld = false, token } = more;
    const life = this.#born();
    const stop = new AbortController();
    const running = this.#running?.life.isAlive === true ? this.#running : undefined;
    const command: Command = { life: running?.life ?? life, finished: undefined, stop: () => stop.abort() };
    const over = new AbortController();
    const alone = (): Running =>
      this.#owner(life, {
        strategy: IDLE,
        config: config ?? this.#config,
        isHeld,
        stop: AbortSignal.any([stop.signal, over.signal]),
      });
    if (running === undefined) {
      this.#alone?.kill();
      this.#alone = life;
    }
    const owner = running ?? alone();
    const answers = this.#answers(owner, config ?? owner.config, through);
    const ask: Ask = async (name, request, hear) => {
      const operation = OPERATIONS.find((one) => one.name === name);
      if (token !== undefined && operation?.scope === "approve") {
        const plans = planAnswers({
          config: config ?? owner.config,
          line: owner.line,
          killFile: { standing: () => this.#standing },
        });
        const done = await operation.act(
          plans as Owner,
          { ...(request.input as object), by: token },
          { by: token, token },
        );
        return done.ok ? { kind: "answer", value: done.value } : { kind: "failed", exit: 3, error: done.error };
      }
      const answer = answers(name, request, hear, running === undefined ? new AbortController().signal : stop.signal);
      const ended = owner.ending.then(({ kind, reason }) =>
        kind === "stopped" ? answer : Promise.reject(new Error(reason)),
      );
      return Promise.race([answer, ended]);
    };
    const { clock } = this;
    const end = (code: number, line = ""): void => {
      if (command.life.isAlive) command.finished = { code, stdout: shell.stdout(), stderr: shell.stderr() + line };
      over.abort();
      life.kill();
    };
    work(ask, { ...shell, clock }, prompts).then(end, (error: unknown) => {
      const { code, lines } = explain(error);
      end(code, lines.join("\n"));
    });
    return command;
  }

  get clock(): Clock {
    return this.#clock;
  }

  /** What the journal says now, as whoever starts next will know it. */
  reader(): Engine {
    const life = new Life("reader");
    const core = makeCore({ writer: "reader00", settings: this.#protocol }, IDLE);
    return unwrap(
      restoreFrom(() => new Engine(core, { safePointMs: Number.POSITIVE_INFINITY }), this.journal.open(life)),
    );
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

  #born(): Life {
    this.#lives += 1;
    const life = new Life(`life${String(this.#lives).padStart(4, "0")}`);
    this.#alive.set(life.name, life);
    return life;
  }
}

/** `life`: of the owner that carries it out. */
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
export function close(
  world: TreasuryWorld,
  id: string,
  { filled, notFilled, landed, notLanded, ...input }: Closing,
  asking: Asking = {},
): Command {
  const as = filled ? "filled" : notFilled ? "not-filled" : landed ? "landed" : notLanded ? "not-landed" : "";
  return world.asks("resolve", { id, as, reason: "support says so", ...input }, asking);
}

export type Closing = Partial<Omit<ResolveInput, "id" | "as">> & {
  readonly filled?: boolean;
  readonly notFilled?: boolean;
  readonly landed?: boolean;
  readonly notLanded?: boolean;
};

/** The owner's line, but for what is given. */
function lineWith(changed: (line: OperationLine) => Partial<OperationLine>): Asking["through"] {
  return (line) => {
    const own = changed(line);
    return new Proxy(line, {
      get(target, name) {
        const found: unknown = Reflect.get(own, name) ?? Reflect.get(target, name, target);
        return typeof found === "function" ? found.bind(target) : found;
      },
    });
  };
}

/** Does this first, in a turn of its own, whenever such an input comes. */
export function before(kind: Input["kind"], first: (input: Input) => Input): Asking["through"] {
  return lineWith((line) => ({
    async take(input) {
      const inner = input.kind === "unless" ? input.input : input;
      if (inner.kind === kind) await line.take(first(inner));
      return line.take(input);
    },
  }));
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
  const { accounts } = world.reader().books;
  const rows = world.venue.venue.balances(KEY, world.moment());
  if (!rows.ok) throw new Error("the venue must tell its balances");
  for (const { asset, available, pending } of rows.value) {
    const zero = Money.zero(asset);
    const expected = [asset, String(available), String(pending)];
    const flying = pending.isZero() ? zero : accounts.inFlight(asset);
    expect([asset, String(accounts.settled(asset) ?? zero), String(flying)]).toEqual(expected);
  }
}
