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
/** What the upper and the lower part of a fraction of 53 bits count. */
const [HIGH, LOW] = [2 ** 27, 2 ** 26];
/** The two digits of each number below a hundred. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, i) => ZERO + (i % 2 === 0 ? Math.floor(i / 20) : (i >> 1) % 10));

// Private by type only: what `#` adds to the compiled size keeps the runtime from making a line one piece.
export class HashedText {
  private readonly hash = createHash("sha256");
  private bytes = Buffer.allocUnsafe(BATCH + 2 * ROOM);
  private end = 0;
  private lineStart = 0;

  /** The line ends here; with `isRead` it is given back as text. */
  endLine(isRead: boolean): string | undefined {
    const line = isRead ? this.bytes.toString("utf8", this.lineStart, this.end) : undefined;
    this.bytes[this.end++] = NEWLINE;
    if (this.end >= BATCH) this.flush();
    this.lineStart = this.end;
    return line;
  }

  /** Of all lines, and of this after them. */
  digest(last: string): string {
    this.flush();
    return this.hash.copy().update(last).digest("hex");
  }

  text(text: string): void {
    const { length } = text;
    if (this.end + length * WIDEST + ROOM > this.bytes.length) this.grow(length * WIDEST + ROOM);
    const { bytes } = this;
    let end = this.end;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= NOT_ASCII) {
        this.end += bytes.write(text, this.end, "utf8");
        return;
      }
      bytes[end++] = code;
    }
    this.end = end;
  }

  phrase(phrase: Uint8Array): void {
    const { length } = phrase;
    if (this.end + length + ROOM > this.bytes.length) this.grow(length + ROOM);
    const { bytes, end } = this;
    for (let i = 0; i < length; i++) bytes[end + i] = phrase[i] as number;
    this.end = end + length;
  }

  number(value: number | undefined): void {
    if (value === undefined) this.text("undefined");
    else if (value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value) this.whole(value);
    else if (!this.decimal(value) && !this.nearOne(value)) this.text(String(value));
  }

  private whole(value: number): void {
    if (value < HALF) {
      this.digits(value, digitsOf(value));
      return;
    }
    const high = Math.floor(value / HALF);
    this.digits(high, digitsOf(high));
    this.digits(value - high * HALF, 8);
  }

  /**
   * A few decimals: true when written. Fifteen digits that come to the float are the shortest that do, for no two such
   * numbers come to one float.
   */
  private decimal(value: number): boolean {
    const millionths = Math.round(value * MILLION);
    if (!(millionths > 0 && millionths < 1e15 && millionths / MILLION === value)) return false;
    const whole = Math.floor(millionths / MILLION);
    this.whole(whole);
    const { bytes } = this;
    bytes[this.end++] = POINT;
    this.digits(millionths - whole * MILLION, 6);
    while (bytes[this.end - 1] === ZERO) this.end--;
    return true;
  }

  /**
   * Any float from 0.5 to 4, where most prices are: true when written. Floats are close enough to each other there that at
   * most one number of fifteen decimals comes to each, and far enough that the nearest of sixteen decimals always does.
   */
  private nearOne(value: number): boolean {
    if (!(value >= 0.5 && value < 4)) return false;
    const scaled = Math.round(value * 1e15);
    return scaled / 1e15 === value ? this.fifteen(scaled) : this.sixteen(value);
  }

  private fifteen(scaled: number): true {
    const whole = Math.floor(scaled / 1e15);
    const rest = scaled - whole * 1e15;
    const high = Math.floor(rest / HALF);
    const { bytes } = this;
    bytes[this.end++] = ZERO + whole;
    bytes[this.end++] = POINT;
    this.digits(high, 7);
    this.digits(rest - high * HALF, 8);
    while (bytes[this.end - 1] === ZERO) this.end--;
    return true;
  }

  /** Four at a time, exactly: the fraction is 53 bits, in two parts that leave room for four more digits. */
  private sixteen(value: number): boolean {
    const start = this.end;
    const whole = Math.floor(value);
    let high = Math.floor((value - whole) * HIGH);
    let low = ((value - whole) * HIGH - high) * LOW;
    this.bytes[this.end++] = ZERO + whole;
    this.bytes[this.end++] = POINT;
    for (let left = 4; left > 0; left--) {
      const parts = low * 10_000;
      const carried = Math.floor(parts / LOW);
      const sum = high * 10_000 + carried;
      const digits = Math.floor(sum / HIGH);
      low = parts - carried * LOW;
      high = sum - digits * HIGH;
      // The last digit is rounded; where that would carry, or the rest is just a half, it is left to the runtime.
      if (left === 1 && high >= HIGH / 2) {
        if (digits === 9_999 || (high === HIGH / 2 && low === 0)) {
          this.end = start;
          return false;
        }
        this.digits(digits + 1, 4);
      } else this.digits(digits, 4);
    }
    return true;
  }

  /** So many digits, with zeros before them. */
  private digits(value: number, count: number): void {
    const { bytes, end: start } = this;
    let rest = value | 0;
    let at = start + count;
    this.end = at;
    for (; at - start >= 2; at -= 2) {
      const hundredth = (rest / 100) | 0;
      const pair = 2 * (rest - hundredth * 100);
      bytes[at - 1] = PAIRS[pair + 1] as number;
      bytes[at - 2] = PAIRS[pair] as number;
      rest = hundredth;
    }
    if (at > start) bytes[start] = ZERO + rest;
  }

  private grow(count: number): void {
    const larger = Buffer.allocUnsafe(2 * (this.end + count));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }

  private flush(): void {
    this.hash.update(this.bytes.subarray(0, this.end));
    this.end = 0;
    this.lineStart = 0;
  }
}

/** A text that is written again and again. */
export function phraseOf(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

/** Of a number below ten to the eighth. */
function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8;
}
