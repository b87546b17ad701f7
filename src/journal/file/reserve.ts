// Disk space that no other program can take: a file of random bytes that is deleted when the disk is full, so that
// facts (an answer, a doubt, a halt) can still be written. Once it is spent, decisions are refused.

import { randomFillSync } from "node:crypto";
import { closeSync, fsyncSync, renameSync, rmSync, writeSync } from "node:fs";
import { freshPath, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { openNew, syncFolderOf } from "../../disk/new-file.ts";
import { sizeOf } from "./files.ts";

/** The default. */
export const RESERVE_BYTES = 64 * 2 ** 20;
const CHUNK_BYTES = 1 << 20;

export class Reserve {
  readonly #path: string;
  readonly #bytes: number;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  isKept(): boolean {
    return this.#bytes === 0 || sizeOf(this.#path) !== undefined;
  }

  /** Throws if the disk has no room for it. */
  fill(): void {
    if (this.#bytes === 0 || sizeOf(this.#path) === this.#bytes) return;
    // Random bytes, because a compressing file system would reserve no space for zeros.
    const chunk = randomFillSync(Buffer.alloc(Math.min(this.#bytes, CHUNK_BYTES)));
    removeLeftovers(this.#path);
    // Written under a name of this process until it is complete: whatever fills the reserve at the same
    // time must not put half a file in place.
    const filling = freshPath(this.#path);
    try {
      const file = openNew(filling, 0o600);
      try {
        for (let left = this.#bytes; left > 0; ) left -= writeSync(file, chunk, 0, Math.min(left, chunk.length));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(filling, this.#path);
    } finally {
      removeFresh(this.#path);
    }
    syncFolderOf(this.#path);
  }

  /** False if there was no reserve left. */
  spend(): boolean {
    if (this.#bytes === 0 || sizeOf(this.#path) === undefined) return false;
    rmSync(this.#path, { force: true });
    return true;
  }
}
