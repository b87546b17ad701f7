// Writes a column file beside its place and moves it there when it is whole and on disk: at no moment does a half-written
// file stand under the name.

import { closeSync, fsyncSync, renameSync, rmSync, writevSync } from "node:fs";
import { dirname } from "node:path";
import { requireFolder } from "../../../src/disk/create-folder.ts";
import { freshPath, removeLeftovers } from "../../../src/disk/fresh-file.ts";
import { openNew, syncFolderOf } from "../../../src/disk/new-file.ts";
import { BLOCK_ROWS } from "../intake.ts";
import { COLUMNS, type Columns, type Subject } from "../kind.ts";
import type { UnmetHoldings } from "../source.ts";
import { type Block, blockCrc, bytesOf, MAGIC, writeContents } from "./column-file.ts";

/** Rows come in any portions; blocks on disk are full but for the last. */
export class ColumnWriter {
  private readonly path: string;
  private readonly fresh: string;
  private readonly isDurable: boolean;
  private readonly file: number;
  private readonly pending: Columns;
  private readonly blocks: Block[] = [];
  private count = 0;
  private isOpen = true;
  rows = 0;

  /** `isDurable: false` for what can be made again: a file that a power cut damaged is found by its checksums. */
  constructor(path: string, kind: Subject["kind"], isDurable = true) {
    this.path = path;
    this.isDurable = isDurable;
    this.fresh = freshPath(path);
    requireFolder(dirname(path));
    // In the cache another machine may be writing the same; what was left there goes with its age.
    if (isDurable) removeLeftovers(path);
    this.file = openNew(this.fresh, 0o644);
    this.pending = COLUMNS[kind].map(() => new Float64Array(BLOCK_ROWS));
    this.put([MAGIC]);
  }

  /** The first `count` rows; the columns are the caller's again afterwards. */
  write(columns: Columns, count: number): void {
    for (let from = 0; from < count; ) {
      const taken = Math.min(count - from, BLOCK_ROWS - this.count);
      for (const [c, column] of this.pending.entries())
        column.set((columns[c] as Float64Array).subarray(from, from + taken), this.count);
      this.count += taken;
      from += taken;
      if (this.count === BLOCK_ROWS) this.writeBlock();
    }
  }

  /** The file is whole; `subject` may be known only now (the length of bars). */
  finish(subject: Subject, leftOut: UnmetHoldings = {}): void {
    if (this.count > 0) this.writeBlock();
    this.put([writeContents({ subject, leftOut, blocks: this.blocks })]);
    if (this.isDurable) fsyncSync(this.file);
    this.isOpen = false;
    closeSync(this.file);
    renameSync(this.fresh, this.path);
    if (this.isDurable) syncFolderOf(this.path);
  }

  /** Nothing is left behind. */
  abandon(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
    rmSync(this.fresh, { force: true });
  }

  private writeBlock(): void {
    const rows = this.count;
    const pieces = this.pending.map((column) => bytesOf(column, 0, rows));
    const times = this.pending[0] as Float64Array;
    const [firstAt, lastAt] = [times[0] as number, times[rows - 1] as number];
    this.blocks.push({ rows, crc: blockCrc(pieces), firstAt, lastAt });
    this.put(pieces);
    this.rows += rows;
    this.count = 0;
  }

  private put(pieces: readonly Uint8Array[]): void {
    let left = pieces.filter((piece) => piece.length > 0);
    while (left.length > 0) {
      let written = writevSync(this.file, left);
      left = left.flatMap((piece) => {
        const done = Math.min(written, piece.length);
        written -= done;
        return done === piece.length ? [] : [piece.subarray(done)];
      });
    }
  }
}
