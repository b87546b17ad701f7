import { describe, expect, it } from "vitest";
import { loadLz4 } from "../../../backtest/data/input/lz4.ts";

const TEXT = "pegbot pegbot pegbot pegbot 0123456789 abcabcabcabcabcabcabc";
// As Arrow's own library packs the text.
const BLOCK = Buffer.from("7f706567626f7420070002e930313233343536373839206162630300506263616263", "hex");
const FRAME = Buffer.from(
  "04224d18604082220000007f706567626f7420070002e93031323334353637383920616263030050626361626300000000",
  "hex",
);
const { block, frame } = await loadLz4();
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("lz4", () => {
  it("is unpacked from blocks and from frames", () => {
    expect(textOf(block(BLOCK, TEXT.length))).toBe(TEXT);
    expect(textOf(frame(FRAME, TEXT.length))).toBe(TEXT);
  });

  it("repeats over the border of linked blocks", () => {
    // A second block: no literal, 8 bytes from 7 back, then the literal "!".
    const second = Buffer.from([4, 7, 0, 0x10, 33]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(second.length);
    const linked = Buffer.concat([FRAME.subarray(0, -4), length, second, Buffer.alloc(4)]);
    linked[4] = 0x40;
    const text = `${TEXT}${TEXT.slice(-7)}${TEXT.at(-7)}!`;
    expect(textOf(frame(linked, text.length))).toBe(text);
  });

  it("is refused where a frame was cut, wherever that was", () => {
    for (let length = 0; length < FRAME.length; length++)
      expect(() => frame(FRAME.subarray(0, length), TEXT.length), `${length}`).toThrow(
        `was cut, after ${length} bytes`,
      );
  });

  it("is refused where it does not hold the size that it should", () => {
    for (const size of [0, TEXT.length - 1, TEXT.length + 1, 2 ** 31]) {
      expect(() => block(BLOCK, size), `${size}`).toThrow(RangeError);
      expect(() => frame(FRAME, size), `${size}`).toThrow(RangeError);
    }
  });
});
