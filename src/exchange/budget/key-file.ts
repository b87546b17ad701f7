// The file of one key, `key.db`: the last nonce, when the next request may leave, the venue's clock and the key's
// journals. The process that has it open is the key's owner: SQLite's lock is exclusive, is taken once, and ends with
// the process, however that dies. Only what must survive a power cut waits for the disk.

import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFolder } from "../../disk/create-folder.ts";
import { requirePlainFile, whyExposed, whyOpenToOthers } from "../../disk/open-to-others.ts";
import { inDatabase, isBusy, SQLITE, saidBy, sqliteCode } from "../../disk/sqlite-error.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { type Clock, type Millis, type Mono, millis, mono } from "../../domain/time.ts";
import type { KeyCode, Nonce, WantClass } from "../port.ts";
import type { HostClock } from "./host-clock.ts";
import { estimateVenueTime, nextNonce, withVenueOffset } from "./nonce.ts";
import {
  doubtsOnly,
  freshPacing,
  type Pacing,
  type PacingSettings,
  paceAfter,
  rebasePacing,
  type SlotEnd,
  spacingMs,
  type VenuePause,
} from "./pacing.ts";
import type { KeyMemory, VenueDate } from "./slots.ts";

const schemaVersion = 4;

export type KeyPlace = {
  /** The user's state folder, the same for every process and configuration. */
  readonly stateFolder: string;
  /** Identifies the key: letters, digits, `-` and `_`. */
  readonly fingerprint: string;
};

export function keyFolder({ stateFolder, fingerprint }: KeyPlace): string {
  return join(stateFolder, "keys", fingerprint);
}

/** The key's journal under one name: `paper`, `live:HOST`. */
export type JournalBinding = {
  /** Absolute, with symbolic links resolved. */
  readonly path: string;
  readonly chainId: string;
};

type KeyState = {
  readonly boot: string;
  /** When this row was last written. */
  readonly markedAt: Mono;
  /** Requests so far. */
  readonly slot: number;
  /** On disk before it is used. */
  readonly lastNonce: Nonce | undefined;
  readonly pacing: Pacing;
  readonly venueOffsets: readonly number[];
  /** Our wall clock minus the venue's, at the last Date seen. */
  readonly skewMs: number | undefined;
  /** Bytes of a request may be on their way: its owner did not say how it ended. */
  readonly isSending: boolean;
  /** The venue's environment in which the key was first used. */
  readonly environment?: string | undefined;
};

export type KeyStatus = {
  readonly path: string;
  readonly waiting: readonly WantClass[];
  readonly spacingMs: number;
  readonly doubtsOnly: boolean;
  readonly paused: VenuePause<Millis> | undefined;
  /** The age of the latest rate-limit answers. Our pacing is kept, so each means that the key is also used elsewhere. */
  readonly rateLimitedMsAgo: readonly number[];
  readonly slots: number;
  readonly lastNonce: Nonce | undefined;
  /** Our wall clock minus the venue's, by the fastest of its last answers; up to 1,000 ms is not significant. */
  readonly skewMs: number | undefined;
};

export type KeyFileSettings = {
  readonly pacing: PacingSettings;
  /** The venue's environment; a key first used in another one is refused. Absent on paper, where any key serves. */
  readonly environment: string | undefined;
  /** The environment may be a mistake, which this use is to find: it binds no key. */
  readonly isTrial: boolean;
};

type Clocks = { readonly clock: Clock; readonly host: HostClock };

export class KeyFile implements KeyMemory {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #clocks: Clocks;
  readonly #pacing: PacingSettings;
  #state: KeyState;

