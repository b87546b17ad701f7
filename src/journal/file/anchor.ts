// The chain's head, stored a second time in a small file next to the journal. A chain that was truncated, or truncated
// and rewritten, is consistent in itself; only the anchor exposes it. The anchor is written after the commit, so it is
// never ahead of the journal; after a crash it may lag behind.

import { hash } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { openNew, syncFolderOf } from "../../disk/new-file.ts";
import type { Head } from "../journal.ts";

export type AnchorState = {
  readonly chainId: string;
  readonly head: Head;
  /** The chain is verified from its first record up to here. */
  readonly verified: Head;
  /** The last writer closed cleanly and left nothing in the -wal file. */
  readonly settled: boolean;
};

// Two slots, written alternately: a torn write costs one of them, and the other is still a lower bound.
const SLOT_BYTES = 512;

export class AnchorFile {
  readonly #file: number;
  #state: AnchorState;

  private constructor(file: number, state: AnchorState) {
    this.#file = file;
    this.#state = state;
  }

  static open(path: string, state: AnchorState): AnchorFile {
    return new AnchorFile(openSync(path, "r+"), state);
  }

  static create(path: string, state: AnchorState): AnchorFile {
    // Created atomically: it may be read at any moment.
    const making = `${path}.new-${process.pid}`;
    const file = openNew(making, 0o600);
    try {
      writeSync(file, slotText(state) + slotText(state), 0, "latin1");
      fsyncSync(file);
      linkSync(making, path);
      syncFolderOf(path);
    } catch (error) {
      // It is there by now.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      closeSync(file);
      rmSync(making, { force: true });
    }
    return AnchorFile.open(path, state);
  }

  write(change: Partial<AnchorState>): void {
    this.#state = { ...this.#state, ...change };
    // The anchor may have advanced since.
    const known = newestIn(readAt(this.#file));
    if (known !== "damaged" && known.head.sequence > this.#state.head.sequence) return;
    const slot = this.#state.head.sequence % 2;
    writeSync(this.#file, slotText(this.#state), slot * SLOT_BYTES, "latin1");
    fdatasyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The newer readable slot of the two. */
export function readAnchor(path: string): AnchorState | "missing" | "damaged" {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
    throw error;
  }
  return newestIn(text);
}

function readAt(file: number): string {
  const bytes = Buffer.alloc(2 * SLOT_BYTES);
  return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0));
}

function newestIn(text: string): AnchorState | "damaged" {
  const states = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].flatMap((slot) => stateOf(slot) ?? []);
  return states.reduce<AnchorState | "damaged">((best, state) => {
    return best === "damaged" || state.head.sequence >= best.head.sequence ? state : best;
  }, "damaged");
}

function slotText(state: AnchorState): string {
  const body = JSON.stringify(state);
  return `${checksum(body)} ${body}`.padEnd(SLOT_BYTES - 1).concat("\n");
}

function stateOf(slot: string): AnchorState | undefined {
  const [sum, ...rest] = slot.trimEnd().split(" ");
  const body = rest.join(" ");
  // Only `slotText` writes text that passes the checksum.
  return body !== "" && sum === checksum(body) ? (JSON.parse(body) as AnchorState) : undefined;
}

function checksum(body: string): string {
  return hash("sha256", body, "hex").slice(0, 16);
}
