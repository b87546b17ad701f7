// The state of a simulator on disk: a snapshot in the first line, then one line for every operation and every nonce
// that was accepted since. An append resolves when its line has reached the disk, and only then is the request answered;
// lines that wait together are synced together.

import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  write,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { err, ok, type Result } from "../domain/result.ts";
import type { Moment } from "./core/record.ts";
import type { VenueState } from "./core/state.ts";
import type { Stamped } from "./operation.ts";

export type Snapshot = {
  readonly format: "pegbot-simulator-state";
  readonly version: 1;
  readonly seed: number;
  readonly moment: Moment;
  readonly venue: VenueState;
  readonly nonces: Readonly<Record<string, string>>;
};

export type StateRecord =
  | ({ readonly kind: "operation" } & Stamped)
  | { readonly kind: "nonce"; readonly key: string; readonly nonce: string };

export type StoredState = { readonly snapshot: Snapshot; readonly records: readonly StateRecord[] };

const writeAsync = promisify(write) as unknown as (fd: number, data: Buffer) => Promise<{ bytesWritten: number }>;
const syncAsync = promisify(fdatasync);

/** Undefined when there is no file yet. Only a torn last line, which nobody was told about, is dropped. */
export function readState(path: string): Result<StoredState | undefined> {
  if (!existsSync(path)) return ok(undefined);
  const lines = readFileSync(path, "utf8").split("\n");
  // What follows the last line feed is a line whose write was cut short.
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

/** Starts a new log with this snapshot: written beside, synced, then renamed over the old one. */
export function openStateFile(path: string, snapshot: Snapshot): StateFile {
  const fresh = `${path}.new`;
  const fd = openSync(fresh, "w", 0o600);
  writeAll(fd, Buffer.from(`${JSON.stringify(snapshot)}\n`));
  fsyncSync(fd);
  renameSync(fresh, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
  return new StateFile(fd);
}

export class StateFile {
  private readonly fd: number;
  private waiting: { line: string; done: () => void; failed: (cause: unknown) => void }[] = [];
  private flushing: Promise<void> | undefined;
  private latest: Promise<void> = Promise.resolve();
  private broken: unknown;
  private closed = false;

  constructor(fd: number) {
    this.fd = fd;
  }

  append(record: StateRecord): Promise<void> {
    // The number of a closed file may be another file's by now.
    if (this.closed) return Promise.reject(new Error("the state file is closed"));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.latest = promise;
    this.waiting.push({ line: `${JSON.stringify(record)}\n`, done: resolve, failed: reject });
    this.flushing ??= this.flush().finally(() => {
      this.flushing = undefined;
    });
    return promise;
  }

  /** Resolves when everything that was appended so far has reached the disk. */
  synced(): Promise<void> {
    return this.latest;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.flushing;
    closeSync(this.fd);
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        // After a failed write the end of the file is unknown: nothing may follow it.
        if (this.broken !== undefined) throw this.broken;
        await this.store(Buffer.from(batch.map(({ line }) => line).join("")));
        for (const { done } of batch) done();
      } catch (cause) {
        this.broken = cause;
        for (const { failed } of batch) failed(cause);
      }
    }
  }

  private async store(data: Buffer): Promise<void> {
    for (let offset = 0; offset < data.length; ) {
      const { bytesWritten } = await writeAsync(this.fd, data.subarray(offset));
      offset += bytesWritten;
    }
    await syncAsync(this.fd);
  }
}

function writeAll(fd: number, data: Buffer): void {
  for (let offset = 0; offset < data.length; ) offset += writeSync(fd, data, offset);
}
