// `status`: how the bot stands, from journal, kill file and the key's ledger; while a bot runs and while none does. It reads only,
// one record at a time, and keeps no more of them than it shows.

import { existsSync, readFileSync } from "node:fs";
import { findCheckpoint } from "../../app/bot/checkpoints.ts";
import { coreOf, limitsOf } from "../../app/bot/core-of.ts";
import { environmentName } from "../../app/bot/identity.ts";
import { CommandFailure } from "../../app/command-failure.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { otherLimits } from "../../app/config/limits-in-force.ts";
import { haircutsOf } from "../../app/config/movement-terms.ts";
import { railDraftsOf } from "../../app/config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { isSameFile } from "../../app/journal/journal-binding.ts";
import { isJournalThere } from "../../app/journal/journal-there.ts";
import { refuseLostJournal } from "../../app/journal/lost-journal.ts";
import { readable, readingFile } from "../../app/journal/open-reader.ts";
import { openToken, tokenPath } from "../../app/key/control-token.ts";
import { joinBudget, newInstance } from "../../app/key/join-budget.ts";
import { openKillFile } from "../../app/kill-switch/kill-file.ts";
import { requireOpening } from "../../app/kill-switch/standing-journal.ts";
import type { Shell } from "../../app/shell.ts";
import { versionText } from "../../app/version.ts";
import { createDesk } from "../../bot/desk/create-desk.ts";
import type { Desk } from "../../bot/desk/desk.ts";
import { timeAhead } from "../../bot/inbox/time-ahead.ts";
import { type Checkpoint, deskAt, type MakeDesk } from "../../bot/record/checkpoint.ts";
import { Tally } from "../../bot/record/tally.ts";
import { IDLE } from "../../bot/seat/idle.ts";
import type { Config } from "../../config/schema.ts";
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
import { heldBack } from "../../treasury/rebalancer/planner.ts";
import { templateOf } from "../../treasury/rebalancer/rails.ts";
import { createStatusBoard, type StatusBoard } from "../../watch/status/status-board.ts";
import { awaitingApproval, treasuryShown } from "../../watch/status/submission-list.ts";
import type { Status } from "../../watch/status.ts";
import type { Access, Told } from "./status/ask-bot.ts";
import { printStatus } from "./status/print-status.ts";

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
  const report = readingFile(path, () => seenStatus(shell, config, { asked: ledger, told }));
  if (json) shell.terminal.json(report);
  else printStatus(shell.terminal, report);
  return report.damage === undefined ? exitCode.done : exitCode.failed;
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

/** `asked`: who uses the key; `told`: what its running bot answered. */
type Reporting = { readonly asked: Result<KeyStatus>; readonly told: Told | undefined };

/** The running bot's own status, else what the journal folds to; with what is seen from outside. */
export function seenStatus(shell: Shell, config: Config, { asked, told }: Reporting): Status {
  const { path } = config.journal;
  const opened = JournalReader.open(path);
  if (!opened.ok) throw new CommandFailure(exitCode.failed, `journal ${path}: ${opened.error.message}`);
  const reader = opened.value;
  try {
    const ledger = asked.ok ? asked.value : undefined;
    const bot = ledger?.bot;
    const keyJournal = ledger?.journal && isSameFile(ledger.journal, path) ? undefined : ledger?.journal;
    const damage = reader.anchorProblem();
    const isOwn = told?.kind === "told" && keyJournal === undefined;
    const seen = isOwn ? told.status : folded(shell, config, reader, asked);
    return {
      ...seen,
      standing: joined(openKillFile(path).standing(), seen.standing),
      otherLimits: seen.otherLimits ?? (ledger && otherLimits(ledger, config)),
      bot: bot && { pid: bot.pid, since: bot.since, folder: bot.folder, page: ledger && pageOf(ledger) },
      botUnknown: asked.ok ? undefined : asked.error,
      silent: told?.kind === "silent" ? told.why : told && !isOwn ? "it runs with another journal" : undefined,
      keyJournal,
      damage: damage && { verdict: damage.kind, message: damage.message, wayOut: WAY_OUT[damage.kind] },
    };
  } finally {
    reader.close();
  }
}

/** From the checkpoint where one fits, else from the first record. */
function folded(shell: Shell, config: Config, reader: JournalReader, asked: Result<KeyStatus>): Status {
  const { path } = config.journal;
  const { opening } = reader;
  const note = (text: string): void => shell.terminal.note(text);
  const found = findCheckpoint({ path, config, opening, hashAt: (sequence) => reader.hashAt(sequence) }, note);
  try {
    return foldedFrom(found, reader, { shell, config, asked });
  } catch (error) {
    if (error instanceof OtherCurrency) throw new CommandFailure(exitCode.usage, `journal ${path}: ${error.message}`);
    if (found === undefined || error instanceof CommandFailure) throw error;
    note(`the checkpoint is left alone, everything is read: ${String(error)}`);
    return foldedFrom(undefined, reader, { shell, config, asked });
  }
}

type Folding = { readonly shell: Shell; readonly config: Config; readonly asked: Result<KeyStatus> };

function foldedFrom(found: Checkpoint | undefined, reader: JournalReader, folding: Folding): Status {
  const { shell, config, asked } = folding;
  const { clock } = shell;
  const make: MakeDesk = (saved) =>
    createDesk(coreOf(config, newInstance())(IDLE, saved), { safePointMs: Number.POSITIVE_INFINITY });
  const desk = found === undefined ? make() : deskAt(found, make);
  const board = boardOf(desk, reader, folding);
  const { plans, mark, recordedAt } = readOn(found, reader, desk, board);
  const { pid: _pid, startedAt: _startedAt, worth, ...seen } = board.snapshot();
  return {
    ...seen,
    // Before the books are opened nobody knows what there is.
    worth: desk.executor.isOpened ? worth : undefined,
    unready: [],
    treasury: treasuryIn(plans, desk, config, clock.now()),
    standing: desk.engine.context.books.standing,
    phase: phaseOf(asked),
    marked: mark && {
      equity: String(mark.equity),
      at: mark.at,
      adopted: mark.adopted.isZero() ? undefined : String(mark.adopted),
    },
    recordedAt,
    // By this machine's clock: what the ledger knows of the venue's may be of an hour when ours was another.
    ahead: timeAhead(desk.engine.now, clock.now()),
  };
}

function treasuryIn(plans: PlanLog, { executor }: Desk, config: Config, now: Millis): Status["treasury"] {
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

function boardOf(desk: Desk, reader: JournalReader, { shell, config, asked }: Folding): StatusBoard {
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

function phaseOf(asked: Result<LedgerStatus>): Status["phase"] {
  if (!asked.ok) return { kind: "unknown", text: `whether a bot runs is unknown: ${asked.error}` };
  const { bot } = asked.value;
  return bot === undefined ? { kind: "ended", text: "no bot runs" } : { kind: "running", text: `process ${bot.pid}` };
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
