// The durable side of a run: the journal that belongs to key and environment, and the latch beside it. Whatever is
// wrong with them is a refusal with its way out, before anything is asked of the venue.

import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import type { Config } from "../../config/schema.ts";
import { removeLeftoversBeside } from "../../disk/fresh-file.ts";
import type { JournalCode } from "../../journal/journal.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { FRESH } from "../../risk/standing.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { absenceAt, bindJournal, requireNobodyElsewhere } from "../journal/journal-binding.ts";
import { journalTime } from "../journal/journal-time.ts";
import type { Spare } from "../kill-switch/guard.ts";
import { type LatchFile, openLatch } from "../kill-switch/latch-file.ts";
import { spareAt } from "../kill-switch/spare-latch.ts";
import { isEmbedded } from "../paper/paper-place.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "./closing.ts";
import { environmentName } from "./identity.ts";
import type { OpenedVenue } from "./open-venue.ts";
import { testKillSwitch } from "./self-test.ts";

export type Books = {
  readonly journal: SqliteJournal;
  readonly latch: LatchFile;
  /** For a stop that cannot be written to the latch. */
  readonly spare: Spare;
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
  const latch = openTestedLatch(shell, path, journal);
  const spare = spareAt(dirname(budget.ledger.path), environment, shell.clock);
  // Whoever looks at another journal may leave it at that: the stop is still the one of the key's own.
  const taken = which === "any" ? spare.copiedTo(latch) : spare.takenOverBy(latch);
  if (!taken.ok) throw new CommandFailure(exitCode.failed, taken.error);
  return { journal, latch, spare, path };
}

/** The first record is the opening entry of the file itself; the latch is written before any other. */
function openTestedLatch({ clock }: Shell, path: string, journal: SqliteJournal): LatchFile {
  const fault = testKillSwitch(path, clock);
  if (fault !== undefined)
    throw new CommandFailure(exitCode.failed, `the kill switch failed its self-test, so nothing may be sent: ${fault}`);
  const head = journal.head();
  if (!head.ok) throw new CommandFailure(exitCode.failed, head.error.message);
  const latch = openLatch(path, clock, head.value.sequence > 1);
  const written = latch.tighten(FRESH);
  if (!written.ok) throw new CommandFailure(exitCode.failed, written.error);
  return latch;
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
