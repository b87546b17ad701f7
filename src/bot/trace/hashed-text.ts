// Text on its way into a hash, as bytes in one buffer: what a long run writes is hashed in large pieces, and no text is made
// of it. Numbers are written as the runtime would write them, to the last digit.

import { createHash } from "node:crypto";

/** Bytes that wait to be hashed at most, between two lines. */
const BATCH = 16_384;
/** There is room for so much more than the texts and phrases of a line, which make theirs: numbers and line ends. */
const ROOM = 1_024;
/** Bytes that one character may need. */
const WIDEST = 3;
/** Bytes that are written at once: what is too much of them is written over by what comes next. */
const WORD = 4;

const [NEWLINE, ZERO, POINT] = [10, 48, 46];
const NOT_ASCII = 128;
const MILLION = 1_000_000;
const HALF = 100_000_000;
/** What the upper and the lower part of a fraction of 53 bits count. */
const [HIGH, LOW] = [2 ** 27, 2 ** 26];
/** The two digits of each number below a hundred, the first in the lower byte. */
const PAIRS = Int32Array.from({ length: 100 }, (_, i) => ZERO + Math.floor(i / 10) + ((ZERO + (i % 10)) << 8));
const POWERS = Int32Array.from({ length: 9 }, (_, i) => 10 ** i);

/** A text that is written again and again, in words. */
export type Phrase = { readonly words: Int32Array; readonly length: number };

export class HashedText {
  private readonly hash = createHash("sha256");
  private bytes = Buffer.allocUnsafeSlow(BATCH + 2 * ROOM);
  private view = viewOf(this.bytes);
  private end = 0;
  private lineStart = 0;

  /** The line ends here; with `isRead` it is given back as text. */
  endLine(isRead: boolean): string | undefined {
    const line = isRead ? this.bytes.toString("utf8", this.lineStart, this.end) : undefined;
    this.view.setUint8(this.end++, NEWLINE);
    if (this.end >= BATCH) this.flush();
    this.lineStart = this.end;
    return line;
  }

  /** The hash of all lines and of this last one. */
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

  phrase({ words, length }: Phrase): void {
    if (this.end + length + ROOM > this.bytes.length) this.grow(length + ROOM);
    const { view, end } = this;
    for (let i = 0; i < words.length; i++) view.setInt32(end + i * WORD, words[i] as number, true);
    this.end = end + length;
  }

  number(value: number | undefined): void {
    if (value === undefined) this.text("undefined");
    else if (value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value) this.whole(value);
    else if (!this.decimal(value) && !this.nearOne(value)) this.text(String(value));
  }

  /** So many millionths, from 0 to below 10^15, as a decimal. */
  millionths(count: number): void {
    const whole = Math.floor(count / MILLION);
    const rest = count - whole * MILLION;
    this.whole(whole);
    if (rest === 0) return;
    this.view.setUint8(this.end++, POINT);
    this.eight(rest * 100);
    this.end -= 2;
    this.dropNoughts();
  }

  private whole(value: number): void {
    // Of most prices it is one digit.
    if (value < 10) {
      this.view.setUint8(this.end++, ZERO + value);
      return;
    }
    if (value < HALF) {
      this.leading(value);
      return;
    }
    const high = Math.floor(value / HALF);
    this.leading(high);
    this.eight(value - high * HALF);
  }

  /**
   * A few decimals: true when written. Fifteen digits that come to the float are the shortest that do, for no two such
   * numbers come to one float.
   */
  private decimal(value: number): boolean {
    const millionths = Math.round(value * MILLION);
    if (!(millionths > 0 && millionths < 1e15 && millionths / MILLION === value)) return false;
    this.millionths(millionths);
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
    this.wholeAndPoint(whole);
    this.eight(high * 10);
    this.end--;
    this.eight(rest - high * HALF);
    this.dropNoughts();
    return true;
  }

  /** Four at a time, exactly: the fraction is 53 bits, in two parts that leave room for four more digits. */
  private sixteen(value: number): boolean {
    const start = this.end;
    const whole = Math.floor(value);
    let high = Math.floor((value - whole) * HIGH);
    let low = ((value - whole) * HIGH - high) * LOW;
    this.wholeAndPoint(whole);
    for (let left = 4; left > 0; left--) {
      const parts = low * 10_000;
      const carried = Math.floor(parts / LOW);
      const sum = high * 10_000 + carried;
      const digits = Math.floor(sum / HIGH);
      low = parts - carried * LOW;
      high = sum - digits * HIGH;
      // The last digit is rounded; where the rest is just a half, it is left to the runtime. Nothing is carried: a number that
      // would end in four noughts comes to this float, and has fifteen decimals or less.
      const isUp = left === 1 && high >= HIGH / 2;
      if (isUp && high === HIGH / 2 && low === 0) {
        this.end = start;
        return false;
      }
      this.four(isUp ? digits + 1 : digits);
    }
    return true;
  }

  private wholeAndPoint(digit: number): void {
    this.view.setUint16(this.end, ZERO + digit + (POINT << 8), true);
    this.end += 2;
  }

  /** The digits of a number below ten to the eighth, without zeros before them. */
  private leading(value: number): void {
    const count = digitsOf(value);
    const { view, end } = this;
    if (count <= 4) {
      view.setInt32(end, fourOf((value * (POWERS[4 - count] as number)) | 0), true);
      this.end = end + count;
      return;
    }
    this.eight(value * (POWERS[8 - count] as number));
    this.end += count - 8;
  }

  /** All four digits. By itself: within a loop the runtime would call for the same store. */
  private four(value: number): void {
    const { view, end } = this;
    view.setInt32(end, fourOf(value | 0), true);
    this.end = end + 4;
  }

  /** All eight digits. */
  private eight(value: number): void {
    const { view, end } = this;
    // From here on the runtime divides whole numbers, which it does by multiplying.
    const whole = value | 0;
    const high = (whole / 10_000) | 0;
    view.setInt32(end, fourOf(high), true);
    view.setInt32(end + 4, fourOf((whole - high * 10_000) | 0), true);
    this.end = end + 8;
  }

  private dropNoughts(): void {
    while (this.bytes[this.end - 1] === ZERO) this.end--;
  }

  private grow(count: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * (this.end + count));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
    this.view = viewOf(larger);
  }

  private flush(): void {
    this.hash.update(this.bytes.subarray(0, this.end));
    this.end = 0;
    this.lineStart = 0;
  }
}

export function phraseOf(text: string): Phrase {
  const bytes = Buffer.from(text, "utf8");
  const padded = Buffer.alloc(Math.ceil(bytes.length / WORD) * WORD, bytes);
  const words = Int32Array.from({ length: padded.length / WORD }, (_, i) => padded.readInt32LE(i * WORD));
  return { words, length: bytes.length };
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Four digits as one word. */
function fourOf(value: number): number {
  const high = (value / 100) | 0;
  return (PAIRS[high] as number) | ((PAIRS[(value - high * 100) | 0] as number) << 16);
}

/** How many digits a number below ten to the eighth has. */
function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8;
}
