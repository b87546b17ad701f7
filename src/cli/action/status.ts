// `status`: how the bot stands, from journal, latch and the key's ledger; while a bot runs and while none does. It reads only,
// one record at a time, and keeps no more of them than it shows.

import { existsSync, readFileSync } from "node:fs";
import { haircutOf } from "../../bot/accounts/worth.ts";
import { createDesk } from "../../bot/desk/create-desk.ts";
import type { Desk } from "../../bot/desk/desk.ts";
import { timeAhead } from "../../bot/inbox/time-ahead.ts";
import { type Checkpoint, deskAt, type MakeDesk } from "../../bot/record/checkpoint.ts";
import { Tally } from "../../bot/record/tally.ts";
import { IDLE } from "../../bot/seat/idle.ts";
import type { Config } from "../../config/schema.ts";
import type { Money } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import { anchorOf } from "../../journal/file/files.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import type { Opening } from "../../journal/record.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { OtherCurrency } from "../../risk/other-currency.ts";
import { joined } from "../../risk/standing.ts";
import { PlanLog } from "../../treasury/approval/plan-log.ts";
import { templateOf } from "../../treasury/rebalancer/rails.ts";
import { heldBack } from "../../treasury/rebalancer/route-backoff.ts";
import { createStatusBoard, type StatusBoard } from "../../watch/status/status-board.ts";
import { underWaySince } from "../../watch/status/submission-list.ts";
import { awaitingApproval, treasuryShown } from "../../watch/status/treasury-shown.ts";
import type { ShownHolding, ShownLimit, Status } from "../../watch/status.ts";
import { findCheckpoint } from "../bot/checkpoints.ts";
import { coreOf, limitsOf } from "../bot/core-of.ts";
import { environmentName } from "../bot/identity.ts";
import { CommandFailure } from "../command-failure.ts";
import { botConfig } from "../config/bot-config.ts";
import { otherLimits } from "../config/limits-in-force.ts";
import { haircutsOf } from "../config/movement-terms.ts";
import { railDraftsOf } from "../config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { isSameFile } from "../journal/journal-binding.ts";
import { isJournalThere } from "../journal/journal-there.ts";
import { refuseLostJournal } from "../journal/lost-journal.ts";
import { readable, readingFile } from "../journal/open-reader.ts";
import { requireOpening } from "../journal/standing-journal.ts";
import { openToken, tokenPath } from "../key/control-token.ts";
import { joinBudget, newInstance } from "../key/join-budget.ts";
import { keptStop } from "../latch/kept-stop.ts";
import { openLatch } from "../latch/latch-file.ts";
import type { Shell } from "../shell.ts";
import { toCloseBy, unwatchedBy } from "../tool/unwatched.ts";
import { versionText } from "../version.ts";
import type { Access } from "./status/ask-bot.ts";
import { printStatus } from "./status/print-status.ts";
import type { Priced, ShownFlight, StatusReport, Told } from "./status/status-report.ts";

export type StatusOptions = { readonly json?: boolean };

export async function status(shell: Shell, { json = false }: StatusOptions): Promise<ExitCode> {
  const config = botConfig(shell);
  const { path } = config.journal;
  // Where its anchor lies still there are better words for it.
  if (!isJournalThere(path) && !isJournalThere(anchorOf(path)))
    await refuseLostJournal(shell, environmentName(config), path);
  const { opening } = requireOpening(path);
  const ledger = await ledgerStatus(shell, opening);
  const told = ledger.ok ? await toldBy(ledger.value, config) : undefined;
  const report = knowing(
    readingFile(path, () => reportOf(shell, config, ledger)),
    told,
  );
  if (json) shell.terminal.json(report);
  else printStatus(shell.terminal, report);
  return report.damage === undefined ? exitCode.done : exitCode.failed;
}

/** Only a running bot has prices: what needs them is its word. */
export function knowing(report: Omit<StatusReport, "told">, told: Told | undefined): StatusReport {
  if (told?.kind !== "told") return { ...report, told };
  const { priced, ...own } = told;
  const valued = priced === undefined ? report : withPrices(report, priced);
  // Before its books are opened it has nothing, and is not worth nothing.
  if (told.equity === undefined) return { ...valued, told: own };
  const { missing: _, ...equity } = report.equity;
  const { unrealised = equity.unrealised, worth = report.worth } = priced ?? {};
  return { ...valued, worth, equity: { ...equity, now: told.equity, today: told.today, unrealised }, told: own };
}

/**
 * The bot was asked a moment before the journal was read: where it held another amount, its value is not of this one. Its limits are
 * those that count, whatever the configuration has by now.
 */
