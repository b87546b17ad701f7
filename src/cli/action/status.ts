// `status`: how the bot stands, from journal, latch and the key's ledger; while a bot runs and while none does. It reads only,
// one record at a time, and keeps no more of them than it shows.

import { haircutOf } from "../../bot/accounts/worth.ts";
import { createDesk, type Desk } from "../../bot/desk.ts";
import { heldBack } from "../../bot/held-doors.ts";
import { IDLE } from "../../bot/start-up.ts";
import type { Config } from "../../config/schema.ts";
import type { Money } from "../../domain/money/money.ts";
import { ok } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import { isUnknown } from "../../execution/submission.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import { joined } from "../../risk/standing.ts";
import { PlanLog } from "../../treasury/approval/plan-log.ts";
import { coreOf, limitsOf } from "../bot/core-of.ts";
import { createStatusBoard } from "../bot/status-board.ts";
import { awaitingApproval, treasuryShown } from "../bot/treasury-shown.ts";
import { botConfig } from "../bot-config.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { openLatch } from "../latch/latch-file.ts";
import { joinBudget, newInstance } from "../open-exchange.ts";
import type { Shell } from "../shell.ts";
import { requireOpening } from "../standing-journal.ts";
import { haircutsOf } from "../tool/treasury-terms.ts";
import { versionText } from "../version.ts";
import { readable, readingFile } from "./journal/open-reader.ts";
import { printStatus } from "./status/print-status.ts";
import type { ShownFlight, StatusReport } from "./status/status-report.ts";

export type StatusOptions = { readonly json?: boolean };

export async function status(shell: Shell, { json = false }: StatusOptions): Promise<ExitCode> {
  const config = botConfig(shell);
  const { opening } = requireOpening(config.journal.path);
  const ledger = await ledgerStatus(shell, opening.account);
  const report = readingFile(config.journal.path, () => reportOf(shell, config, ledger));
  if (json) shell.terminal.json(report);
  else printStatus(shell.terminal, report);
  return exitCode.done;
}

function reportOf(shell: Shell, config: Config, ledger: LedgerStatus | undefined): StatusReport {
  const { path } = config.journal;
  const opened = JournalReader.open(path);
  if (!opened.ok) throw new CommandFailure(exitCode.failed, `journal ${path}: ${opened.error.message}`);
  const reader = opened.value;
  try {
    const { clock } = shell;
    const { environment } = reader.opening;
    const desk = createDesk(coreOf(config, newInstance())(IDLE), { safePointMs: Number.POSITIVE_INFINITY });
    const board = createStatusBoard({
      clock,
      version: versionText(),
      mode: config.mode,
      environment,
      venue: config.venue.baseUrl ?? "embedded simulator",
      journal: { head: () => ok(reader.head()) },
      journalPath: path,
      ledger: () => ledger,
      limits: limitsOf(config),
      haircuts: haircutsOf(config),
      targets: config.treasury.targets,
    });
    board.watcher.desk(desk);
    const plans = new PlanLog();
    let mark: { equity: Money; at: Millis } | undefined;
    let recordedAt: Millis | undefined;
    for (const read of reader.after(0)) {
      const { entry } = readable(read);
      desk.fold(entry);
      plans.fold(entry);
      recordedAt = entry.record.at;
      if (entry.record.kind !== "step") continue;
      const { step } = entry.record;
      board.watcher.step(step);
      if (step.mark !== undefined) mark = { equity: step.mark, at: step.at };
    }
    const { startedAt: _, strategy: _2, quotes: _3, notes: _4, feeds: _5, ...seen } = board.snapshot();
    const onDisk = openLatch(path, clock, reader.head().sequence > 1).standing();
    const standing = joined(onDisk, desk.engine.context.books.standing);
    const bot = ledger?.bot;
    const phase =
      bot === undefined ? { kind: "ended", text: "no bot runs" } : { kind: "running", text: `process ${bot.pid}` };
    return {
      ...seen,
      treasury: treasuryShown(
        desk.executor,
        awaitingApproval(plans.waiting(clock.now()), clock.now()),
        heldBack(plans, clock.now(), desk.executor),
      ),
      unwatched: bot === undefined ? unwatchedOf(desk) : [],
      standing,
      phase,
      bot: bot && { pid: bot.pid, since: bot.since, folder: bot.folder },
      flights: flightsOf(desk, config, clock.now()),
      marked: mark && { equity: String(mark.equity), at: mark.at },
      recordedAt,
    };
  } finally {
    reader.close();
  }
}

/** What may have happened, and nobody looks for while no bot runs. */
function unwatchedOf({ executor }: Desk): readonly string[] {
  return [...executor.open()].flatMap(({ id, state }) => (isUnknown(state) ? [id] : []));
}

function flightsOf({ engine }: Desk, config: Config, now: Millis): ShownFlight[] {
  const haircuts = haircutsOf(config);
  return Array.from(engine.context.accounts.flights(), (flight) => {
    const { id, door, spent, comes, since, status, reason } = flight;
    const text = (amount: Money): string => `${amount} ${amount.asset}`;
    const cautious = text(comes.minus(haircutOf(flight, haircuts)));
    return { id, door, spent: text(spent), comes: text(comes), since, ageMs: now - since, status, reason, cautious };
  });
}

/** Who uses the key now; what cannot be learnt is not shown. */
async function ledgerStatus(shell: Shell, fingerprint: string): Promise<LedgerStatus | undefined> {
  try {
    const budget = await joinBudget(shell, { fingerprint });
    try {
      return budget.ledger.status();
    } finally {
      budget.close();
    }
  } catch (error) {
    shell.terminal.note(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
