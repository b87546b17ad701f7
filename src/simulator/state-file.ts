// The state of a simulator on disk: a head, a snapshot, then one line with the changed values for every change since.
// A request is answered when its changes are synced; requests that wait are synced together. A log that has grown long
// is replaced by a new snapshot.

import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  write,
} from "node:fs";
import { promisify } from "node:util";
import { openNew, syncFolderOf, writeWhole } from "../disk/new-file.ts";
import { jsonOf } from "../domain/json-of.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Moment } from "./core/record.ts";
import { toPlain, type VenueParticulars, type VenueState } from "./core/state.ts";

/** Belongs to the file: another seed or market is another file. */
export type StateHead = { readonly seed: number; readonly market: readonly string[] };

export type SimulatorState<V = VenueParticulars> = {
  readonly venue: V;
  readonly nonces: Readonly<Record<string, string>>;
  /** By how much settlement time was moved ahead in this run: a move is a change, the passing of time is not. */
  readonly advancedMs: number;
};

export type Timed<S> = { readonly moment: Moment; readonly state: S };
export type StoredState = StateHead & Timed<SimulatorState<VenueState>>;

const FORMAT = { format: "pegbot-simulator-state", version: 2 };

const writeAsync = promisify(write) as unknown as (fd: number, data: Buffer) => Promise<{ bytesWritten: number }>;
const syncAsync = promisify(fdatasync);

/** Undefined when there is no file yet. Only a torn last line, whose request was never answered, is dropped. */
export function readState(path: string): Result<StoredState | undefined> {
  if (!existsSync(path)) return ok(undefined);
  const [first = "", ...lines] = readFileSync(path, "utf8").split("\n");
  const head = parseHead(path, first);
  if (!head.ok) return head;
  // Text after the last line feed is a line whose write was cut short.
  lines.pop();
  let stored: Timed<SimulatorState<VenueState>> | undefined;
  for (const [i, line] of lines.entries()) {
    try {
      const { moment, state = stored?.state, changes = [] } = JSON.parse(line);
      for (const change of changes as readonly Change[]) applyChange(state, change);
      stored = { moment, state };
    } catch {
      return err(`line ${i + 2} of ${path} must be a change of the state: the file is damaged`);
    }
  }
  return stored === undefined ? err(`${path} has no snapshot: the file is damaged`) : ok({ ...head.value, ...stored });
}

/** Enough for a market with every parameter set by name. */
const HEAD_BYTES = 16_384;

/** Reads only seed and market; undefined when there is no file yet. */
export function readHead(path: string): Result<StateHead | undefined> {
  if (!existsSync(path)) return ok(undefined);
  const head = Buffer.alloc(HEAD_BYTES);
  const fd = openSync(path, "r");
  try {
    const text = head.toString("utf8", 0, readSync(fd, head));
    return parseHead(path, text.split("\n", 1)[0] as string);
  } finally {
    closeSync(fd);
  }
}

function parseHead(path: string, line: string): Result<StateHead> {
  if (line.startsWith('{"format":"pegbot-simulator-state","version":1,'))
    return err(`${path} is of an earlier pegbot and cannot be read: use a new file (a paper bot: a new journal.path)`);
  const head = jsonOf(line) as (StateHead & typeof FORMAT) | undefined;
  if (head?.format !== FORMAT.format || head.version !== FORMAT.version)
    return err(`${path} must be a state file of this simulator`);
  return ok({ seed: head.seed, market: head.market });
}

const GROWTH_BYTES_MAX = 64 * 2 ** 20;

type Log = { readonly fd: number; readonly snapshotBytes: number };

/** Starts a new log with this snapshot: written to a second file, synced, then renamed over the old one. */
function startLog(path: string, head: StateHead, { moment, state }: Timed<SimulatorState>): Log {
  const fresh = `${path}.new`;
  const fd = openNew(fresh, 0o600);
  const bytes = Buffer.from(lineOf({ ...FORMAT, ...head }) + lineOf({ moment, state: toPlain(state) }));
  writeWhole(fd, bytes);
  fsyncSync(fd);
  renameSync(fresh, path);
  syncFolderOf(path);
  return { fd, snapshotBytes: bytes.length };
}

export class StateFile {
  private readonly path: string;
  private readonly head: StateHead;
  private readonly read: () => Timed<SimulatorState>;
  private readonly growthBytesMax: number;
  private log: Log;
  private written: SimulatorState;
  private grownBytes = 0;
  /** Stays rejected after a failed write: the end of the file is unknown, so nothing may be appended. */
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private closed = false;

  constructor(path: string, head: StateHead, read: () => Timed<SimulatorState>, growthBytesMax = GROWTH_BYTES_MAX) {
    this.path = path;
    this.head = head;
    this.read = read;
    this.growthBytesMax = growthBytesMax;
    const now = read();
    this.log = startLog(path, head, now);
    this.written = now.state;
  }

  /** Resolves when everything that happened until now is on disk. */
  synced(): Promise<void> {
    // The descriptor of a closed file may belong to another file by now.
    if (this.closed) return Promise.reject(new Error("the state file is closed"));
    this.next ??= this.running = this.running.then(() => {
      this.next = undefined;
      return this.flush();
    });
    return this.next;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.running.catch(() => undefined);
    closeSync(this.log.fd);
  }

  private async flush(): Promise<void> {
    const now = this.read();
    const changes = changesBetween(this.written, now.state);
    this.written = now.state;
    if (changes.length === 0) return;
    if (this.isLong()) return this.startAnew(now);
    const data = Buffer.from(lineOf({ moment: now.moment, changes }));
    for (let offset = 0; offset < data.length; ) {
      const { bytesWritten } = await writeAsync(this.log.fd, data.subarray(offset));
      offset += bytesWritten;
    }
    await syncAsync(this.log.fd);
    this.grownBytes += data.length;
  }

  /** A large venue may grow by its own snapshot's size, so that snapshots stay rare. */
  private isLong(): boolean {
    return this.grownBytes >= Math.max(this.growthBytesMax, this.log.snapshotBytes);
  }

  private startAnew(now: Timed<SimulatorState>): void {
    const old = this.log.fd;
    this.log = startLog(this.path, this.head, now);
    this.grownBytes = 0;
    closeSync(old);
  }
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

// What changed between two states, as values at their paths. Rows are replaced and never edited, so equal objects are
// skipped without a look inside.

/** A plain value at its path; without a value, what was there is gone. */
export type Change = readonly [path: readonly (string | number)[], value?: unknown];

type Tree = Record<string | number, unknown>;

export function changesBetween(before: unknown, after: unknown, path: Change[0] = []): readonly Change[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length <= after.length)
    return after.flatMap((value, i) => (value === before[i] ? [] : changesBetween(before[i], value, [...path, i])));
  if (!isTree(before) || !isTree(after)) return [[path, toPlain(after)]];
  const gone = Object.keys(before).filter((key) => !(key in after));
  return [
    ...gone.map((key): Change => [[...path, key]]),
    ...Object.entries(after).flatMap(([key, value]) => changesBetween(before[key], value, [...path, key])),
  ];
}

/** Edits a plain state; throws where the path does not exist. */
export function applyChange(state: object, change: Change): void {
  const path = [...change[0]];
  const last = path.pop() as string | number;
  const holder = path.reduce((tree, key) => tree[key] as Tree, state as Tree);
  if (change.length === 1) Reflect.deleteProperty(holder, last);
  else holder[last] = change[1];
}

/** Amounts are values, not trees. */
function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
