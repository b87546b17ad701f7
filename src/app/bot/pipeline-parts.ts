// Builds the parts of a running bot's pipeline.

import { hash } from "node:crypto";
import { type Stats, unwatchFile, watchFile } from "node:fs";
import { NEVER, Observable, type SchedulerAction, type SchedulerLike, Subscription, tap } from "rxjs";
import type { PipelineParts } from "../../bot/bot.ts";
import { type PollSettings, pollDefaults } from "../../bot/effects/poll-schedule.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import type { Config } from "../../config/schema.ts";
import { type Clock, DAY_MS, type Timers } from "../../domain/time.ts";
import type { Decided, Journal } from "../../journal/journal.ts";
import { personHere } from "../../operation/person.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { JournalMeter, JournalOperation } from "../../watch/metrics/meters.ts";
import { reachProblem } from "../../watch/status/connectivity.ts";
import { referencesOf } from "../feeds/references.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { OpenedOwner } from "../owner/open-owner.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { Bot } from "./bot.ts";
import { coreOf, hasQuotes } from "./core-of.ts";
import { environmentName } from "./identity.ts";
import { loadStrategy } from "./load-strategy.ts";
import { recordOpener } from "./open-record.ts";
import { withRebalancer } from "./rebalancer-of.ts";
import { snapshotsOf } from "./snapshots.ts";

export function pipelineParts(bot: Bot): PipelineParts {
  const { shell, order, inForce, books, view, killSwitch, strategy, instance, metrics } = bot;
  const { config, watch, freshState = false } = order;
  const say: Saying = (level, event, text) => view.say(level, event, text);
  const trouble = (name: string, reason: string | undefined): void => view.board.trouble(name, reason);
  const shared = ownerParts(bot, killSwitch, say, trouble);
  return {
    ...shared,
    journal: timedJournal(books.journal, shell.clock, metrics.journal),
    makeCore: inForce.applied(withRebalancer(config, instance, coreOf(config, instance))),
    strategy,
    isFresh: freshState,
    strategies$: watch ? watchStrategy(config.strategy, (text) => view.say("warn", "strategy.kept", text)) : NEVER,
    references$: shared.references$.pipe(tap(view.board.spoke)),
    watch: view.observer,
  };
}

export type Saying = (level: "info" | "warn", event: string, text: string) => void;

/** The pipeline of an owner without strategy and treasury: that of a command. */
export function ownerParts(
  owner: OpenedOwner,
  killSwitch: KillSwitch,
  say: Saying,
  trouble: (name: string, reason: string | undefined) => void = () => undefined,
): PipelineParts {
  const { shell, config, venue, books, controls, line, instance, codeVersion } = owner;
  const { clock } = shell;
  const { file } = venue.budget;
  const onTrouble = (name: string, reason: string | undefined): void => {
    trouble(name, reason);
    say(reason === undefined ? "info" : "warn", "reference", `reference ${name}: ${reason ?? "answers again"}`);
  };
  return {
    control$: controls.control$,
    operations: line,
    identity: { codeVersion, configDigest: digestOf(config) },
    exchange: venue.exchange,
    journal: books.journal,
    snapshots: snapshotsOf({ ...books, config }, clock, (text) => say("info", "journal", text)),
    makeCore: withRebalancer(config, instance, coreOf(config, instance, personHere())),
    strategy: IDLE,
    strategies$: NEVER,
    references$: referencesOf(config, { clock, ...venue, openRecord: recordOpener(shell), onTrouble }),
    lastCheck: () => killSwitch.check() ?? reachProblem(venue.exchange),
    followState: killSwitch.follow,
    clock,
    aheadMs: file.aheadMs(),
    scheduler: timerScheduler(clock, systemTimers),
    watch: {},
    settings: { ...pipelineDefaults, polls: pollsOf(config) },
  };
}

/** If a configured destination is a wallet, the venue's whitelist is compared once a day with the acknowledged one. */
function pollsOf(config: Config): PollSettings {
  const hasWallets = Object.values(config.treasury.destinations).some(({ kind }) => kind === "wallet");
  const polls = hasQuotes(config) ? pollDefaults : { ...pollDefaults, quotesMs: undefined };
  return hasWallets ? { ...polls, addressesMs: DAY_MS } : polls;
}

/** Identifies the configuration that wrote a record; it contains no secret. */
function digestOf(config: Config): string {
  return hash("sha256", JSON.stringify({ ...config, environmentName: environmentName(config) }));
}

// A journal that measures the duration of its writes and changes nothing else.

type Written = { readonly ok: true } | { readonly ok: false; readonly error: { readonly code: string } };

function timedJournal(journal: Journal, clock: Pick<Clock, "monotonic">, meter: JournalMeter): Journal {
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
    async transact<T>(decide: () => Decided<T>) {
      let since = clock.monotonic();
      let isWrite = true;
      const result = await journal.transact(() => {
        const decided = decide();
        // The journal's own time starts here; without records there is nothing to sync.
        since = clock.monotonic();
        isWrite = decided.records.length > 0;
        return decided;
      });
      return isWrite ? tell("transact", since, result) : result;
    },
    read: (after, most) => journal.read(after, most),
    head: () => journal.head(),
    close: () => journal.close(),
  };
}

// An RxJS scheduler on our timers: streams use the same clock as everything else, including scaled and virtual ones.

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

  /** The work repeats by calling this; otherwise it is finished. */
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

// `--watch`: each save of the strategy file loads a new strategy, or reports why it failed and keeps the old one. Only
// the file itself is watched, not its imports.

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
    // Watched by name, because editors replace a file rather than write to it.
    watchFile(path, { interval: LOOK_MS }, reload);
    return () => unwatchFile(path, reload);
  });
}
