// The clock and loop of a backtest: the same engine, polls, checks and budget as the running bot, against the
// simulator's core, in virtual time and without promises. The loop runs the next item that is due and its effects, then
// advances the time. There is no lookahead, because nothing is handed over before it arrives.

import type { Core } from "../../src/bot/core.ts";
import { NO_WORK, TurnEffects } from "../../src/bot/effects/effects.ts";
import { PollSchedule, type PollSettings, type Read } from "../../src/bot/effects/poll-schedule.ts";
import { createResponses, type Responses } from "../../src/bot/effects/responses.ts";
import { StartUp } from "../../src/bot/effects/startup.ts";
import { Engine } from "../../src/bot/engine.ts";
import { Inbox } from "../../src/bot/inbox/inbox.ts";
import { type Input, TIME } from "../../src/bot/input.ts";
import type { BotObserver } from "../../src/bot/observer.ts";
import { IDLE } from "../../src/bot/strategy-host/strategy-state.ts";
import { QUIET, type Turn } from "../../src/bot/turn.ts";
import type { BarEvent, QuoteEvent } from "../../src/domain/event.ts";
import { invariant } from "../../src/domain/invariant.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import type { MovementReport } from "../../src/domain/movement.ts";
import type { RailIntent } from "../../src/domain/rail.ts";
import { ok } from "../../src/domain/result.ts";
import type { Step } from "../../src/domain/step.ts";
import type { Millis } from "../../src/domain/time.ts";
import type { PacingSettings } from "../../src/exchange/budget/pacing.ts";
import type { Reading, WantClass } from "../../src/exchange/port.ts";
import type { Question } from "../../src/execution/dispatch.ts";
import type { MoneyRequest } from "../../src/execution/request.ts";
import { createPreSendChecks, type PreSendParts } from "../../src/execution/send.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import type { Approval } from "../../src/risk/treasury-gate.ts";
import type { FloatQuote } from "../../src/simulator/core/record.ts";
import type { VenueLine } from "../../src/simulator/venue-line.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { type Feed, FeedLine } from "./feed.ts";
import { Due, DueList, VirtualTime } from "./virtual-time.ts";
import { type Bot, Window } from "./window.ts";

export type ReplayParts = {
  readonly from: Millis;
  readonly to: Millis;
  readonly makeCore: (strategy: Strategy) => Core;
  readonly strategy: Strategy;
  readonly venue: { readonly line: VenueLine; readonly key: string };
  /** Makes the payments that rails wait for; without it no payment is made. */
  readonly payer?: Payer;
  readonly feeds: readonly Feed[];
  readonly journal: PreSendParts["journal"];
  readonly identity: { readonly codeVersion: string; readonly configDigest: string };
  readonly settings: ReplaySettings;
  readonly watch: ReplayWatcher;
};

export type Payer = {
  readonly afterMs: (rail: RailIntent) => number;
  readonly pay: (railId: string, amount: Quantity, at: Millis) => void;
};

export type ReplaySettings = {
  /** Interval between time events. */
  readonly tickMs: number;
  readonly firstQuotesMsMax: number;
  readonly safePointMs: number;
  /** How long the end of the run waits for an order in flight. */
  readonly stopMsMax: number;
  readonly polls: PollSettings;
  readonly pacing?: Partial<PacingSettings>;
  /** Delay from a decision until its order may ask for a slot. */
  readonly decisionMs?: number;
  /** Interval between calls of `sample`. */
  readonly sampleMs: number;
};

export type ReplayWatcher = BotObserver & {
  readonly slot?: (at: Millis, granted: WantClass) => void;
  readonly sample?: (at: Millis) => void;
  /** Called after every step of a turn has been passed to `step`, when the bot's accounts contain all of them. */
  readonly told?: () => void;
};

export type ReplayEnd = {
  readonly tradingCore: Engine;
  /** Undefined when the bot could start. */
  readonly refusal: string | undefined;
};

/** A backtest keeps no journal: the trace hashes the events. */
export const NO_JOURNAL: ReplayParts["journal"] = { announce: () => WRITTEN };
const WRITTEN = ok(undefined);

export function replay(parts: ReplayParts): ReplayEnd {
  return new Replay(parts).run();
}

class Replay implements Bot {
  private readonly parts: ReplayParts;
  private readonly time: VirtualTime;
  private readonly due = new DueList();
  private readonly feeds: FeedLine;
  private readonly inbox = new Inbox();
  private readonly tradingCore: Engine;
  private readonly startUp: StartUp;
  private readonly polls: PollSchedule;
  private readonly effects: TurnEffects;
  private readonly post: Responses;
  private readonly window: Window;
  private readonly ticks: Due;
  private readonly samples: Due;
  private isStopping = false;

