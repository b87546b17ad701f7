import { describe, expect, it } from "vitest";
import { unpackLz4Block, unpackLz4Frame, unpackLz4Hadoop } from "../../../backtest/data/input/lz4.ts";

const TEXT = "pegbot pegbot pegbot pegbot 0123456789 abcabcabcabcabcabcabc";
// As Arrow's own library packs the text.
const BLOCK = Buffer.from("7f706567626f7420070002e930313233343536373839206162630300506263616263", "hex");
const FRAME = Buffer.from(
  "04224d18604082220000007f706567626f7420070002e93031323334353637383920616263030050626361626300000000",
  "hex",
);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("lz4", () => {
  it("is unpacked from blocks, from Hadoop's blocks and from frames", () => {
    expect(textOf(unpackLz4Block(BLOCK, TEXT.length))).toBe(TEXT);
    expect(textOf(unpackLz4Frame(FRAME))).toBe(TEXT);
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32BE(TEXT.length, 0);
    sizes.writeUInt32BE(BLOCK.length, 4);
    const twice = Buffer.concat([sizes, BLOCK, sizes, BLOCK]);
    expect(textOf(unpackLz4Hadoop(twice, 2 * TEXT.length))).toBe(TEXT + TEXT);
  });

  it("repeats over the border of linked blocks, and not of independent ones", () => {
    // A second block: no literal, 8 bytes from 7 back, then the literal "!".
    const second = Buffer.from([4, 7, 0, 0x10, 33]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(second.length);
    const linked = Buffer.concat([FRAME.subarray(0, -4), length, second, Buffer.alloc(4)]);
    linked[4] = 0x40;
    expect(textOf(unpackLz4Frame(linked))).toBe(`${TEXT}cabcabcc!`.replace("cabcabcc", TEXT.slice(-7) + TEXT.at(-7)));
    linked[4] = 0x60;
    expect(() => unpackLz4Frame(linked)).toThrow("an LZ4 block repeats what is not there");
  });

  it("is refused wherever it is cut, and never writes beyond its size", () => {
    for (let end = 0; end < FRAME.length; end++)
      expect(() => unpackLz4Frame(FRAME.subarray(0, end))).toThrow(RangeError);
    for (let end = 0; end < BLOCK.length; end++)
      expect(() => unpackLz4Block(BLOCK.subarray(0, end), TEXT.length)).toThrow(RangeError);
    expect(() => unpackLz4Block(BLOCK, TEXT.length - 1)).toThrow(RangeError);
    expect(() => unpackLz4Block(BLOCK, 2 ** 31)).toThrow("cannot hold");
    for (let place = 0; place < FRAME.length; place++) {
      const damaged = Buffer.from(FRAME);
      damaged[place] = (damaged[place] as number) ^ 0xff;
      try {
        expect(unpackLz4Frame(damaged).length).toBeLessThan(FRAME.length * 255);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});
