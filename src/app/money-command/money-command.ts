// The tools of a command that touches the books: the journal as a trading core, the venue through the key's shared
// budget, and the kill switch. It runs next to a bot as well as alone, because every turn is one transaction of the
// journal that both write to.

import { createDispatch, type Dispatch, type Question } from "../../bot/effects/dispatch.ts";
import { createVenueClock, type VenueClock } from "../../bot/inbox/venue-clock.ts";
import { catchUp, restoreFrom } from "../../bot/journaled-core/restore.ts";
import type { MakeTradingCore } from "../../bot/journaled-core/snapshot.ts";
import { createTradingCore } from "../../bot/trading-core/create-trading-core.ts";
import type { Input } from "../../bot/trading-core/input.ts";
import type { TradingCore } from "../../bot/trading-core/trading-core.ts";
import type { Turn } from "../../bot/trading-core/turn.ts";
import type { Config } from "../../config/schema.ts";
import { type CommandFailure, plainFailure, refusedFailure } from "../../domain/command-failure.ts";
import type { ExitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { JournalBinding } from "../../exchange/budget/ledger-store.ts";
import type { Exchange, Reading } from "../../exchange/port.ts";
import type { Answer } from "../../execution/effects.ts";
import { RUN, resolveCommand } from "../../execution/remediation.ts";
import { isEscalated, isUnknown, type Moment } from "../../execution/request.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import { stopBy } from "../../operation/money.ts";
import { personHere } from "../../operation/person.ts";
import { joined, type TradingState } from "../../risk/trading-state.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { createClosing } from "../bot/closing.ts";
import { coreOf } from "../bot/core-of.ts";
import { requireLiveHost } from "../bot/live-conditions.ts";
import { snapshotsOf } from "../bot/snapshots.ts";
import { openBooks } from "../compose.ts";
import { botConfig } from "../config/bot-config.ts";
import {
  changeText,
  differences,
  limitsOfBot,
  limitTexts,
  NOT_WIDER,
  SAME_LIMITS,
  tightened,
  widerLimits,
} from "../config/limits-in-force.ts";
import { venueAddress } from "../config/venue-address.ts";
import { moveJournal, replacedBy } from "../journal/journal-binding.ts";
import { newInstance, type Tuning } from "../key/join-budget.ts";
import { type Connection, openExchange } from "../key/open-exchange.ts";
import type { KillFile } from "../kill-switch/kill-file.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";

/** A command records no safe points, because it has no strategy state to store. */
const NEVER_MS = Number.POSITIVE_INFINITY;

export type MoneyCommand = {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly journal: Journal;
  readonly killFile: KillFile;
  readonly tradingCore: TradingCore;
  readonly dispatch: Dispatch;
  readonly clock: VenueClock;
  readonly timers: Timers;
  now(): Moment;
  /** Whether this writer's process has ended or does not belong to this machine. */
  isGone(writer: string): boolean;
  /**
   * How the limits of this command, or of one section, are wider than those of the running bot; undefined if they are
   * not or none runs.
   */
  widerLimits(only?: string): string | undefined;
  /**
   * One input, one transaction; if this throws, nothing of the turn may be acted on. `unless` runs under the lock, with
   * other processes' records folded in: a reason ends the command, and nothing is recorded.
   */
  take(input: Input, unless?: (news: readonly Entry[]) => string | undefined): Promise<Turn>;
  /** The venue's answer; a failure ends the command. */
  read<T>(what: string, reading: Promise<Reading<T>>): Promise<T>;
  /** The witness's answer; a failure ends the command. */
  ask(question: Question): Promise<Answer>;
  /** The key's present journal, if it is not this one. */
  replaces(): Promise<JournalBinding | undefined>;
  /** Makes this journal the key's own. */
  bind(): Promise<void>;
};

export type MoneyCommandOptions = {
  readonly strategy: Strategy;
  readonly books: "own" | "existing" | "any";
  readonly tuning?: Tuning;
};

export async function withMoneyCommand(
  shell: Shell,
  { strategy, books: which, tuning = {} }: MoneyCommandOptions,
  use: (tool: MoneyCommand, connection: Connection) => Promise<ExitCode>,
): Promise<ExitCode> {
  const written = botConfig(shell);
  const closing = createClosing();
  try {
    const instance = newInstance();
    const connection = await openExchange(shell, written, { ...tuning, instance });
    closing.add(() => connection.close());
    const { exchange, budget } = connection;
    const { ledger } = budget;
    const status = () => ledger.urgently(() => ledger.status());
    const config = tighterOf(shell, written, status());
    const order = { config, instance, codeVersion: versionText(), which };
    const { journal, killFile, path, key } = await openBooks(shell, order, connection, closing);
    await requireLiveHost(shell, config, { base: venueAddress(config), exchange, budget });
    const clock = createVenueClock(
      shell.clock,
      ledger.urgently(() => ledger.aheadMs()),
    );
    const now = (): Moment => ({ at: clock.now(), mono: clock.monotonic() });
    const makeCore = coreOf(config, instance, personHere());
    const make: MakeTradingCore = (saved) => createTradingCore(makeCore(strategy, saved), { safePointMs: NEVER_MS });
    const note = (text: string): void => shell.terminal.note(text);
    const restored = restoreFrom(make, journal, snapshotsOf({ journal, path, config }, shell.clock, note));
    if (!restored.ok) throw plainFailure(restored.error.message);
    const tradingCore = restored.value;
    warnOfUnwatched(shell, tradingCore, status().bot !== undefined);
    const isGone = (writer: string): boolean => ledger.isGone(writer);
    const dispatch = createDispatch({
      exchange,
      journal,
      core: () => tradingCore,
      now,
      catchUp: () => catchUp({ journal, core: tradingCore, isGone, now }),
      lastCheck: () => stopBy(standingOf({ killFile, tradingCore }))?.message,
      heard: clock.heard,
    });
    const { chainId } = journal.opening;
    const tool = assembleMoneyCommand({
      ...{ config, exchange, journal, killFile, tradingCore, dispatch, clock, timers: systemTimers, now, isGone },
      widerLimits: (only) => widerLimits(status(), config, only),
      replaces: () => replacedBy(key, path, chainId),
      bind: () => moveJournal(key, path, chainId),
    });
    return await use(tool, connection);
  } finally {
    await closing.all();
  }
}

/** The configuration, with the running bot's limits where they are tighter. */
function tighterOf({ terminal }: Shell, config: Config, status: LedgerStatus): Config {
  const limits = limitsOfBot(status, config)?.limits;
  if (limits === undefined) return config;
  const inForce = tightened(config, limits);
  if (!inForce.ok) throw refusedFailure(`${inForce.error}; nothing was sent`, SAME_LIMITS);
  const { taken } = inForce.value;
  const own = differences(limits, limitTexts(config)).filter(({ is }) => is === "tighter");
  if (taken.length > 0) terminal.note(`limits of the running bot count, which are tighter: ${changeText(taken)}`);
  if (own.length > 0) terminal.note(`limits of the configuration count, which are tighter: ${changeText(own)}`);
  return inForce.value.config;
}

/** A running bot gathers evidence: without one, requests of unknown outcome stay unresolved and no notice is sent. */
function warnOfUnwatched({ terminal }: Shell, tradingCore: TradingCore, isBotRunning: boolean): void {
  if (isBotRunning) return;
  const ids = unwatchedBy(tradingCore);
  if (ids.length > 0)
    terminal.note(
      `${ids.join(", ")}: may have happened, and nobody looks for it while no bot runs; begin one by ${RUN}`,
    );
  for (const command of toCloseBy(tradingCore)) terminal.note(`evidence did not decide, a person does: ${command}`);
}

export function assembleMoneyCommand(parts: Omit<MoneyCommand, "take" | "read" | "ask">): MoneyCommand {
  const { clock, dispatch } = parts;
  return {
    ...parts,
    take: (input, unless) => take(parts, input, unless),
    read: (what, reading) => read(clock, what, reading),
    ask: (question) => ask(dispatch, question),
  };
}

type Writing = Pick<MoneyCommand, "journal" | "tradingCore" | "now" | "isGone">;

/**
 * Whether an input may lead to an approval. Only then are lost requests declared in doubt: a bot leaves a request to
 * the process that made it, and a person may think for long before the next prompt.
 */
function isDecision({ kind }: Input, { engine }: TradingCore): boolean {
  return kind === "movement" || kind === "order" || (kind === "event" && engine.strategy.wakes.size > 0);
}

async function take(
  { journal, tradingCore, now, isGone }: Writing,
  input: Input,
  unless: (news: readonly Entry[]) => string | undefined = () => undefined,
): Promise<Turn> {
  let refusal: string | undefined;
  const written = await journal.transact((news) => {
    for (const entry of news) tradingCore.fold(entry);
    refusal = unless(news);
    // Under the lock, so that only one of two processes records the loss; from then on the rules count it, whichever
    // process resolves it.
    const isLost =
      refusal === undefined && isDecision(input, tradingCore) && tradingCore.executor.lost(isGone, now().at).length > 0;
    const lost = isLost ? tradingCore.turn([], { kind: "lost", isGone }, now()).records : [];
    const turn = tradingCore.turn([], refusal === undefined ? input : { kind: "news" }, now());
    return { records: [...lost, ...turn.records], value: turn };
  });
  if (!written.ok) throw plainFailure(`nothing was recorded: ${written.error.message}`);
  if (refusal !== undefined) throw refusedFailure(`${refusal}; nothing was changed`);
  return written.value;
}

async function read<T>(clock: VenueClock, what: string, asked: Promise<Reading<T>>): Promise<T> {
  const reading = await asked;
  if (reading.kind === "read") {
    clock.heard(reading.at);
    return reading.value;
  }
  const why = reading.kind === "dropped" ? reading.reason : `${reading.failure.code}: ${reading.failure.message}`;
  throw unread(what, why);
}

async function ask(dispatch: Dispatch, question: Question): Promise<Answer> {
  const heard = await dispatch.ask(question);
  if (heard.kind === "answer") return heard.answer;
  throw unread(question.witness, `${heard.code}: ${heard.message}`);
}

function unread(what: string, why: string): CommandFailure {
  return plainFailure(
    `${what} could not be read, nothing was changed: ${printable(why)}`,
    "pegbot doctor looks at connection and key",
  );
}

/**
 * Checked before something is sent: no stop stands, and a running bot has no tighter limits. Called before a person
 * confirms and again at the decision, because a bot may have started in between.
 */
export function requireMaySend(tool: Pick<MoneyCommand, "killFile" | "tradingCore" | "widerLimits">): void {
  requireActive(tool);
  const wider = tool.widerLimits();
  if (wider !== undefined) throw refusedFailure(`${wider}; nothing was sent`, NOT_WIDER);
}

/** Throws if a stop stands in kill file or journal, with the remedy. */
export function requireActive(tool: Pick<MoneyCommand, "killFile" | "tradingCore">): void {
  const stop = stopBy(standingOf(tool));
  if (stop !== undefined) throw stop;
}

export function standingOf({ killFile, tradingCore }: Pick<MoneyCommand, "killFile" | "tradingCore">): TradingState {
  return joined(killFile.standing(), tradingCore.engine.books.counters.tradingState);
}

// Requests of unknown outcome, and how each is resolved: by a running bot, or by a person if evidence did not decide.

/** Requests that stay unresolved while no bot runs. */
export function unwatchedBy({ executor }: Pick<TradingCore, "executor">): readonly string[] {
  return [...executor.open()].flatMap(({ id, state }) => (isUnknown(state) && !isEscalated(state) ? [id] : []));
}

/** The commands by which a person decides what evidence could not. */
export function toCloseBy({ executor }: Pick<TradingCore, "executor">): readonly string[] {
  return [...executor.open()].flatMap((one) => (isEscalated(one.state) ? [resolveCommand(one)] : []));
}
