// The pipeline's parts that every owner of a key has.

import { hash, randomInt } from "node:crypto";
import { NEVER, tap } from "rxjs";
import type { PipelineParts } from "../../bot/bot.ts";
import type { MakeCore } from "../../bot/core.ts";
import { type PollSettings, pollDefaults } from "../../bot/effects/poll-schedule.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import { createRandom } from "../../domain/random.ts";
import { DAY_MS } from "../../domain/time.ts";
import { personHere } from "../../operation/person.ts";
import { railDraftsOf, treasuryTermsOf } from "../../operation/terms/treasury-terms.ts";
import type { RebalancerParts } from "../../treasury/rebalancer/parts.ts";
import { Rebalancer } from "../../treasury/rebalancer/rebalancer.ts";
import { reachProblem } from "../../watch/status/connectivity.ts";
import { environmentName } from "../config/identity.ts";
import { recordOpener } from "../data/open-record.ts";
import { hasQuotes } from "../feeds/par.ts";
import { referencesOf } from "../feeds/references.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import { timerScheduler } from "../system/scheduler.ts";
import { systemTimers } from "../system/system-timers.ts";
import { coreOf } from "./core-of.ts";
import type { OpenedOwner } from "./open-owner.ts";
import { snapshotsOf } from "./snapshots.ts";

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
    references$: referencesOf(config, { clock, ...venue, openRecord: recordOpener(shell), onTrouble }).pipe(
      tap((quote) => venue.book?.().refer(quote)),
    ),
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

/**
 * Every core gets a new rebalancer, because anybody may propose a plan; folding the journal fills it like the rest of the
 * core.
 */
export function withRebalancer(config: Config, writer: string, makeCore: MakeCore): MakeCore {
  const parts = partsOf(config, randomInt(2 ** 47));
  return (strategy, saved) => ({ ...makeCore(strategy, saved), rebalancer: new Rebalancer({ ...parts, writer }) });
}

/** For a backtest, which takes no proposals: undefined without targets if one person alone can move money. */
export function rebalancerParts(config: Config, seed: number): Omit<RebalancerParts, "writer"> | undefined {
  const parts = partsOf(config, seed);
  return parts.terms.targets.length === 0 && parts.terms.schedules?.length === 0 && parts.rules.persons === 1
    ? undefined
    : parts;
}

function partsOf(config: Config, seed: number): Omit<RebalancerParts, "writer"> {
  const { approvals, mint, destinations } = config.treasury;
  return {
    terms: treasuryTermsOf(config),
    rules: approvals,
    rails: railDraftsOf(config),
    wallets: Object.values(destinations).filter((one) => one.kind === "wallet"),
    saltDecimals: mint.saltDecimals,
    quoteAgeMsMax: limitsOf(config).referenceAgeMsMax,
    random: createRandom(seed).fork("rebalancing"),
  };
}