  constructor(path: string, clocks: Clocks, settings: KeyFileSettings) {
    // An existing one is not opened here: closing any handle of a file drops every lock of this process on it (POSIX).
    if (existsSync(path)) requirePlainFile(path);
    else closeSync(openSync(path, "ax", 0o600));
    this.path = path;
    this.#clocks = clocks;
    this.#pacing = settings.pacing;
    this.#file = fileAt(path);
    this.#database = new DatabaseSync(path, { timeout: 0 });
    try {
      this.#state = inDatabase(path, () => this.#open());
      this.#begin(settings);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get pacing(): Pacing {
    return this.#state.pacing;
  }

  get hasVenueTime(): boolean {
    return this.#state.venueOffsets.length > 0;
  }

  get environment(): string | undefined {
    return this.#state.environment;
  }

  whyGone(): string | undefined {
    return this.isInPlace() ? undefined : describeKeyError(new Error(MOVED), this.path);
  }

  /** On disk before it returns, so that a power cut cannot undo it. */
  nonce(now: Millis, at: Mono): Result<Nonce> {
    const { venueOffsets, lastNonce } = this.#state;
    const next = nextNonce(now, lastNonce, estimateVenueTime(venueOffsets, at));
    try {
      if (next.ok) this.#write({ lastNonce: next.value }, "durable");
      return next;
    } catch (error) {
      return err(describeKeyError(error, this.path));
    }
  }

  /** The last write before the socket: whoever opens the file after our death knows that bytes may have left. */
  beginSending(): boolean {
    return this.#tryWrite({ isSending: true, slot: this.#state.slot + 1 });
  }

  /** The file may fail to take it: memory goes by it. */
  finish(end: SlotEnd, at: Mono): void {
    const next = { isSending: false, pacing: paceAfter(this.#state.pacing, end, at, this.#pacing) };
    this.#state = { ...this.#state, ...next };
    this.#tryWrite(next);
  }

  observe({ venueTime, receivedAt, at }: VenueDate): void {
    const venueOffsets = withVenueOffset(this.#state.venueOffsets, venueTime, at);
    const next = { venueOffsets, skewMs: receivedAt - venueTime };
    this.#state = { ...this.#state, ...next };
    this.#tryWrite(next);
  }

  /** How far our wall clock is ahead of the venue's, by the last Date; 0 if unknown. */
  aheadMs(): number {
    return Math.max(0, this.#skew() ?? 0);
  }

  journalOf(name: string): JournalBinding | undefined {
    const row = this.#database.prepare("SELECT path, chain FROM journal WHERE name = ?").get(name);
    return row === undefined ? undefined : { path: String(row.path), chainId: String(row.chain) };
  }

  bind(name: string, { path, chainId }: JournalBinding): void {
    this.#transact("durable", () => {
      this.#database.prepare("INSERT OR REPLACE INTO journal VALUES (?, ?, ?)").run(name, path, chainId);
    });
  }

  status(waiting: readonly WantClass[] = []): KeyStatus {
    const { slot, pacing, lastNonce } = this.#state;
    const now = this.#clocks.host.monotonic();
    return {
      path: this.path,
      waiting,
      spacingMs: spacingMs(pacing, now, this.#pacing),
      doubtsOnly: doubtsOnly(pacing, now),
      paused: this.#pausedNow(),
      rateLimitedMsAgo: pacing.limitedAt.map((at) => now - at),
      slots: slot,
      lastNonce,
      skewMs: this.#skew(),
    };
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #pausedNow(): KeyStatus["paused"] {
    const { pause } = this.#state.pacing;
    const leftMs = pause === undefined ? 0 : pause.until - this.#clocks.host.monotonic();
    if (pause === undefined || leftMs <= 0) return undefined;
    return { ...pause, until: millis(this.#clocks.clock.now() + Math.ceil(leftMs)) };
  }

  /**
   * A clock that was ahead at the venue's last answer may have been corrected since. The smaller of two readings
   * counts: the first is too large after our clock was corrected, the second after the machine has slept.
   */
  #skew(): number | undefined {
    const { skewMs, venueOffsets } = this.#state;
    if (skewMs === undefined) return undefined;
    // A slow answer carries an old Date: it was later than the fastest by this.
    const last = venueOffsets.at(-1) ?? 0;
    const heard = skewMs - venueOffsets.reduce((most, offset) => Math.max(most, offset - last), 0);
    const venueTime = estimateVenueTime(venueOffsets, this.#clocks.host.monotonic());
    if (heard <= 0 || venueTime === undefined) return heard;
    return Math.min(heard, Math.max(0, this.#clocks.clock.now() - venueTime));
  }

  #open(): KeyState {
    // Before the first access, so that the lock is exclusive and no shared memory is made.
    this.#database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL");
    return this.#transact("durable", () => {
      const version = Number(this.#database.prepare("PRAGMA user_version").get()?.user_version);
      if (version === 0) this.#create();
      else if (version !== schemaVersion) throw new OtherVersion(version);
      const row = this.#database.prepare("SELECT body FROM key WHERE id = 1").get();
      if (typeof row?.body !== "string") throw new SyntaxError("the row of state is missing");
      return JSON.parse(row.body) as KeyState;
    });
  }

  #create(): void {
    this.#database.exec(`
      CREATE TABLE key (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT;
      CREATE TABLE journal (name TEXT PRIMARY KEY, path TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
      PRAGMA user_version = ${schemaVersion};
    `);
    const { boot } = this.#clocks.host;
    const now = this.#clocks.host.monotonic();
    const fresh: KeyState = {
      ...{ boot, markedAt: now, slot: 0, lastNonce: undefined, pacing: freshPacing(now) },
      ...{ venueOffsets: [], skewMs: undefined, isSending: false },
    };
    this.#database.prepare("INSERT INTO key VALUES (1, ?)").run(JSON.stringify(fresh));
  }

  /**
   * After a reboot the monotonic clock restarts: waits continue as if no time had passed. A request that was on its way
   * when its owner died may still arrive.
   */
  #begin({ environment, isTrial, pacing: settings }: KeyFileSettings): void {
    const { boot } = this.#clocks.host;
    const now = this.#clocks.host.monotonic();
    let { pacing, venueOffsets, skewMs } = this.#state;
    if (this.#state.boot !== boot || now < this.#state.markedAt) {
      pacing = rebasePacing(pacing, this.#state.markedAt, now);
      pacing = { ...pacing, openAt: mono(Math.max(pacing.openAt, now + settings.abandonedMs)) };
      venueOffsets = [];
      skewMs = undefined;
    }
    if (this.#state.isSending) pacing = paceAfter(pacing, { kind: "died" }, now, settings);
    const bound = isTrial ? this.#state.environment : (this.#state.environment ?? environment);
    this.#write({ boot, pacing, venueOffsets, skewMs, isSending: false, environment: bound });
  }

  /** If it fails, the next write has it, or the next owner waits longer than it must. */
  #tryWrite(change: Partial<KeyState>): boolean {
    try {
      this.#write(change);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the path still leads to our file; a file that cannot be checked counts as gone. */
  isInPlace(): boolean {
    try {
      return fileAt(this.path) === this.#file;
    } catch {
      return false;
    }
  }

  #write(change: Partial<KeyState>, durability: "durable" | "quick" = "quick"): void {
    const next = { ...this.#state, ...change, markedAt: this.#clocks.host.monotonic() };
    this.#transact(durability, () => {
      // SQLite keeps writing to a deleted file while the next process creates a new one: that would be two owners.
      if (!this.isInPlace()) throw new Error(MOVED);
      this.#database.prepare("UPDATE key SET body = ? WHERE id = 1").run(JSON.stringify(next));
    });
    this.#state = next;
  }

  #transact<T>(durability: "durable" | "quick", work: () => T): T {
    return inDatabase(this.path, () => {
      this.#database.exec(`PRAGMA synchronous = ${durability === "durable" ? "FULL" : "NORMAL"}`);
      try {
        this.#database.exec("BEGIN EXCLUSIVE");
        const value = work();
        this.#database.exec("COMMIT");
        return value;
      } finally {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      }
    });
  }
}

const MOVED = "the file was moved or deleted while in use; start again";

/** Held by another process: the error begins with this. */
export const HELD = "key-held";

export function openKeyFile(place: KeyPlace, clocks: Clocks, settings: KeyFileSettings): Result<KeyFile> {
  const { fingerprint, stateFolder } = place;
  if (!/^[A-Za-z0-9_-]{8,128}$/.test(fingerprint))
    return err(`key fingerprint must be 8 to 128 of A-Z, a-z, 0-9, - and _, was "${fingerprint}"`);
  const folder = keyFolder(place);
  const path = join(folder, "key.db");
  try {
    const made = createFolder(folder, 0o700);
    if (!made.ok) throw new Error(`its folder could not be made: ${made.error}`);
    const open = whyFolderOpen(stateFolder, folder) ?? whyExposed(path);
    if (open !== undefined) throw new Error(open);
    if (isOldInUse(folder)) return err(`${HELD}: a process of an earlier version of pegbot uses this key`);
    const file = new KeyFile(path, clocks, settings);
    const { environment } = settings;
    const bound = file.environment;
    if (environment === undefined || bound === undefined || bound === environment) return ok(file);
    file.close();
    return err(
      `other-environment: this key belongs to environment ${bound}, and venue.environment is ${environment}: a key pair is for one environment`,
    );
  } catch (error) {
    return err(isBusy(error) ? `${HELD}: another process uses this key` : describeKeyError(error, path));
  }
}

/**
 * Another user who can create files there could change the key's pace, nonce or journal, or make us write through a
 * link.
 */
function whyFolderOpen(stateFolder: string, folder: string): string | undefined {
  for (const each of [stateFolder, join(stateFolder, "keys"), folder]) {
    const why = whyOpenToOthers(each);
    if (why !== undefined)
      return `its folder must be this user's alone, and ${each} ${why}: find out who made it, and run pegbot as the user of the bot; if that is this user, chmod 700 ${each}, or name another place in XDG_STATE_HOME`;
  }
  return undefined;
}

/** The ledger of an earlier version beside it: its bot holds a lock there as long as it lives. */
function isOldInUse(folder: string): boolean {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, "bot.lock"), { readOnly: true, timeout: 0 });
    lock.exec("SELECT 1 FROM sqlite_schema");
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    lock?.close();
  }
}

/** The identity of the file that a path leads to now. */
function fileAt(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.dev} ${found.ino}`;
}

class OtherVersion extends Error {
  readonly code: "key-older" | "key-newer";

  constructor(version: number) {
    super(`schema version is ${version}, this program reads ${schemaVersion} only`);
    this.code = version < schemaVersion ? "key-older" : "key-newer";
  }
}

function describeKeyError(error: unknown, path: string): string {
  const code = codeOf(error);
  return `${code}: key file ${path}: ${saidBy(error)}${advice[code]}`;
}

const ANEW = "; move it away while no pegbot runs: a new one starts from the venue's clock, beyond every earlier nonce";

const advice: Readonly<Record<KeyCode, string>> = {
  "key-corrupt": ANEW,
  "key-older": ANEW,
  "key-newer": "; use the newer pegbot",
  "key-full": "; free some disk space",
  "key-failed": "",
};

/** The texts of a budget begin with their code. */
export function keyCodeOf(text: string): KeyCode | undefined {
  return (Object.keys(advice) as KeyCode[]).find((code) => text.startsWith(`${code}: `));
}

function codeOf(error: unknown): KeyCode {
  if (error instanceof OtherVersion) return error.code;
  if (error instanceof SyntaxError) return "key-corrupt";
  const code = sqliteCode(error);
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase) return "key-corrupt";
  return code === SQLITE.full ? "key-full" : "key-failed";
}
