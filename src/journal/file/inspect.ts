// Inspects a journal file without changing it, and reports problems: version, pages, chain, then the anchor. Runs
// before a writer opens the journal, and in `journal verify`, which always checks everything.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Head } from "../journal.ts";
import type { Entry, Opening } from "../record.ts";
import { GENESIS, readEntry } from "../text/entry-text.ts";
import { checkChain, type Problem, problem } from "../verdict.ts";
import { type AnchorState, readAnchor } from "./anchor.ts";
import { anchorOf, sizeOf, walInUse } from "./files.ts";
import { openStore, readingPages } from "./open-store.ts";
import type { RecordStore } from "./record-store.ts";

export type Depth = {
  /** Larger files skip SQLite's page check. */
  readonly pagesBytesMax: number;
  /** Longer chains are verified from the last verified record on. */
  readonly chainMax: number;
  /** Of those records, at most this many of the newest. */
  readonly newestMax: number;
};

export const EVERYTHING: Depth = {
  pagesBytesMax: Number.POSITIVE_INFINITY,
  chainMax: Number.POSITIVE_INFINITY,
  newestMax: Number.POSITIVE_INFINITY,
};

/**
 * For a command that writes one line while the running bot has verified the whole journal: opening takes the same short
 * time for any length.
 */
export const BRIEFLY: Depth = { pagesBytesMax: 0, chainMax: 1_000, newestMax: 1_000 };

export type Inspection = {
  readonly opening: Opening;
  readonly head: Head;
  /** The records after this one were verified now. */
  readonly since: number;
  /** The chain is verified without a gap from its first record up to here, now or earlier. */
  readonly verified: Head;
  /** Undefined if a crash came between creating the file and creating its anchor. */
  readonly anchor: AnchorState | undefined;
};

export function inspectJournal(path: string, depth = EVERYTHING, onlyLooks = false): Result<Inspection, Problem> {
  const seen = lookBeside(path);
  const opened = openStore(path, onlyLooks);
  if (!opened.ok) return opened;
  const store = opened.value;
  try {
    return readingPages(() => {
      store.database.exec("BEGIN");
      return inspectRows(store, seen, depth);
    });
  } finally {
    store.close();
  }
}

export type Seen = {
  readonly path: string;
  readonly anchor: AnchorState | "missing" | "damaged";
  readonly walBytes: number;
};

/** Read before the rows: a writer anchors after its commit, so the rows read next are never older than the anchor. */
export function lookBeside(path: string): Seen {
  return { path, anchor: readAnchor(anchorOf(path)), walBytes: sizeOf(walInUse(path)) ?? 0 };
}

function inspectRows(store: RecordStore, seen: Seen, depth: Depth): Result<Inspection, Problem> {
  if ((sizeOf(seen.path) ?? 0) <= depth.pagesBytesMax) {
    const said = String(store.database.prepare("PRAGMA integrity_check(1)").get()?.integrity_check);
    if (said !== "ok") return err(problem("broken", `SQLite finds fault with its pages: ${said}`));
  }
  const from = startOf(store, seen.anchor, depth);
  if ("message" in from) return err(from);
  const head = checkChain(from, store.eachAfter(from.sequence));
  if ("message" in head) return err(head);
  const anchored = anchorProblem(store, seen, head);
  if (anchored !== undefined) return err(anchored);
  const opening = openingOf(store);
  if (opening === undefined) return err(problem("foreign-file", "its first record is no opening", 1));
  const { anchor } = seen;
  const known = typeof anchor === "string" ? undefined : anchor;
  const verified = known !== undefined && from.sequence > known.verified.sequence ? known.verified : head;
  return ok({ opening, head, since: from.sequence, verified, anchor: known });
}

/** Where verification starts: at the first record, or for a long chain at the last verified one. */
function startOf(store: RecordStore, anchor: Seen["anchor"], { chainMax, newestMax }: Depth): Head | Problem {
  const beginning = { sequence: 0, hash: GENESIS };
  const last = store.head().sequence;
  if (typeof anchor === "string" || last <= chainMax) return beginning;
  const { verified } = anchor;
  const row = store.row(verified.sequence);
  if (row === undefined) return beginning;
  if (row.hash !== verified.hash)
    return problem("broken", `record ${verified.sequence} is not the one that was verified`, verified.sequence);
  const newest = last - verified.sequence > newestMax ? store.row(last - newestMax) : undefined;
  return newest === undefined ? verified : { sequence: newest.sequence, hash: newest.hash };
}

/** Compares the journal's end with the anchor. Only the hash of the anchored record is checked. */
export function anchorProblem(store: RecordStore, { path, anchor, walBytes }: Seen, head: Head): Problem | undefined {
  if (anchor === "damaged") return problem("anchor-lost", `${anchorOf(path)} cannot be read`);
  if (anchor === "missing") {
    // A crash between the two files leaves a journal of one record. A longer one had an anchor.
    return head.sequence <= 1 ? undefined : problem("anchor-lost", `${anchorOf(path)} is not there`);
  }
  const { sequence, hash } = anchor.head;
  if (head.sequence < sequence) {
    const wal = walBytes === 0 && !anchor.settled ? `, and ${walInUse(path)} is gone` : "";
    const lost = `it ends at record ${head.sequence}, the anchor knows ${sequence}${wal}`;
    return problem("broken", lost, head.sequence + 1);
  }
  if (store.row(sequence)?.hash !== hash || openingOf(store)?.chainId !== anchor.chainId)
    return problem("broken", `record ${sequence} is not the one that the anchor knows`, sequence);
  return undefined;
}

/** The first record; every valid chain starts with it. */
export function openingOf(store: RecordStore): Opening | undefined {
  const row = store.row(1);
  const first = row === undefined ? undefined : readEntry(1, row.entry, row.hash);
  const entry: Entry | undefined = first?.ok ? first.value : undefined;
  return entry?.record.kind === "opening" ? entry.record : undefined;
}
