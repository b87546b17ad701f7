// The processes of a life on one journal: the real pipeline with its start, trading core, executor and accounts, killed and started
// again; commands of other processes; a person who adopts what differs and lets the bot go on.

import { firstValueFrom, NEVER, Subject } from "rxjs";
import { timerScheduler } from "../../../src/app/bot/pipeline-parts.ts";
import { type CoreParts, createCore } from "../../../src/bot/core.ts";
import { createDispatch, type Dispatch } from "../../../src/bot/effects/dispatch.ts";
import { pollDefaults } from "../../../src/bot/effects/poll-schedule.ts";
import { createJournaledCore } from "../../../src/bot/journaled-core/journaled-core.ts";
import { restoreFrom } from "../../../src/bot/journaled-core/restore.ts";
import { runPipeline } from "../../../src/bot/pipeline.ts";
import { pipelineDefaults } from "../../../src/bot/pipeline-settings.ts";
import { IDLE } from "../../../src/bot/strategy-host/strategy-state.ts";
import { createTradingCore } from "../../../src/bot/trading-core/create-trading-core.ts";
import type { Input } from "../../../src/bot/trading-core/input.ts";
import type { Core, TradingCore } from "../../../src/bot/trading-core/trading-core.ts";
import type { Turn } from "../../../src/bot/trading-core/turn.ts";
import type { Control, Event } from "../../../src/domain/event.ts";
import { createIds } from "../../../src/domain/ids.ts";
import type { MintIntent, MintRecord } from "../../../src/domain/mint.ts";
import type { Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { OrderIntent } from "../../../src/domain/step.ts";
import type { Clock, Timers } from "../../../src/domain/time.ts";
import type { Exchange } from "../../../src/exchange/port.ts";
import { compareWithVenue, comparisonAsks } from "../../../src/execution/adjustment.ts";
import type { Answer } from "../../../src/execution/effects.ts";
import { DEFAULT_SETTINGS } from "../../../src/execution/parameters.ts";
import type { Moment } from "../../../src/execution/request.ts";
import { isEscalated } from "../../../src/execution/request.ts";
import { isUncosted, resolutionRefusal } from "../../../src/execution/request-state.ts";
import type { Entry } from "../../../src/journal/record.ts";
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
  readonly #gone = new Set<string>();
  #bot: Life | undefined;
  #tradingCore: TradingCore | undefined;
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

  get tradingCore(): TradingCore {
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
        isGone: (writer) => this.#isGone(writer, life),
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
    if (life !== undefined) this.#gone.add(life.name);
  }

  /** A process other than the bot; it ends, or is killed, by `kill`. */
  command(name: string, isFresh = false): Command {
    const life = this.#process(name);
    return new Command(
      this,
      life,
      this.wire.exchange(life, isFresh),
      () => this.#core(life, IDLE),
      (writer) => this.#isGone(writer, life),
    );
  }

  timersOf(life: Life): Timers {
    return life.timers(this.#timers);
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

  #isGone(writer: string, self: Life): boolean {
    return writer !== self.name && this.#gone.has(writer);
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

export class Command {
  readonly life: Life;
  readonly #world: NetWorld;
  readonly exchange: Exchange;
  readonly dispatch: Dispatch;
  readonly tradingCore: TradingCore;
  readonly #commit: (input: Input) => Promise<Turn>;

  constructor(
    world: NetWorld,
    life: Life,
    exchange: Exchange,
    makeCore: () => Core,
    isGone: (writer: string) => boolean,
  ) {
    this.#world = world;
    this.life = life;
    this.exchange = exchange;
    const journal = world.journal.open(life);
    const now = (): Moment => world.now;
    const journaled = unwrap(
      createJournaledCore({
        journal,
        restored: () =>
          restoreFrom(
            () => createTradingCore(makeCore(), { safePointMs: Number.POSITIVE_INFINITY }),
            journal,
            undefined,
          ),
        followState: () => undefined,
        now,
        scheduler: timerScheduler(world.clock, world.timersOf(life)),
        onTrouble: () => undefined,
        watch: {},
        retryMs: 1_000,
      }),
    );
    this.tradingCore = journaled.core;
    this.#commit = (input) => firstValueFrom(journaled.commit(input));
    this.dispatch = createDispatch({
      exchange,
      journal,
      core: () => journaled.core,
      now,
      catchUp: () => journaled.catchUp(isGone),
      lastCheck: () => undefined,
      heard: () => undefined,
    });
    this.#isGone = isGone;
  }

  readonly #isGone: (writer: string) => boolean;

  take(input: Input): Promise<Turn> {
    return this.#commit(input);
  }

  /** An answer to the question, or undefined where the venue gave none. */
  async ask(witness: Answer["witness"]): Promise<Answer | undefined> {
    const asset = witness === "supply-changes" ? VCHF : undefined;
    const heard = await this.dispatch.ask({ witness, asset, class: "other" });
    return heard.kind === "answer" ? heard.answer : undefined;
  }

  /** What the turn approved is sent, and its outcome recorded. */
  async send({ sends }: Turn): Promise<void> {
    for (const approval of sends) {
      const { id, outcome, control } = await this.dispatch.send(approval);
      await this.take({ kind: "outcome", id, outcome, control });
    }
  }

  /** Before anything is decided: what processes that are gone were sending counts as unknown. */
  async decide(input: Input): Promise<Turn> {
    await this.take({ kind: "lost", isGone: this.#isGone });
    return this.take(input);
  }

  /** As `pegbot resolve` with the portal open: closes what never happened, and states what a listed mint cost. */
  async resolve(): Promise<readonly string[]> {
    const closed: string[] = [];
    for (const submission of this.tradingCore.executor.open()) {
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
    const { executor, engine } = this.tradingCore;
    const from = this.#world.journal.entries.length;
    const { changes } = this.#world.venue;
    const answers: Answer[] = [];
    for (const { witness } of comparisonAsks([VCHF], executor.treasury.hasRails)) {
      const answer = await this.ask(witness);
      if (answer === undefined) return `${witness} could not be read`;
      if (witness === "payments") await this.take({ kind: "answer", answer });
      answers.push(answer);
    }
    await this.take({ kind: "news" });
    const { now } = this.#world;
    const compared = compareWithVenue(executor, answers, engine.books.accounts, now);
    if (!compared.ok) return compared.error;
    const plan = judgedPlan(compared.value, { reason: "looked at the portal", by: "person", beside }, now.at);
    if (!plan.ok) return plan.error;
    const news = this.#world.journal.entries.slice(from).filter(({ writer }) => writer !== this.life.name);
    if (news.some(movesMoney) || this.#world.venue.changes !== changes)
      return "the account moved while it was looked at";
    const { event: _, record, ...more } = plan.value;
    if (record.amounts.length === 0) return undefined;
    await this.take({ kind: "adoption", adoption: record, ...more });
    return undefined;
  }
}

function movesMoney({ record }: Entry): boolean {
  if (record.kind === "step") return record.step.event.kind === "report" || record.step.event.kind === "movement";
  return ["intent", "sending", "outcome", "resolution", "adoption"].includes(record.kind);
}
