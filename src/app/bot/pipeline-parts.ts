// What the pipeline is made of in a running bot, from what was opened for it.

import { hash } from "node:crypto";
import { type FSWatcher, readFileSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { NEVER, Observable, type SchedulerAction, type SchedulerLike, Subscription, tap } from "rxjs";
import { type PollSettings, pollDefaults } from "../../bot/effects/poll-schedule.ts";
import type { PipelineParts } from "../../bot/pipeline.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import type { Config } from "../../config/schema.ts";
import type { Control } from "../../domain/event.ts";
import type { Result } from "../../domain/result.ts";
import { type Clock, DAY_MS, type Timers } from "../../domain/time.ts";
import type { Decided, Journal } from "../../journal/journal.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { JournalMeter, JournalOperation } from "../../watch/metrics/meters.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import { reachProblem } from "../../watch/status/connectivity.ts";
import type { Books, OpenedVenue } from "../compose.ts";
import { referencesOf } from "../feeds/references.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { BotOrder } from "./bot-order.ts";
import { checkpointsOf } from "./checkpoints.ts";
import { coreOf } from "./core-of.ts";
import { environmentName } from "./identity.ts";
import type { LimitsInForce } from "./limits.ts";
import { loadStrategy } from "./load-strategy.ts";
import { recordOpener } from "./open-record.ts";
import { withRebalancer } from "./rebalancer-of.ts";
import type { BotView } from "./view.ts";

export type Assembly = {
  readonly shell: Shell;
  readonly order: BotOrder;
  readonly inForce: LimitsInForce;
  readonly venue: OpenedVenue;
  readonly books: Books;
  readonly view: BotView;
  readonly killSwitch: KillSwitch;
  readonly strategy: Strategy;
  readonly instance: string;
  readonly codeVersion: string;
  readonly metrics: Metrics;
  /** What people and the bot's own guards order. */
  readonly control$: Observable<Control>;
};

export function pipelineParts(assembly: Assembly): PipelineParts {
  const { shell, order, inForce, venue, books, view, killSwitch, strategy, instance, codeVersion, metrics, control$ } =
    assembly;
  const { config, watch } = order;
  const { ledger } = venue.budget;
  return {
    control$,
    identity: { codeVersion, configDigest: digestOf(config) },
    exchange: venue.exchange,
    journal: timedJournal(books.journal, shell.clock, metrics.journal),
    checkpoints: checkpointsOf({ ...books, config }, (text) => view.say("info", "checkpoint", text)),
    makeCore: inForce.applied(withRebalancer(config, instance, coreOf(config, instance))),
    strategy,
    strategies$: watch ? strategiesOf(config, view) : NEVER,
    references$: referencesOf(config, {
      clock: shell.clock,
      ...venue,
      openRecord: recordOpener(shell),
      onTrouble: troubleOf(view),
    }).pipe(tap(view.board.spoke)),
    lastCheck: () => killSwitch.check() ?? reachProblem(venue.exchange),
    followState: killSwitch.follow,
    isGone: (writer) => ledger.isGone(writer),
    clock: shell.clock,
    aheadMs: ledger.urgently(() => ledger.aheadMs()),
    scheduler: timerScheduler(shell.clock, systemTimers),
    watch: inForce.asked(view.watcher),
    settings: { ...pipelineDefaults, polls: pollsOf(config) },
  };
}

function troubleOf(view: BotView): (name: string, reason: string | undefined) => void {
  return (name, reason) => {
    view.board.trouble(name, reason);
    view.say(reason === undefined ? "info" : "warn", "reference", `reference ${name}: ${reason ?? "answers again"}`);
  };
}

function strategiesOf({ strategy }: Config, view: BotView): ReturnType<typeof watchStrategy> {
  const say = (text: string): void => view.say("warn", "strategy.kept", text);
  return watchStrategy(strategy.use, { load: () => loadStrategy(strategy), timers: systemTimers, say });
}

/** Once a day the venue's whitelist is compared with the one that was acknowledged, where a wallet of ours depends on it. */
function pollsOf({ treasury }: Config): PollSettings {
  const hasWallets = Object.values(treasury.destinations).some(({ kind }) => kind === "wallet");
  return hasWallets ? { ...pollDefaults, addressesMs: DAY_MS } : pollDefaults;
}

/** Which configuration wrote a record; no secret is in it. */
function digestOf(config: Config): string {
  return hash("sha256", JSON.stringify({ ...config, environmentName: environmentName(config) }));
}

// A journal that tells how long its writes took. It changes nothing: what is written and when it counts is as before.

type Written = { readonly ok: true } | { readonly ok: false; readonly error: { readonly code: string } };

export function timedJournal(journal: Journal, clock: Pick<Clock, "monotonic">, meter: JournalMeter): Journal {
  function tell<R extends Written>(operation: JournalOperation, since: number, result: R): R {
    meter.wrote(operation, clock.monotonic() - since, result.ok ? undefined : result.error.code);
    return result;
  }

  return {
    opening: journal.opening,
    writer: journal.writer,
    async append(records) {
      const since = clock.monotonic();
      return tell("append", since, await journal.append(records));
    },
    announce(records) {
      const since = clock.monotonic();
      return tell("announce", since, journal.announce(records));
    },
    async transact<T>(decide: (news: Parameters<Parameters<Journal["transact"]>[0]>[0]) => Decided<T>) {
      let since = clock.monotonic();
      let isWrite = true;
      const result = await journal.transact((news) => {
        const decided = decide(news);
        // From here on it is the journal's own time; with nothing to record there is nothing to sync.
        since = clock.monotonic();
        isWrite = decided.records.length > 0;
        return decided;
      });
      return isWrite ? tell("transact", since, result) : result;
    },
    news: (most) => journal.news(most),
    read: (after, most) => journal.read(after, most),
    head: () => journal.head(),
    close: () => journal.close(),
  };
}

// RxJS on the timers we are given: streams wait by the same clock as everything else, scaled and virtual ones included.

export function timerScheduler(clock: Pick<Clock, "monotonic">, timers: Timers): SchedulerLike {
  return {
    now: () => clock.monotonic(),
    schedule: <T>(work: Work<T>, delayMs = 0, state?: T) => new TimerAction(timers, work).schedule(state, delayMs),
  };
}

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

class TimerAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #timers: Timers;
  readonly #work: Work<T>;
  #cancel: (() => void) | undefined;

  constructor(timers: Timers, work: Work<T>) {
    super();
    this.#timers = timers;
    this.#work = work;
  }

  /** Called by the work itself it goes on; work that does not is over. */
  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#cancel?.();
    this.#cancel = this.#timers.after(delayMs, () => {
      this.#cancel = undefined;
      this.#work.call(this, state);
      if (this.#cancel === undefined) this.unsubscribe();
    });
    return this;
  }

  override unsubscribe(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    super.unsubscribe();
  }
}