function withPrices<T extends Pick<StatusReport, "holdings" | "limits">>(report: T, priced: Priced): T {
  const holdings = report.holdings.map((one): ShownHolding => {
    const its = priced.holdings.find(({ asset }) => asset === one.asset);
    return one.value === undefined && its?.held === one.held ? { ...one, value: its?.value } : one;
  });
  const limits = report.limits.map((one): ShownLimit => {
    const its = priced.limits.find(({ key }) => key === one.key);
    return its === undefined ? one : { ...one, name: its.name, used: its.used, limit: its.limit, usedBps: its.usedBps };
  });
  return { ...report, holdings, limits };
}

/** What the running bot says of itself at this moment; undefined where none is known to run. */
export async function botSays(shell: Shell, config: Config): Promise<Told | undefined> {
  const ledger = await ledgerStatus(shell, requireOpening(config.journal.path).opening);
  return ledger.ok ? toldBy(ledger.value, config) : undefined;
}

/** What the running bot says of itself. Its token is not made here: whoever may not read it goes without. */
async function toldBy({ bot, members, journal }: KeyStatus, config: Config): Promise<Told | undefined> {
  if (bot === undefined) return undefined;
  const page = pageOf({ bot, members });
  const path = journal ?? config.journal.path;
  const tokenFile = tokenPath(path);
  const token = existsSync(tokenFile) ? openToken(path) : undefined;
  const { askBot } = await import("./status/ask-bot.ts");
  return askBot(page, { token: token?.ok ? token.value : undefined, tokenFile, tls: doorOf(config.server) });
}

function pageOf({ bot, members }: Pick<KeyStatus, "bot" | "members">): string | undefined {
  return members.find(({ instance }) => instance === bot?.instance)?.page;
}

function doorOf({ host, tls }: Config["server"]): Access["tls"] {
  try {
    return tls && { host, cert: readFileSync(tls.certFile, "utf8") };
  } catch {
    // Then whoever signed it has to be trusted here.
    return undefined;
  }
}

/** `asked`: who uses the key. */
export function reportOf(shell: Shell, config: Config, asked: Result<KeyStatus>): Omit<StatusReport, "told"> {
  const { path } = config.journal;
  const opened = JournalReader.open(path);
  if (!opened.ok) throw new CommandFailure(exitCode.failed, `journal ${path}: ${opened.error.message}`);
  const reader = opened.value;
  const note = (text: string): void => shell.terminal.note(text);
  const { opening } = reader;
  try {
    const found = findCheckpoint({ path, config, opening, hashAt: (sequence) => reader.hashAt(sequence) }, note);
    try {
      return reportFrom(found, reader, { shell, config, asked });
    } catch (error) {
      if (error instanceof OtherCurrency) throw new CommandFailure(exitCode.usage, `journal ${path}: ${error.message}`);
      if (found === undefined || error instanceof CommandFailure) throw error;
      note(`the checkpoint is left alone, everything is read: ${String(error)}`);
      return reportFrom(undefined, reader, { shell, config, asked });
    }
  } finally {
    reader.close();
  }
}

type Reporting = { readonly shell: Shell; readonly config: Config; readonly asked: Result<KeyStatus> };

function reportFrom(
  found: Checkpoint | undefined,
  reader: JournalReader,
  { shell, config, asked }: Reporting,
): Omit<StatusReport, "told"> {
  const { path } = config.journal;
  const ledger = asked.ok ? asked.value : undefined;
  const { clock } = shell;
  const make: MakeDesk = (saved) =>
    createDesk(coreOf(config, newInstance())(IDLE, saved), { safePointMs: Number.POSITIVE_INFINITY });
  const desk = found === undefined ? make() : deskAt(found, make);
  const board = boardOf(desk, reader, { shell, config, asked });
  const { plans, mark, recordedAt } = readOn(found, reader, desk, board);
  const { worth, ...seen } = withoutBot(board.snapshot());
  const onDisk = openLatch(path, clock, reader.head().sequence > 1).standing();
  const kept = joined(onDisk, keptStop(shell, reader.opening));
  const standing = joined(kept, desk.engine.context.books.standing);
  const bot = ledger?.bot;
  const damage = reader.anchorProblem();
  return {
    ...seen,
    // Before the books are opened nobody knows what there is.
    worth: desk.executor.isOpened ? worth : undefined,
    treasury: treasuryIn(plans, desk, config, clock.now()),
    unwatched: asked.ok && bot === undefined ? unwatchedBy(desk) : [],
    toClose: toCloseBy(desk),
    standing,
    phase: phaseOf(asked),
    bot: bot && { pid: bot.pid, since: bot.since, folder: bot.folder, page: ledger && pageOf(ledger) },
    botUnknown: asked.ok ? undefined : asked.error,
    keyJournal: ledger?.journal && isSameFile(ledger.journal, path) ? undefined : ledger?.journal,
    damage: damage && { verdict: damage.kind, message: damage.message, wayOut: WAY_OUT[damage.kind] },
    flights: flightsOf(desk, config, clock.now()),
    marked: mark && {
      equity: String(mark.equity),
      at: mark.at,
      adopted: mark.adopted.isZero() ? undefined : String(mark.adopted),
    },
    recordedAt,
    otherLimits: ledger && otherLimits(ledger, config),
    // By this machine's clock: what the ledger knows of the venue's may be of an hour when ours was another.
    ahead: timeAhead(desk.engine.now, clock.now()),
  };
}

