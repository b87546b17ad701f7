// A process that writes to a journal, for tests that need a real one: to kill, to starve of disk.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import type { Result } from "../../../src/domain/result.ts";
import type { JournalError } from "../../../src/journal/journal.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import type { SqliteJournal } from "../../../src/journal/sqlite-journal.ts";

export type DriverTask = {
  readonly role: "write" | "full" | "limited" | "unwritable";
  readonly path: string;
  readonly writer: string;
};

const task: DriverTask = JSON.parse(process.argv[2] ?? "{}");
const roles = { write, full, limited, unwritable };
await roles[task.role]();

function open(): Result<SqliteJournal, JournalError> {
  return openJournal({
    path: task.path,
    environment: "test",
    account: "0123456789abcdef",
    writer: task.writer,
    codeVersion: "0.1.0",
    absent: "create",
    newChainId: () => `chain-of-${task.writer}`,
    clock: systemClock,
  });
}

function opened(): SqliteJournal {
  const journal = open();
  if (!journal.ok) throw new Error(journal.error.message);
  return journal.value;
}

function record(id: string, cause: string): JournalRecord {
  return { kind: "doubt", at: systemClock.now(), id, nonce: 1, code: "toy", cause };
}

/** At once and by one system call: it is out before the process can be killed. */
function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

function codeOf(result: Result<unknown, JournalError>): string {
  return result.ok ? "ok" : result.error.code;
}

/** Appends batches of one to five, and says what was acknowledged, until it is killed. */
async function write(): Promise<void> {
  const journal = opened();
  say("ready");
  for (let batch = 1; ; batch++) {
    const size = 1 + (batch % 5);
    const records = Array.from({ length: size }, (_, n) => record(`${task.writer}-${batch}`, `${n + 1} of ${size}`));
    const receipt = await journal.append(records);
    if (!receipt.ok) throw new Error(receipt.error.message);
    say(receipt.value.head);
  }
}

/** On a disk of its own that something else fills up. */
async function full(): Promise<void> {
  const journal = opened();
  const first = codeOf(await journal.append([record("first", "room")]));
  const ballast = join(dirname(task.path), "ballast");
  fill(ballast);
  // A record larger than what the last page of the -wal may still take.
  const large = "x".repeat(20_000);
  const decision = codeOf(await journal.transact(() => ({ records: [record("decision", large)], value: 1 })));
  const sending = codeOf(journal.announce([record("sending", large)]));
  const fact = codeOf(await journal.append([record("fact", large)]));
  rmSync(ballast);
  const after = codeOf(await journal.append([record("after", large)]));
  const kept = journal.read(1, 100);
  const ids = kept.ok ? kept.value.map((entry) => (entry.record.kind === "doubt" ? entry.record.id : "")) : [];
  say({ first, decision, sending, fact, after, ids });
}

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
      const chunk = Buffer.alloc(size, 1);
      for (;;) if (writeSync(file, chunk) < size) break;
    }
  } catch {
    // Full: that is what it is for. The chunks get smaller until not one byte fits.
  } finally {
    closeSync(file);
  }
}

/** Under a limit on the size of files, which fails writes in another way than a full disk. */
async function limited(): Promise<void> {
  const journal = opened();
  let acknowledged = 0;
  for (;;) {
    const receipt = await journal.append([record("limited", "y".repeat(10_000))]);
    if (receipt.ok) {
      acknowledged = receipt.value.head.sequence;
      continue;
    }
    const next = await journal.append([record("after", "small")]);
    say({ acknowledged, first: receipt.error.code, second: codeOf(next) });
    return;
  }
}

/** As a user who may read the folder and not write to it. */
async function unwritable(): Promise<void> {
  if (process.getuid?.() === 0) process.setuid?.(65_534);
  const journal = open();
  say({ code: codeOf(journal), message: journal.ok ? "" : journal.error.message });
}
