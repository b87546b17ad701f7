// The durable side of a run: the journal that belongs to key and environment, and the kill file next to it. Whatever is
// wrong with them is a refusal with its way out, before anything is asked of the venue.

import { randomUUID } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import { removeLeftoversBeside } from "../../disk/fresh-file.ts";
import type { JournalCode } from "../../journal/journal.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { absenceAt, bindJournal, requireNobodyElsewhere } from "../journal/journal-binding.ts";
import { journalTime } from "../journal/journal-time.ts";
import { type KillFile, openKillFile } from "../kill-switch/kill-file.ts";
import { testKillSwitch } from "../kill-switch/self-test.ts";
import { isEmbedded } from "../paper/paper-place.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "./closing.ts";
import { environmentName } from "./identity.ts";
import type { OpenedVenue } from "./open-venue.ts";

export type Books = {
  readonly journal: SqliteJournal;
  readonly killFile: KillFile;
  readonly path: string;
};

type BooksOrder = {
  readonly config: Config;
  readonly instance: string;
  readonly codeVersion: string;
  /**
   * `own`: the key's own journal, made at a first start. `existing`: that one, and it must be there. `any`: the one that
   * lies there, or a new one also beside a damaged one; for a person who then binds it.
   */
  readonly which?: "own" | "existing" | "any";
};

export async function openBooks(
  shell: Shell,
  { config, instance, codeVersion, which = "own" }: BooksOrder,
  { budget, signer }: Pick<OpenedVenue, "budget" | "signer">,
  closing: Closing,
): Promise<Books> {
  const { path } = config.journal;
  const environment = environmentName(config);
  const key = { ledger: budget.ledger, environment, hasAccountBeside: isEmbedded(config) };
  if (which === "any") await requireNobodyElsewhere(key, path);
  const opened = openJournal({
    path,
    environment,
    account: signer.fingerprint,
    writer: instance,
    codeVersion,
    absent: which === "any" ? "create-beside-quarantine" : await absenceAt(key, path, which),
    newChainId: randomUUID,
    machine: journalTime(shell.clock),
  });
  if (!opened.ok)
    throw new CommandFailure(codeOf(opened.error.code), opened.error.message, newAccountAt(config, opened.error.code));
  const journal = opened.value;
  closing.add(() => journal.close());
  if (which !== "any") await bindJournal(key, path, journal.opening.chainId);
  removeLeftoversBeside(path, shell.clock.now());
  const fault = testKillSwitch(path);
  if (fault !== undefined)
    throw new CommandFailure(exitCode.failed, `the kill switch failed its self-test, so nothing may be sent: ${fault}`);
  return { journal, killFile: openKillFile(path), path };
}

const LOST: ReadonlySet<JournalCode> = new Set(["journal-damaged", "journal-missing", "journal-older"]);

/** The venue of a paper account lies beside its journal, and asks for nothing back: there is another way than adopt. */
function newAccountAt(config: Config, code: JournalCode): string | undefined {
  if (!LOST.has(code) || !isEmbedded(config)) return undefined;
  const files = `every file and folder whose name begins with ${config.journal.path}`;
  return `on the embedded simulator adopt does not help: for a new paper account move ${files} to another folder while no bot runs, and start again`;
}

/** Where the journal is looked for is a matter of configuration; the rest failed. */
const MISPLACED: ReadonlySet<JournalCode> = new Set(["journal-foreign", "journal-missing", "journal-unmade"]);

function codeOf(code: JournalCode): ExitCode {
  return MISPLACED.has(code) ? exitCode.usage : exitCode.failed;
}
