// A journal of its own for each test, in a folder that goes with it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { unwrap } from "../../src/domain/result.ts";
import { type JournalOptions, openJournal } from "../../src/journal/open-journal.ts";
import type { SqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { optionsOf } from "./journal-options.ts";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function temporaryPath(): string {
  return join(temporaryFolder(), "data", "pegbot.db");
}

const writing = new Map<string, SqliteJournal>();

/** Closed by the test itself, or by the next one at its path: a journal has one writer. */
export function journalAt(path: string, change: Partial<JournalOptions> = {}): SqliteJournal {
  writing.get(path)?.close();
  const opened = openJournal(optionsOf(path, change));
  const journal = unwrap(opened.ok ? opened : { ok: false, error: opened.error.message });
  const { close } = journal;
  let isOpen = true;
  journal.close = () => {
    if (isOpen) close.call(journal);
    isOpen = false;
  };
  writing.set(path, journal);
  return journal;
}
