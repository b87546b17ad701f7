// A copy of a journal that a bot may be writing to, complete in itself: every record up to one moment in one file, and an
// anchor at just that record. It is verified from its first record before it counts as made.

import { chmodSync, constants, copyFileSync } from "node:fs";
import { syncFolderOf } from "../../disk/new-file.ts";
import { err, type Result } from "../../domain/result.ts";
import type { Problem } from "../verdict.ts";
import { AnchorFile } from "./anchor.ts";
import { anchorOf } from "./files.ts";
import { EVERYTHING, type Inspection, inspectJournal } from "./inspect.ts";
import { openStore } from "./open-store.ts";

export function copyJournal(path: string, copy: string): Result<Inspection, Problem> {
  // The anchor first: a writer anchors after its commit, so what is read next is never older than it. The other way round the
  // copy would know of records that it has not.
  copyFileSync(anchorOf(path), anchorOf(copy), constants.COPYFILE_EXCL);
  const opened = openStore(path);
  if (!opened.ok) return err(opened.error);
  try {
    // In one snapshot, with what is in the -wal; writers go on meanwhile.
    opened.value.database.prepare("VACUUM INTO ?").run(copy);
  } finally {
    opened.value.close();
  }
  for (const file of [copy, anchorOf(copy)]) chmodSync(file, 0o600);
  const inspected = inspectJournal(copy, EVERYTHING);
  if (!inspected.ok) return inspected;
  const { opening, head } = inspected.value;
  // It has no -wal, and must not be taken for one that lost it.
  const anchor = AnchorFile.open(anchorOf(copy), { chainId: opening.chainId, head, verified: head, settled: true });
  anchor.write({});
  anchor.close();
  syncFolderOf(copy);
  return inspected;
}
