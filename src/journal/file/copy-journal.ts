// Copies a journal while a bot may be writing to it: every record up to one moment in one file, and an anchor at
// exactly that record. The copy is verified from its first record before it is reported as complete.

import { chmodSync, constants, copyFileSync } from "node:fs";
import { syncFolderOf } from "../../disk/new-file.ts";
import { err, type Result } from "../../domain/result.ts";
import type { Problem } from "../verdict.ts";
import { AnchorFile } from "./anchor.ts";
import { anchorOf } from "./files.ts";
import { EVERYTHING, type Inspection, inspectJournal } from "./inspect.ts";
import { openStore } from "./open-store.ts";

export function copyJournal(path: string, copy: string): Result<Inspection, Problem> {
  // The anchor is copied first: a writer anchors after its commit, so the rows read next are never older than the
  // anchor. The other way round, the anchor could name records that the copy lacks.
  copyFileSync(anchorOf(path), anchorOf(copy), constants.COPYFILE_EXCL);
  const opened = openStore(path);
  if (!opened.ok) return err(opened.error);
  try {
    // One snapshot, including the -wal; writers continue meanwhile.
    opened.value.database.prepare("VACUUM INTO ?").run(copy);
  } finally {
    opened.value.close();
  }
  for (const file of [copy, anchorOf(copy)]) chmodSync(file, 0o600);
  const inspected = inspectJournal(copy, EVERYTHING);
  if (!inspected.ok) return inspected;
  const { opening, head } = inspected.value;
  // The copy has no -wal; `settled` keeps that from being reported as a lost one.
  const anchor = AnchorFile.open(anchorOf(copy), { chainId: opening.chainId, head, verified: head, settled: true });
  anchor.write({});
  anchor.close();
  syncFolderOf(copy);
  return inspected;
}
