// The durable side of an owner: the journal that belongs to key and environment, and the kill file next to it. A problem
// with them is refused with its remedy before the first request to the venue.

import { randomUUID } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import { removeLeftoversBeside } from "../../disk/fresh-file.ts";
import { CommandFailure, plainFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Clock } from "../../domain/time.ts";
import type { KeyFile } from "../../exchange/budget/key-file.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import type { JournalCode } from "../../journal/journal.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { bindingName, environmentName } from "../config/identity.ts";
import { requireOwnFolder } from "../config/open-to-others.ts";
import { isEmbedded } from "../config/paper-place.ts";
import { absenceAt, bindJournal, type KeyJournal } from "../journal/journal-binding.ts";
import { type KillFile, openKillFile, testKillSwitch } from "../kill-switch/kill-file.ts";
import type { Closing } from "../system/closing.ts";

export type Books = {
  readonly journal: SqliteJournal;
  readonly killFile: KillFile;
  readonly path: string;
  /** The binding of the key to its journal. */
  readonly key: KeyJournal;
};

export type BooksOrder = {
  readonly config: Pick<Config, "mode" | "venue"> & { readonly journal: Pick<Config["journal"], "path"> };
  readonly instance: string;
  readonly codeVersion: string;
  /**
   * `own`: the key's own journal, created at a first start. `existing`: the same, and it must exist. `any`: the journal
   * at the path, or a new one, for a person who then binds it.
   */
  readonly which?: "own" | "existing" | "any" | undefined;
};

type BooksOf = { readonly budget: { readonly file: KeyFile }; readonly signer: Pick<Signer, "fingerprint"> };

export async function openBooks(
  { clock }: { readonly clock: Clock },
  { config, instance, codeVersion, which = "own" }: BooksOrder,
  { budget, signer }: BooksOf,
  closing: Closing,
): Promise<Books> {
  const { path } = config.journal;
  const environment = environmentName(config);
  const key = { file: budget.file, environment: bindingName(config), hasAccountBeside: isEmbedded(config) };
  requireOwnFolder(config);
  const opened = openJournal({
    path,
    environment,
    account: signer.fingerprint,
    writer: instance,
    codeVersion,
    absent: which === "any" ? "create" : absenceAt(key, path, which),
    newChainId: randomUUID,
    clock,
  });
  if (!opened.ok)
    throw new CommandFailure(codeOf(opened.error.code), opened.error.message, newAccountAt(config, opened.error.code));
  const journal = opened.value;
  closing.add(() => journal.close());
  if (which !== "any") bindJournal(key, path, journal.opening.chainId);
  removeLeftoversBeside(path, clock.now());
  const fault = testKillSwitch(path);
  if (fault !== undefined) throw plainFailure(`the kill switch failed its self-test, so nothing may be sent: ${fault}`);
  return { journal, killFile: openKillFile(path), path, key };
}

const LOST: ReadonlySet<JournalCode> = new Set(["journal-damaged", "journal-missing", "journal-older"]);

/** A paper account's venue lies next to its journal, so a new account is an alternative to adopt. */
function newAccountAt(config: BooksOrder["config"], code: JournalCode): string | undefined {
  if (!LOST.has(code) || !isEmbedded(config)) return undefined;
  const files = `every file and folder whose name begins with ${config.journal.path}`;
  return `on the embedded simulator adopt does not help: for a new paper account move ${files} to another folder while no bot runs, and start again`;
}

/** A wrong journal path is a configuration mistake; every other code is a failure. */
const MISPLACED: ReadonlySet<JournalCode> = new Set(["journal-foreign", "journal-missing", "journal-unmade"]);

function codeOf(code: JournalCode): ExitCode {
  return MISPLACED.has(code) ? exitCode.usage : exitCode.failed;
}
