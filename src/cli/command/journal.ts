// `journal list|show|verify|export|backup|checkpoint|anchor`: what happened, read from the durable record while the bot goes on
// writing; a place to begin reading at; and, for a person, a new anchor where the old one is lost.

import { type Command, InvalidArgumentError } from "commander";
import type { AnchorOptions } from "../action/journal/anchor.ts";
import type { ExportOptions } from "../action/journal/export.ts";
import type { VerifyOptions } from "../action/journal/verify.ts";
import { group } from "../command-group.ts";
import { day } from "../option/moment.ts";
import type { Run } from "../shell.ts";

const LAST = 20;
const OTHER_FILE = "another one than the configured: the pegbot.db of an archive or a backup";

type Json = { readonly json?: true };

export function registerJournal(program: Command, run: Run): void {
  const journal = program
    .command("journal")
    .helpGroup(group.trading)
    .description("what happened: list, show, verify, export, backup, checkpoint, anchor");
  journal
    .command("list")
    .description("the newest records, one line each")
    .option("--last <n>", "how many", wholeNumber, LAST)
    .option("--json", "print the records as JSON")
    .action((options: Json & { readonly last: number }) =>
      run(async (shell) => (await import("../action/journal/list.ts")).listJournal(shell, options)),
    );
  journal
    .command("show")
    .description("one record with everything in it, as JSON")
    .argument("<sequence>", "its number", wholeNumber)
    .option("--json", "taken as everywhere: the record is JSON without it too")
    .action((sequence: number) =>
      run(async (shell) => (await import("../action/journal/show.ts")).showRecord(shell, sequence)),
    );
  journal
    .command("verify")
    .description("pages, every record of the chain, and the anchor; exit code 1 when damaged")
    .option("--journal <file>", OTHER_FILE)
    .option("--json", "print the verdict as JSON")
    .action((options: VerifyOptions) =>
      run(async (shell) => (await import("../action/journal/verify.ts")).verifyJournal(shell, options)),
    );
  journal
    .command("export")
    .description("every record, or each movement of money once, to files only you can read, or to - for stdout")
    .option("--csv <file>", "as a table: number, time, kind, what, and the record")
    .option("--json <file>", "as a JSON list, one record a line; beside --books its totals")
    .option("--books <file>", "for bookkeeping: each movement of money once, with fee, cost and profit")
    .option("--lots <file>", "beside --books or alone: lots, first in first out")
    .option(
      "--days <file>",
      "beside --books or alone: what was held at the ends of each day in the currency of the limits",
    )
    .option("--from <day>", "of --books, --lots and --days: from this UTC day on, such as 2026-01-01", day)
    .option("--to <day>", "and before this one: 2026-02-01 ends with the last of January", day)
    .option("--journal <file>", OTHER_FILE)
    .action((options: ExportOptions) =>
      run(async (shell) => (await import("../action/journal/export.ts")).exportJournal(shell, options)),
    );
  journal
    .command("backup")
    .description("a verified copy with anchor and latch, in a new folder, while the bot runs")
    .argument("<folder>", "a new one, or an empty one")
    .option("--json", "print what was copied as JSON")
    .action((folder: string, options: Json) =>
      run(async (shell) => (await import("../action/journal/backup.ts")).backupJournal(shell, folder, options)),
    );
  journal
    .command("checkpoint")
    .description("a place for status and the next start to begin reading at, made while the bot runs")
    .option("--json", "print what was made as JSON")
    .action((options: Json) =>
      run(async (shell) => (await import("../action/journal/checkpoint.ts")).checkpointJournal(shell, options)),
    );
  journal
    .command("anchor")
    .description("make a new anchor where it is lost: verifies first, asks, and leaves the bot HALTED")
    .option("--reason <text>", "why it is right, for whoever resumes")
    .option("--yes", "confirm without being asked")
    .option("--json", "print what was anchored as JSON")
    .action((options: AnchorOptions) =>
      run(async (shell) => (await import("../action/journal/anchor.ts")).anchorJournal(shell, options)),
    );
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[0-9]{1,15}$/.test(text) || value < 1)
    throw new InvalidArgumentError(`must be a whole number from 1, was ${text.slice(0, 40)}`);
  return value;
}
