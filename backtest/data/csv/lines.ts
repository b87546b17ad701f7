// Splits the bytes of a text into pieces of whole lines, independent of how they arrived. Reports a text that is cut
// off, is not UTF-8, or has a line without end.

import { isUtf8 } from "node:buffer";
import type { ProblemLog } from "../problem.ts";

export const LINE_BYTES_MAX = 65_536;
const LF = 10;

/** Whole lines in `bytes` from `start` to `end`; the memory is reused for the next piece. */
export type Piece = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** The number of the first line. */
  readonly line: number;
};

export function refuseLine(log: ProblemLog, line: number): never {
  return log.refuse("line-length", `a line must be shorter than ${LINE_BYTES_MAX} bytes`, line);
}

export class Lines {
  private readonly log: ProblemLog;
  /** The number of the next line. The reader of a piece counts its lines and adds them here. */
  line = 1;
  private buffer = new Uint8Array(LINE_BYTES_MAX * 2);
  private kept = 0;
  private isFirst = true;

  constructor(log: ProblemLog) {
    this.log = log;
  }

  /**
   * Every piece ends with a line end: the last line gets one if that is tolerated; otherwise it is reported as an open
   * end.
   */
  async *pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
    for await (const chunk of chunks) {
      const filled = this.append(chunk);
      const end = this.buffer.subarray(0, filled).lastIndexOf(LF) + 1;
      if (filled - end > LINE_BYTES_MAX) {
        const number = this.line + linesIn(this.buffer, end);
        refuseLine(this.log, number);
      }
      if (end > 0) {
        const start = this.start();
        this.requireText(start, end);
        yield { bytes: this.buffer, start, end, line: this.line };
      }
      this.buffer.copyWithin(0, end, filled);
      this.kept = filled - end;
    }
    yield* this.openEnd();
  }

  private *openEnd(): Generator<Piece> {
    const { kept, buffer, line, log } = this;
    const start = this.start();
    if (start >= kept) return;
    this.requireText(start, kept);
    log.row("open-end", line, () => "the last row has no line end: the file may have been cut here");
    if (!log.tolerates("open-end")) return;
    buffer[kept] = LF;
    yield { bytes: buffer, start, end: kept + 1, line };
  }

  private append(chunk: Uint8Array): number {
    const filled = this.kept + chunk.length;
    if (filled + 1 > this.buffer.length) {
      const larger = new Uint8Array(filled + LINE_BYTES_MAX);
      larger.set(this.buffer.subarray(0, this.kept));
      this.buffer = larger;
    }
    this.buffer.set(chunk, this.kept);
    return filled;
  }

  /** A byte order mark is not part of the first name. */
  private start(): number {
    if (!this.isFirst) return 0;
    this.isFirst = false;
    const [first, second, third] = this.buffer;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
      this.log.refuse("encoding", "text must be UTF-8, was UTF-16", 1);
    return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  }

  private requireText(start: number, end: number): void {
    const { buffer } = this;
    if (isUtf8(buffer.subarray(start, end))) return;
    let number = this.line;
    for (let from = start; from < end; number++) {
      const lineFeed = buffer.indexOf(LF, from);
      const to = lineFeed === -1 || lineFeed >= end ? end : lineFeed + 1;
      if (!isUtf8(buffer.subarray(from, to))) break;
      from = to;
    }
    this.log.refuse("encoding", "text must be UTF-8", number);
  }
}

function linesIn(bytes: Uint8Array, end: number): number {
  let lines = 0;
  for (let at = 0; at < end; at++) if (bytes[at] === LF) lines++;
  return lines;
}