  constructor(parts: ReplayParts) {
    const { settings, watch, journal, venue } = parts;
    this.parts = parts;
    const time = new VirtualTime(parts.from);
    this.time = time;
    this.feeds = new FeedLine(parts.feeds);
    const { now } = time;
    this.tradingCore = new Engine(parts.makeCore(IDLE), settings);
    this.startUp = new StartUp(parts.strategy, watch, settings.firstQuotesMsMax);
    this.startUp.isUnquoted = settings.polls.quotesMs === undefined;
    const polls = new PollSchedule(settings.polls);
    this.polls = polls;
    this.effects = new TurnEffects(this.startUp, polls);
    const onProblem = (code: string, message: string): void => watch.problem?.(code, message);
    this.post = createResponses({ polls, clock: time.venue, now, onProblem });
    this.ticks = new Due(() => this.tick());
    this.samples = new Due(() => this.sample());
    this.window = new Window({
      ...venue,
      time,
      due: this.due,
      departures: createPreSendChecks({ journal, core: () => this.tradingCore, now, lastCheck: () => undefined }),
      post: this.post,
      polls,
      bot: this,
      ...(settings.pacing === undefined ? {} : { pacing: settings.pacing }),
      ...(settings.decisionMs === undefined ? {} : { decisionMs: settings.decisionMs }),
    });
  }

  run(): ReplayEnd {
    const { from, to, identity, watch, settings } = this.parts;
    watch.core?.(this.tradingCore);
    this.write([{ kind: "started", at: this.time.now().at, ...identity }]);
    watch.phase?.({ kind: "reading" });
    this.tick();
    this.sample();
    this.pass(to - from);
    this.stop();
    this.pass(to - from + settings.stopMsMax);
    if (this.startUp.refusal === undefined) this.save();
    return { tradingCore: this.tradingCore, refusal: this.startUp.refusal };
  }

  /** Runs everything that is due up to `until`. */
  private pass(until: number): void {
    this.settle();
    while (!this.isOver() && this.happens(until));
    if (!this.isOver()) this.time.move(until);
  }

  /**
   * Runs the next item unless it is due after `until`. It is a separate method because V8 never compiles a whole loop
   * that is left only twice in a run.
   */
  private happens(until: number): boolean {
    const { time, due, feeds } = this;
    const feedAt = feeds.nextAt - time.from;
    const dueAt = due.nextAt;
    const isFeed = feedAt < dueAt;
    const at = isFeed ? feedAt : dueAt;
    if (at > until) return false;
    if (isFeed) this.feed(at);
    else {
      time.move(at);
      due.take()?.run();
    }
    if (this.inbox.size > 0) this.settle();
    return true;
  }

  /** Delivers the next prices of the feeds. */
  private feed(at: number): void {
    const { time, feeds } = this;
    const { next } = feeds;
    invariant(next !== undefined, "prices come from a feed");
    time.move(at);
    if (next.tellsTime === true) time.told(time.from + at);
    const prices = next.take();
    feeds.look();
    this.arrive(prices);
  }

  /**
   * Delivers prices that arrive together. While the inbox is empty each price would be taken next anyway, so it goes
   * straight to the engine, with the same result.
   */
  private arrive(prices: readonly (QuoteEvent | BarEvent)[]): void {
    const { inbox } = this;
    const now = this.time.now().at;
    for (const price of prices) {
      if (inbox.size > 0 || !this.startUp.isOver) inbox.put(this.post.quote(price));
      else this.taken(price.receivedAt <= now ? price : { ...price, receivedAt: now });
    }
  }

  quotes(reading: Reading<readonly FloatQuote[]>): void {
    this.arrive(this.post.prices(reading));
  }

  /** `receivedAt` is the bot's time of receipt, and never later than the venue's clock. */
  private taken(price: QuoteEvent | BarEvent): void {
    const input: Input = { kind: "event", event: price };
    const turn = this.turned(input);
    if (turn !== QUIET || this.time.elapsed >= this.polls.nextAt) this.follow(input, turn);
  }

  put(input: Input): void {
    this.inbox.put(input);
  }

  spent(granted: WantClass): void {
    this.parts.watch.slot?.(this.time.wall, granted);
  }

