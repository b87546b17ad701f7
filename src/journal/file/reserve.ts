// Room on the disk that no other program can take: a file of noise that is given up when the disk is full, so that what already
// happened (an answer, a doubt, a halt) can still be written. Decisions are refused once it is spent.

import { randomFillSync } from "node:crypto";
import { closeSync, fsyncSync, renameSync, rmSync, writeSync } from "node:fs";
import { freshPath, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { openNew, syncFolderOf } from "../../disk/new-file.ts";
import { sizeOf } from "./files.ts";

/** Unless a journal is opened with another. */
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

  /** Throws when the disk has no room for it. */
  fill(): void {
    if (this.#bytes === 0 || sizeOf(this.#path) === this.#bytes) return;
    // Noise, because a file system that compresses would keep no room for blanks.
    const chunk = randomFillSync(Buffer.alloc(Math.min(this.#bytes, CHUNK_BYTES)));
    removeLeftovers(this.#path);
    // Under a name of this process until it is whole: another that fills it at the same time must not put half of it in place.
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

  /** False when there was nothing to give up. */
  spend(): boolean {
    if (this.#bytes === 0 || sizeOf(this.#path) === undefined) return false;
    rmSync(this.#path, { force: true });
    return true;
  }
}