/** Without what only a running bot has. */
function withoutBot(status: Status) {
  const {
    pid: _pid,
    startedAt: _startedAt,
    strategy: _strategy,
    said: _said,
    unready: _unready,
    quotes: _quotes,
    notes: _notes,
    feeds: _feeds,
    ...seen
  } = status;
  return seen;
}

function treasuryIn(plans: PlanLog, { executor }: Desk, config: Config, now: Millis): StatusReport["treasury"] {
  const begun = plans.underWay();
  const rails = railDraftsOf(config);
  return treasuryShown(executor, {
    waiting: awaitingApproval(plans.waiting(now), now),
    underWay: begun && { known: begun, waitsFor: undefined },
    expired: plans.unused(now),
    refused: heldBack({ log: plans, rails }, now, executor.treasury),
    templateOf: (rail) => templateOf(rails, rail, executor.treasury),
  });
}

function boardOf(desk: Desk, reader: JournalReader, { shell, config, asked }: Reporting): StatusBoard {
  const board = createStatusBoard({
    clock: shell.clock,
    version: versionText(),
    mode: config.mode,
    environment: reader.opening.environment,
    venue: config.venue.baseUrl ?? "embedded simulator",
    journal: { head: () => ok(reader.head()) },
    journalPath: config.journal.path,
    ledger: () => (asked.ok ? asked.value : undefined),
    limits: limitsOf(config),
    haircuts: haircutsOf(config),
    targets: config.treasury.targets,
  });
  board.watcher.desk(desk);
  return board;
}

/** What the journal has since the checkpoint goes to the desk and the board; what else is told of it is given back. */
function readOn(found: Checkpoint | undefined, reader: JournalReader, desk: Desk, { watcher }: StatusBoard) {
  const plans = new PlanLog();
  for (const entry of found?.kept ?? []) plans.fold(entry);
  const tally = new Tally(desk.engine.context.books, found?.tally);
  const after = found?.base.sequence ?? 0;
  let recordedAt: Millis | undefined;
  for (const read of reader.telling(after)) {
    const { entry } = readable(read);
    const { record } = entry;
    if (record.kind === "step") watcher.step(record.step);
    // Older than the checkpoint: what is shown of it is in nothing that came since.
    if (entry.sequence <= after) continue;
    desk.fold(entry);
    plans.fold(entry);
    tally.take(entry);
    recordedAt = record.at;
  }
  return { plans, mark: tally.mark, recordedAt };
}

function phaseOf(asked: Result<LedgerStatus>): StatusReport["phase"] {
  if (!asked.ok) return { kind: "unknown", text: `whether a bot runs is unknown: ${asked.error}` };
  const { bot } = asked.value;
  return bot === undefined ? { kind: "ended", text: "no bot runs" } : { kind: "running", text: `process ${bot.pid}` };
}

function flightsOf(desk: Desk, config: Config, now: Millis): ShownFlight[] {
  const haircuts = haircutsOf(config);
  return Array.from(desk.engine.context.accounts.flights(), (flight) => {
    const { id, door, spent, comes, status, reason } = flight;
    const since = underWaySince(desk, flight);
    const text = (amount: Money): string => `${amount} ${amount.asset}`;
    const cautious = text(comes.minus(haircutOf(flight, haircuts)));
    return { id, door, spent: text(spent), comes: text(comes), since, ageMs: now - since, status, reason, cautious };
  });
}

/** `journal`: the path of the key's own one. */
type KeyStatus = LedgerStatus & { readonly journal: string | undefined };

/** Who uses the key now; a ledger that knows nothing of this journal cannot tell. */
async function ledgerStatus(shell: Shell, { account, environment }: Opening): Promise<Result<KeyStatus>> {
  try {
    const budget = await joinBudget(shell, { fingerprint: account });
    try {
      const status = budget.ledger.urgently(() => budget.ledger.status());
      const journal = budget.ledger.urgently(() => budget.ledger.journalOf(environment))?.path;
      const isOther = status.bot === undefined && journal === undefined;
      return isOther
        ? err(`the ledger of the key (${status.path}) knows of no journal, so it is not the bot's`)
        : ok({ ...status, journal });
    } finally {
      budget.close();
    }
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}
