// The processes of a life on one journal: the real pipeline with its start, trading core, executor and accounts, killed and started
// again; commands of other processes; a person who adopts what differs and lets the bot go on.

import { NEVER, Subject } from "rxjs";
import { timerScheduler } from "../../../src/app/system/scheduler.ts";
import type { Core } from "../../../src/bot/core.ts";
import { type CoreParts, createCore } from "../../../src/bot/core.ts";
import { pollDefaults } from "../../../src/bot/effects/poll-schedule.ts";
import type { Engine } from "../../../src/bot/engine.ts";
import type { Input } from "../../../src/bot/input.ts";
import { OperationLine } from "../../../src/bot/operation-line.ts";
import { runPipeline } from "../../../src/bot/pipeline.ts";
import { pipelineDefaults } from "../../../src/bot/pipeline-settings.ts";
import type { Turn } from "../../../src/bot/turn.ts";
import type { Control, Event } from "../../../src/domain/event.ts";
import { createIds } from "../../../src/domain/ids.ts";
import type { MintIntent, MintRecord } from "../../../src/domain/mint.ts";
import type { Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { OrderIntent } from "../../../src/domain/step.ts";
import type { Clock, Timers } from "../../../src/domain/time.ts";
import type { Exchange } from "../../../src/exchange/port.ts";
import { compareWithVenue, comparisonAsks } from "../../../src/execution/adjustment.ts";
import { createDispatch, type Dispatch } from "../../../src/execution/dispatch.ts";
import type { Answer } from "../../../src/execution/effects.ts";
import { DEFAULT_SETTINGS } from "../../../src/execution/parameters.ts";
import type { Moment } from "../../../src/execution/request.ts";
import { isEscalated } from "../../../src/execution/request.ts";
import { isUncosted, resolutionRefusal } from "../../../src/execution/request-state.ts";
import { prepareStrategy, type Strategy } from "../../../src/strategy/prepare.ts";
import { judgedPlan } from "../../execution/moving.ts";
import { LIFE_LIMITS, SHORT_PROTOCOL } from "../../support/bot-core.ts";
import { CrashJournal, Life } from "../../support/crash-journal.ts";
import { START } from "../../support/lockstep.ts";
import { createVirtualTime, type VirtualTime } from "../../support/virtual-time.ts";
import { Wire } from "./exchange.ts";
import { feeOf, type Kind } from "./kinds.ts";
import { NetVenue, PAIR, VCHF } from "./venue.ts";

/** Quotes are read every 10 s instead of every second, which is faster here, and are good for a minute instead of 10 s. */
const SETTINGS = { ...pipelineDefaults, polls: { ...pollDefaults, quotesMs: 10_000 } };
const LIMITS = { ...LIFE_LIMITS, referenceAgeMsMax: 60_000 };

export type Weaken = (core: Core) => Core;

export class NetWorld {
  readonly time: VirtualTime = createVirtualTime(START);
  readonly venue: NetVenue;
  readonly wire: Wire;
  readonly journal: CrashJournal;
  readonly bugs: unknown[] = [];
  /** Asked at each quote. */
  readonly strategy: Strategy;
  /** Called for each recorded event and each note of the bot. */
  onEvent: ((event: Event) => void) | undefined;
  onNote: ((text: string) => void) | undefined;
  readonly #kind: Kind;
  readonly #weaken: Weaken;
  readonly #timers: Timers;
  readonly #control$ = new Subject<Control>();
  #line = new OperationLine();
  #bot: Life | undefined;
  #tradingCore: Engine | undefined;
  #isTrading = false;
  #processes = 0;

  constructor(kind: Kind, random: Random, strategy: object, weaken: Weaken = (core) => core) {
    this.#kind = kind;
    this.#weaken = weaken;
    this.#timers = this.time.timers("net");
    const { clock } = this.time;
    this.venue = new NetVenue(random.fork("venue"), () => clock.now());
    this.wire = new Wire(clock, this.#timers, this.venue, random.fork("wire"), kind);
    this.strategy = unwrap(prepareStrategy(strategy, {}));
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

  get tradingCore(): Engine {
    if (this.#tradingCore === undefined) throw new Error("no bot has begun");
    return this.#tradingCore;
  }

  get bot(): Life | undefined {
    return this.#bot?.isAlive === true ? this.#bot : undefined;
  }

  /** The strategy has its host. */
  get isTrading(): boolean {
    return this.bot !== undefined && this.#isTrading;
  }

  get clock(): Clock {
    return this.time.clock;
  }

  get now(): Moment {
    return { at: this.clock.now(), mono: this.clock.monotonic() };
  }

  after(ms: number, run: () => void): void {
    this.#timers.after(ms, run);
  }

  /** Another process of the bot, which folds the whole journal. */
  begin(): void {
    const life = this.#process("bot");
    this.#bot = life;
    this.#isTrading = false;
    const timers = life.timers(this.#timers);
    const { clock } = this;
    const line = new OperationLine();
    this.#line = line;
    const pipeline = runPipeline(
      {
        exchange: this.wire.exchange(life),
        journal: this.journal.open(life),
        makeCore: (strategy) => this.#weaken(this.#core(life, strategy)),
        strategy: this.strategy,
        strategies$: NEVER,
        references$: NEVER,
        control$: this.#control$,
        lastCheck: () => undefined,
        followState: () => undefined,
        operations: line,
        identity: { codeVersion: "test", configDigest: "test" },
        clock,
        scheduler: timerScheduler(clock, timers),
        watch: {
          core: (tradingCore) => {
            if (life.isAlive) this.#tradingCore = tradingCore;
          },
          phase: ({ kind }) => {
            if (life.isAlive && kind === "trading") this.#isTrading = true;
          },
          step: ({ event }) => this.onEvent?.(event),
          note: (text) => this.onNote?.(text),
        },
        settings: SETTINGS,
      },
      new AbortController().signal,
    );
    pipeline.then(
      (ending) => life.isAlive && this.bugs.push(new Error(ending.reason)),
      (error) => life.isAlive && this.bugs.push(error),
    );
  }

  kill(life: Life | undefined): void {
    life?.kill();
    this.#line.close("killed");
  }

  /** Asked of the bot; without one it is refused. */
  command(name: string, isFresh = false): Command {
    const life = this.#process(name);
    return new Command(this, life, this.wire.exchange(life, isFresh), this.#line);
  }

  resume(): void {
    this.#control$.next({ kind: "resume", reason: "the difference is adopted", by: "person" });
  }

  async pass(ms: number): Promise<void> {
    const until = this.clock.monotonic() + ms;
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.bugs.length === 0 && this.time.step(until) !== undefined);
  }

  #process(name: string): Life {
    return new Life(`${name}${String(++this.#processes).padStart(5, "0")}`);
  }

  #core({ name: writer }: Life, strategy: Strategy): Core {
    const ids = createIds("T", writer);
    const settings = { ...SHORT_PROTOCOL, escalateAfterMs: DEFAULT_SETTINGS.escalateAfterMs };
    const par = new Map([[PAIR, { bandBps: 499 }]]);
    const fees: Partial<CoreParts> = {
      limits: { ...LIMITS, feeBpsMax: 0 },
      railFee: ({ type }, amount) => (type === "FiatToStablecoin" ? feeOf(amount) : undefined),
    };
    return createCore(strategy, {
      ...{ limits: LIMITS, par, ids, writer, settings },
      ...(this.#kind.fees === "configuration" ? fees : {}),
    });
  }
}

/** What a person asks of the running bot: its inputs are decided there, and what they send leaves by its pipeline. */
export class Command {
  readonly name: string;
  readonly exchange: Exchange;
  readonly #world: NetWorld;
  readonly #line: OperationLine;
  readonly #dispatch: Dispatch;

  constructor(world: NetWorld, { name }: Life, exchange: Exchange, line: OperationLine) {
    this.#world = world;
    this.name = name;
    this.exchange = exchange;
    this.#line = line;
    this.#dispatch = createDispatch({
      exchange,
      journal: world.journal.open(new Life(name)),
      core: () => world.tradingCore,
      now: () => world.now,
      lastCheck: () => undefined,
      heard: () => undefined,
    });
  }

  /** Rejects if the owner is killed first. */
  take(input: Input): Promise<Turn> {
    return this.#line.take(input);
  }

  /** An answer to the question, or undefined where the venue gave none. */
  async ask(witness: Answer["witness"]): Promise<Answer | undefined> {
    const asset = witness === "supply-changes" ? VCHF : undefined;
    const heard = await this.#dispatch.ask({ witness, asset, class: "other" });
    return heard.kind === "answer" ? heard.answer : undefined;
  }

  /** As `pegbot resolve` with the portal open: closes what never happened, and states what a listed mint cost. */
  async resolve(): Promise<readonly string[]> {
    const closed: string[] = [];
    for (const submission of this.#world.tradingCore.executor.open()) {
      const { id, kind, request, state } = submission;
      if (isUncosted(submission) && "receipt" in state) {
        const receipt = this.#world.venue.receipts.get((state.receipt as MintRecord).requestId);
        if (receipt === undefined) continue;
        const stated = {
          kind: "landed",
          by: "person",
          reason: "the portal",
          receipt: { ...receipt, status: undefined },
        } as const;
        await this.take({ kind: "resolution", id, resolution: stated });
        closed.push(`${id}, cost stated`);
      }
      if (kind === "rail" || !isEscalated(state)) continue;
      if (this.#world.venue.has(id, (request as OrderIntent | MintIntent).quantity)) continue;
      if (resolutionRefusal(submission, "not-landed") !== undefined) continue;
      const resolution = { kind: "not-landed", by: "person", reason: "the venue has not executed it" } as const;
      await this.take({ kind: "resolution", id, resolution });
      closed.push(id);
    }
    return closed;
  }

  /** As `pegbot adopt`: says why nothing was adopted. `beside`: ids that a refusal named. */
  async adopt(beside: readonly string[]): Promise<string | undefined> {
    const { executor, books } = this.#world.tradingCore;
    const { changes } = this.#world.venue;
    const answers: Answer[] = [];
    for (const { witness } of comparisonAsks([VCHF], executor.treasury.hasRails)) {
      const answer = await this.ask(witness);
      if (answer === undefined) return `${witness} could not be read`;
      if (witness === "payments") await this.take({ kind: "answer", answer });
      answers.push(answer);
    }
    const { now } = this.#world;
    const { moves } = this.#line;
    const compared = compareWithVenue(executor, answers, books.accounts, now);
    if (!compared.ok) return compared.error;
    const plan = judgedPlan(compared.value, { reason: "looked at the portal", by: "person", beside }, now.at);
    if (!plan.ok) return plan.error;
    const moved = "the account moved while it was looked at";
    if (this.#world.venue.changes !== changes) return moved;
    const { event: _, record, ...more } = plan.value;
    if (record.amounts.length === 0) return undefined;
    const why = () => (this.#line.moves === moves ? undefined : moved);
    const turn = await this.take({ kind: "unless", why, input: { kind: "adoption", adoption: record, ...more } });
    return turn.refusal?.message;
  }
}