// `--watch`: each save of the strategy's file becomes a new strategy, or a reason why it did not and the old one stays.
// Only the file itself is watched, not what it imports; editors replace a file rather than write to it, so it is its
// folder that is looked at.

/** A save is several events: it is over when none came for this long. */
const QUIET_MS = 200;

type WatchParts = {
  readonly load: () => Promise<Result<Strategy>>;
  readonly timers: Timers;
  readonly say: (text: string) => void;
};

function watchStrategy(path: string, { load, timers, say }: WatchParts): Observable<Strategy> {
  return new Observable((subscriber) => {
    let last = fingerprint(path);
    let cancel = (): void => {};
    const reload = async (): Promise<void> => {
      const now = fingerprint(path);
      if (now === undefined) return say(`${path} is gone: the strategy that was loaded from it goes on`);
      if (now === last) return;
      last = now;
      const loaded = await load();
      if (loaded.ok) subscriber.next(loaded.value);
      else say(`the saved strategy is not taken, the old one goes on: ${loaded.error}`);
    };
    const onChange = (_: string, name: string | null): void => {
      if (name !== null && name !== basename(path)) return;
      cancel();
      cancel = timers.after(QUIET_MS, () => void reload());
    };
    const watcher = watchedFolder(dirname(path), onChange, (reason) => say(`${path} is not watched: ${reason}`));
    return () => {
      cancel();
      watcher?.close();
    };
  });
}

/** A system that cannot watch any more folders must not stop a bot that trades. */
function watchedFolder(
  folder: string,
  onChange: (event: string, name: string | null) => void,
  onError: (reason: string) => void,
): FSWatcher | undefined {
  try {
    return watch(folder, onChange).on("error", (error) => onError(error.message));
  } catch (error) {
    onError(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Undefined while there is nothing to read. */
function fingerprint(path: string): string | undefined {
  try {
    return hash("sha256", readFileSync(path));
  } catch {
    return undefined;
  }
}
