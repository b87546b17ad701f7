// What the pipeline is made of in a running bot, from what was opened for it.

import { hash } from "node:crypto";
import { type Stats, unwatchFile, watchFile } from "node:fs";
import { NEVER, Observable, type SchedulerAction, type SchedulerLike, Subscription, tap } from "rxjs";
import { type PollSettings, pollDefaults } from "../../bot/effects/poll-schedule.ts";
import type { PipelineParts } from "../../bot/pipeline.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import type { Config } from "../../config/schema.ts";
import { type Clock, DAY_MS, type Timers } from "../../domain/time.ts";
import type { Decided, Journal } from "../../journal/journal.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { JournalMeter, JournalOperation } from "../../watch/metrics/meters.ts";
import { reachProblem } from "../../watch/status/connectivity.ts";
import { referencesOf } from "../feeds/references.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { Bot } from "./bot.ts";
import { checkpointsOf } from "./checkpoints.ts";
import { coreOf } from "./core-of.ts";
import { environmentName } from "./identity.ts";
import { loadStrategy } from "./load-strategy.ts";
import { recordOpener } from "./open-record.ts";
import { withRebalancer } from "./rebalancer-of.ts";

export function pipelineParts(bot: Bot): PipelineParts {
  const { shell, order, inForce, venue, books, view, killSwitch, strategy, instance, codeVersion, metrics } = bot;
  const { clock } = shell;
  const { config, watch } = order;
  const { ledger } = venue.budget;
  const openRecord = recordOpener(shell);
  const onTrouble = (name: string, reason: string | undefined): void => {
    view.board.trouble(name, reason);
    view.say(reason === undefined ? "info" : "warn", "reference", `reference ${name}: ${reason ?? "answers again"}`);
  };
  return {
    control$: bot.controls.control$,
    identity: { codeVersion, configDigest: digestOf(config) },
    exchange: venue.exchange,
    journal: timedJournal(books.journal, clock, metrics.journal),
    checkpoints: checkpointsOf({ ...books, config }, (text) => view.say("info", "checkpoint", text)),
    makeCore: inForce.applied(withRebalancer(config, instance, coreOf(config, instance))),
    strategy,
    strategies$: watch ? watchStrategy(config.strategy, (text) => view.say("warn", "strategy.kept", text)) : NEVER,
    references$: referencesOf(config, { clock, ...venue, openRecord, onTrouble }).pipe(tap(view.board.spoke)),
    lastCheck: () => killSwitch.check() ?? reachProblem(venue.exchange),
    followState: killSwitch.follow,
    isGone: (writer) => ledger.isGone(writer),
    clock,
    aheadMs: ledger.urgently(() => ledger.aheadMs()),
    scheduler: timerScheduler(clock, systemTimers),
    watch: inForce.asked(view.observer),
    settings: { ...pipelineDefaults, polls: pollsOf(config) },
  };
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

// `--watch`: each save of the strategy's file becomes a new strategy, or a reason why it did not and the old one stays. Only the
// file itself is watched, not what it imports.

const LOOK_MS = 300;

function watchStrategy(strategy: Config["strategy"], say: (text: string) => void): Observable<Strategy> {
  const path = strategy.use;
  return new Observable((subscriber) => {
    const reload = async (file: Stats, before: Stats): Promise<void> => {
      if (file.mtimeMs === before.mtimeMs) return;
      if (file.mtimeMs === 0) return say(`${path} is gone: the strategy that was loaded from it goes on`);
      const loaded = await loadStrategy(strategy);
      if (loaded.ok) subscriber.next(loaded.value);
      else say(`the saved strategy is not taken, the old one goes on: ${loaded.error}`);
    };
    // By its name: editors replace a file rather than write to it.
    watchFile(path, { interval: LOOK_MS }, reload);
    return () => unwatchFile(path, reload);
  });
}
