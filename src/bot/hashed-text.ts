// Text on its way into a hash, as bytes in one buffer: what a long run writes is hashed in large pieces, and no text is made
// of it. Numbers are written as the runtime would write them, to the last digit.

import { createHash } from "node:crypto";

/** Bytes that wait to be hashed at most, between two lines. */
const BATCH = 16_384;
/** There is room for so much more than the texts of a line, which make theirs: numbers and line ends. */
const ROOM = 1_024;
/** Bytes that one character may need. */
const WIDEST = 3;

const [NEWLINE, ZERO, POINT] = [10, 48, 46];
const NOT_ASCII = 128;
const MILLION = 1_000_000;
const HALF = 100_000_000;

export class HashedText {
  readonly #hash = createHash("sha256");
  #bytes = Buffer.allocUnsafe(BATCH + 2 * ROOM);
  #end = 0;
  #lineStart = 0;

  /** The line ends here; with `isRead` it is given back as text. */
  endLine(isRead: boolean): string | undefined {
    const line = isRead ? this.#bytes.toString("utf8", this.#lineStart, this.#end) : undefined;
    this.#bytes[this.#end++] = NEWLINE;
    if (this.#end >= BATCH) this.#flush();
    this.#lineStart = this.#end;
    return line;
  }

  /** Of all lines, and of this after them. */
  digest(last: string): string {
    this.#flush();
    return this.#hash.copy().update(last).digest("hex");
  }

  text(text: string): void {
    const { length } = text;
    if (this.#end + length * WIDEST + ROOM > this.#bytes.length) this.#grow(length * WIDEST + ROOM);
    const bytes = this.#bytes;
    let end = this.#end;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= NOT_ASCII) {
        this.#end += bytes.write(text, this.#end, "utf8");
        return;
      }
      bytes[end++] = code;
    }
    this.#end = end;
  }

  phrase(phrase: Uint8Array): void {
    const { length } = phrase;
    if (this.#end + length + ROOM > this.#bytes.length) this.#grow(length + ROOM);
    const bytes = this.#bytes;
    const end = this.#end;
    for (let i = 0; i < length; i++) bytes[end + i] = phrase[i] as number;
    this.#end = end + length;
  }

  number(value: number | undefined): void {
    if (value === undefined) this.text("undefined");
    else if (value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value) this.#whole(value);
    else if (!this.#decimal(value)) this.text(String(value));
  }

  #whole(value: number): void {
    const high = Math.floor(value / HALF);
    if (high > 0) this.#digits(high, digitsOf(high));
    this.#digits(value - high * HALF, high > 0 ? 8 : digitsOf(value));
  }

  /**
   * A few decimals: true when written. Fifteen digits that come to the float are the shortest that do, for no two such
   * numbers come to one float.
   */
  #decimal(value: number): boolean {
    const millionths = Math.round(value * MILLION);
    if (!(millionths > 0 && millionths < 1e15 && millionths / MILLION === value)) return false;
    const whole = Math.floor(millionths / MILLION);
    this.#whole(whole);
    this.#bytes[this.#end++] = POINT;
    let rest = millionths - whole * MILLION;
    let places = 6;
    for (; rest % 10 === 0; rest /= 10) places--;
    this.#digits(rest, places);
    return true;
  }

  /** So many digits, with zeros before them. */
  #digits(value: number, count: number): void {
    const bytes = this.#bytes;
    const start = this.#end;
    let rest = value | 0;
    for (let at = start + count - 1; at >= start; at--) {
      const tenth = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.#end = start + count;
  }

  #grow(count: number): void {
    const larger = Buffer.allocUnsafe(2 * (this.#end + count));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  #flush(): void {
    this.#hash.update(this.#bytes.subarray(0, this.#end));
    this.#end = 0;
    this.#lineStart = 0;
  }
}

/** A text that is written again and again. */
export function phraseOf(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  return digits;
}