  /** The last input of a moment is taken at once, unless others wait; then it is ranked among them. */
  putLast(input: Input): void {
    if (this.inbox.size > 0) this.inbox.put(input);
    else this.follow(input, this.turned(input));
  }

  private turned(input: Input): Turn {
    return this.tradingCore.process(input, this.time.now());
  }

  private isOver(): boolean {
    return this.startUp.refusal !== undefined || (this.isStopping && this.window.sending === 0);
  }

  private tick(): void {
    if (this.isStopping) return;
    const { time, inbox } = this;
    this.due.add(this.ticks, time.elapsed + this.parts.settings.tickMs);
    if (inbox.size > 0 || !this.startUp.isOver) inbox.put(TIME);
    else {
      // The inbox is empty, so the turn runs at once; usually it has no effects.
      const turn = this.tradingCore.process(TIME, time.now());
      if (turn !== QUIET || time.elapsed >= this.polls.nextAt) this.follow(TIME, turn);
    }
  }

  private sample(): void {
    const { watch, settings } = this.parts;
    if (watch.sample === undefined) return;
    watch.sample(this.time.now().at);
    this.due.add(this.samples, this.time.elapsed + settings.sampleMs);
  }

  private stop(): void {
    this.isStopping = true;
    this.feeds.end();
    this.parts.watch.phase?.({ kind: "stopping" });
    this.window.close("the bot is stopping");
  }

  private save(): void {
    const input: Input = { kind: "save" };
    this.record(input, this.turned(input));
  }

  /** Takes the waiting inputs in turn until none is left. */
  private settle(): void {
    const { inbox } = this;
    while (inbox.size > 0) {
      const input = inbox.take() as Input;
      this.follow(input, this.turned(input));
    }
  }

  /** Records a turn and carries out its effects. */
  private follow(input: Input, turn: Turn): void {
    this.record(input, turn);
    const work = this.effects.after(input, turn, this.tradingCore, this.time.now(), this.isStopping);
    if (work === NO_WORK) return;
    const { window } = this;
    const { reads, sends, asks, inputs } = work;
    // Unsigned reads are posted first, as the client does. Loops run by index because the lists are of several kinds
    // and an iterator for each would be most of the cost.
    if (reads.length > 0) this.read(reads, true);
    for (let i = 0; i < sends.length; i++) window.send(sends[i] as Approval);
    for (let i = 0; i < asks.length; i++) window.ask(asks[i] as Question);
    if (reads.length > 0) this.read(reads, false);
    for (let i = 0; i < inputs.length; i++) this.inbox.put(inputs[i] as Input);
  }

  private read(reads: readonly Read[], unsigned: boolean): void {
    for (let i = 0; i < reads.length; i++) {
      const read = reads[i] as Read;
      if (isUnsigned(read) === unsigned) this.window.read(read);
    }
  }

  private pay(steps: readonly Step[], payer: Payer): void {
    for (let i = 0; i < steps.length; i++) {
      const { event } = steps[i] as Step;
      if (event.kind === "movement") this.await(event.report, payer);
    }
  }

  /** Schedules the payment that a rail waits for. */
  private await(report: MovementReport, payer: Payer): void {
    if (report.kind !== "reserved" || report.rail === undefined) return;
    const rail = this.tradingCore.executor.get(report.rail) as MoneyRequest<"rail"> | undefined;
    const amount = report.pays && Quantity.ofMoney(report.pays);
    if (rail === undefined || amount === undefined || !("receipt" in rail.state)) return;
    const { railId } = rail.state.receipt;
    const { time } = this;
    const paid = new Due(() => payer.pay(railId, amount, time.wall));
    this.due.add(paid, time.elapsed + payer.afterMs(rail.request));
  }

  private write(records: readonly JournalRecord[]): void {
    const written = this.parts.journal.announce(records);
    if (!written.ok) throw new Error(written.error.message);
  }

  private record(input: Input, turn: Turn): void {
    const { watch, payer } = this.parts;
    const { records, steps, notes } = turn;
    if (records.length > 0) this.write(records);
    if (payer !== undefined) this.pay(steps, payer);
    watch.turn?.(turn, input);
    if (watch.step !== undefined) for (let i = 0; i < steps.length; i++) watch.step(steps[i] as Step);
    if (watch.told !== undefined && steps.length > 0) watch.told();
    if (watch.note !== undefined) for (let i = 0; i < notes.length; i++) watch.note(notes[i] as string);
  }
}

function isUnsigned(read: Read): boolean {
  return read === "quotes" || read === "pairs";
}
