// The state of a simulator on disk: a snapshot in the first line, then one line for every operation and every nonce
// accepted since. An append resolves when its line is on disk, and only then is the request answered; waiting lines are
// synced together. A log that has grown long is replaced by a new snapshot.

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
import { err, ok, type Result } from "../domain/result.ts";
import type { Moment } from "./core/record.ts";
import type { VenueState } from "./core/state.ts";
import type { Stamped } from "./operation.ts";

export type Snapshot = {
  readonly format: "pegbot-simulator-state";
  readonly version: 1;
  readonly seed: number;
  /** The settings of the market; absent in files from before there were scenarios. */
  readonly market?: readonly string[];
  readonly moment: Moment;
  /** Absent in files from before there were switches. */
  readonly switches?: readonly string[];
  readonly venue: VenueState;
  readonly nonces: Readonly<Record<string, string>>;
};

export type StateRecord =
  | ({ readonly kind: "operation" } & Stamped)
  | { readonly kind: "nonce"; readonly key: string; readonly nonce: string }
  | { readonly kind: "switches"; readonly switches: readonly string[] };

export type StoredState = { readonly snapshot: Snapshot; readonly records: readonly StateRecord[] };

const writeAsync = promisify(write) as unknown as (fd: number, data: Buffer) => Promise<{ bytesWritten: number }>;
const syncAsync = promisify(fdatasync);

/** Undefined when there is no file yet. Only a torn last line, whose request was never answered, is dropped. */
export function readState(path: string): Result<StoredState | undefined> {
  if (!existsSync(path)) return ok(undefined);
  const lines = readFileSync(path, "utf8").split("\n");
  // Text after the last line feed is a line whose write was cut short.
  lines.pop();
  const parsed: unknown[] = [];
  for (const [i, line] of lines.entries()) {
    try {
      parsed.push(JSON.parse(line));
    } catch {
      return err(`line ${i + 1} of ${path} must be JSON: the file is damaged`);
    }
  }
  const [snapshot, ...records] = parsed as [Snapshot | undefined, ...StateRecord[]];
  if (snapshot?.format !== "pegbot-simulator-state" || snapshot.version !== 1)
    return err(`${path} must be a state file of this simulator`);
  return ok({ snapshot, records });
}

const HEAD = /^\{"format":"pegbot-simulator-state","version":1,"seed":([0-9]{1,16}),(?:"market":(\[[^\]]*\]),)?/;
/** Enough for a market with every parameter set by name. */
const HEAD_BYTES = 16_384;
/** Of files from before there were scenarios. */
export const OLD_MARKET = ["demo"];

export type StateHead = Required<Pick<Snapshot, "seed" | "market">>;

/** Reads only seed and market, from the head of the file; undefined when there is no file yet. */
export function readHead(path: string): Result<StateHead | undefined> {
  if (!existsSync(path)) return ok(undefined);
  const head = Buffer.alloc(HEAD_BYTES);
  const fd = openSync(path, "r");
  try {
    const found = HEAD.exec(head.toString("utf8", 0, readSync(fd, head)));
    if (found === null) return err(`${path} must be a state file of this simulator`);
    const market = found[2] === undefined ? OLD_MARKET : (JSON.parse(found[2]) as readonly string[]);
    return ok({ seed: Number(found[1]), market });
  } finally {
    closeSync(fd);
  }
}

const GROWTH_BYTES_MAX = 64 * 2 ** 20;

type Log = { readonly fd: number; readonly snapshotBytes: number };

/** Starts a new log with this snapshot: written to a second file, synced, then renamed over the old one. */
function startLog(path: string, snapshot: Snapshot): Log {
  const fresh = `${path}.new`;
  const fd = openNew(fresh, 0o600);
  const bytes = Buffer.from(`${JSON.stringify(snapshot)}\n`);
  writeWhole(fd, bytes);
  fsyncSync(fd);
  renameSync(fresh, path);
  syncFolderOf(path);
  return { fd, snapshotBytes: bytes.length };
}

export class StateFile {
  private readonly path: string;
  private readonly snapshotOf: () => Snapshot;
  private readonly growthBytesMax: number;
  private log: Log;
  private grownBytes = 0;
  private waiting: { line: string; done: () => void; failed: (cause: unknown) => void }[] = [];
  private flushing: Promise<void> | undefined;
  private latest: Promise<void> = Promise.resolve();
  private broken: unknown;
  private closed = false;

  /** `snapshotOf` must contain the effect of every append so far. */
  constructor(path: string, snapshotOf: () => Snapshot, growthBytesMax = GROWTH_BYTES_MAX) {
    this.path = path;
    this.snapshotOf = snapshotOf;
    this.growthBytesMax = growthBytesMax;
    this.log = startLog(path, snapshotOf());
  }

  append(record: StateRecord): Promise<void> {
    // The descriptor of a closed file may belong to another file by now.
    if (this.closed) return Promise.reject(new Error("the state file is closed"));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.latest = promise;
    this.waiting.push({ line: `${JSON.stringify(record)}\n`, done: resolve, failed: reject });
    this.flushing ??= this.flush().finally(() => {
      this.flushing = undefined;
    });
    return promise;
  }

  /** Resolves when all appends so far are on disk. */
  synced(): Promise<void> {
    return this.latest;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.flushing;
    closeSync(this.log.fd);
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        // After a failed write the end of the file is unknown, so nothing may be appended.
        if (this.broken !== undefined) throw this.broken;
        if (this.isLong()) this.startAnew();
        else await this.store(Buffer.from(batch.map(({ line }) => line).join("")));
        for (const { done } of batch) done();
      } catch (cause) {
        this.broken = cause;
        for (const { failed } of batch) failed(cause);
      }
    }
  }

  /** A large venue may grow by its own snapshot's size, so that snapshots stay rare. */
  private isLong(): boolean {
    return this.grownBytes >= Math.max(this.growthBytesMax, this.log.snapshotBytes);
  }

  /**
   * The waiting lines need not be written: operations are performed before they are appended, so the snapshot contains
   * them.
   */
  private startAnew(): void {
    const old = this.log.fd;
    this.log = startLog(this.path, this.snapshotOf());
    this.grownBytes = 0;
    closeSync(old);
  }

  private async store(data: Buffer): Promise<void> {
    for (let offset = 0; offset < data.length; ) {
      const { bytesWritten } = await writeAsync(this.log.fd, data.subarray(offset));
      offset += bytesWritten;
    }
    await syncAsync(this.log.fd);
    this.grownBytes += data.length;
  }
}
