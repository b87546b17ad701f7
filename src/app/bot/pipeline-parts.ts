// What the pipeline is made of in a running bot, from what was opened for it.

import { hash } from "node:crypto";
import { NEVER, type Observable, tap } from "rxjs";
import { type PollSettings, pollDefaults } from "../../bot/effects/poll-schedule.ts";
import type { PipelineParts } from "../../bot/pipeline.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import type { Config } from "../../config/schema.ts";
import type { Control } from "../../domain/event.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import type { Metrics } from "../../watch/metrics/metrics.ts";
import { reachProblem } from "../../watch/status/connectivity.ts";
import { referencesOf } from "../feeds/references.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { timerScheduler } from "../system/timer-scheduler.ts";
import type { BotOrder } from "./bot-order.ts";
import { checkpointsOf } from "./checkpoints.ts";
import { coreOf } from "./core-of.ts";
import { environmentName } from "./identity.ts";
import type { LimitsInForce } from "./limits.ts";
import { loadStrategy } from "./load-strategy.ts";
import type { Books } from "./open-books.ts";
import { recordOpener } from "./open-record.ts";
import type { OpenedVenue } from "./open-venue.ts";
import type { BotView } from "./shown/view.ts";
import { withRebalancer } from "./steward-of.ts";
import { timedJournal } from "./timed-journal.ts";
import { watchStrategy } from "./watch/watch-strategy.ts";

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
    latch: killSwitch.follow,
    isGone: (writer) => ledger.isGone(writer),
    clock: shell.clock,
    aheadMs: ledger.urgently(() => ledger.aheadMs()),
    scheduler: timerScheduler(shell.clock, systemTimers),
    watch: inForce.asked(view.watcher),
    settings: { ...pipelineDefaults, polls: agendaOf(config) },
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
function agendaOf({ treasury }: Config): PollSettings {
  const hasWallets = Object.values(treasury.destinations).some(({ kind }) => kind === "wallet");
  return hasWallets ? { ...pollDefaults, addressesMs: DAY_MS } : pollDefaults;
}

/** Which configuration wrote a record; no secret is in it. */
function digestOf(config: Config): string {
  return hash("sha256", JSON.stringify({ ...config, environmentName: environmentName(config) }));
}
