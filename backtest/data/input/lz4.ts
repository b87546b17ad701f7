// LZ4, which the runtime does not have: blocks as Parquet packs them, and frames as Feather does. Checksums are passed over,
// since neither writes any. Whatever does not add up throws a RangeError.

const MAGIC = 0x184d2204;
const MIN_MATCH = 4;
const UNCOMPRESSED = 0x80000000;
const INDEPENDENT = 0x20;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const DICTIONARY = 0x01;
/** No input byte stands for more output bytes than this. */
const RATIO_MAX = 255;

/** One block whose size when unpacked is known. */
export function unpackLz4Block(packed: Uint8Array, size: number): Uint8Array {
  if (size > packed.length * RATIO_MAX)
    throw new RangeError(`an LZ4 block of ${packed.length} bytes cannot hold ${size}`);
  const target = new Uint8Array(size);
  const end = unpackInto(packed, { bytes: target, at: 0, from: 0 });
  if (end !== size) throw new RangeError(`an LZ4 block must hold ${size} bytes, held ${end}`);
  return target;
}

/** What Hadoop's programs put around blocks: the size of each, unpacked and packed, in front of it. */
export function unpackLz4Hadoop(packed: Uint8Array, size: number): Uint8Array {
  const view = viewOf(packed);
  const blocks: Uint8Array[] = [];
  let done = 0;
  for (let at = 0; at < packed.length; ) {
    if (at + 8 > packed.length) throw new RangeError("an LZ4 block is cut");
    const [own, length] = [view.getUint32(at), view.getUint32(at + 4)];
    at += 8;
    if (at + length > packed.length || done + own > size) throw new RangeError("an LZ4 block is cut");
    blocks.push(unpackLz4Block(packed.subarray(at, at + length), own));
    done += own;
    at += length;
  }
  if (done !== size) throw new RangeError(`LZ4 blocks must hold ${size} bytes, held ${done}`);
  return Buffer.concat(blocks);
}

export function unpackLz4Frame(packed: Uint8Array): Uint8Array {
  const view = viewOf(packed);
  if (packed.length < 7 || view.getUint32(0, true) !== MAGIC) throw new RangeError("it is no LZ4 frame");
  const flags = view.getUint8(4);
  const blockSize = 1 << (8 + 2 * ((view.getUint8(5) >> 4) & 7));
  if ((flags & DICTIONARY) !== 0) throw new RangeError("an LZ4 frame with a dictionary cannot be read");
  let at = 7 + ((flags & CONTENT_SIZE) === 0 ? 0 : 8);
  let bytes = new Uint8Array(blockSize);
  let done = 0;
  for (;;) {
    if (at + 4 > packed.length) throw new RangeError("an LZ4 frame is cut");
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) return bytes.subarray(0, done);
    const length = word & ~UNCOMPRESSED;
    if (at + length > packed.length || length > blockSize) throw new RangeError("an LZ4 frame is cut");
    if (done + blockSize > bytes.length) bytes = grown(bytes, done + blockSize);
    const block = packed.subarray(at, at + length);
    if ((word & UNCOMPRESSED) === 0) {
      const from = (flags & INDEPENDENT) === 0 ? 0 : done;
      done = unpackInto(block, { bytes: bytes.subarray(0, done + blockSize), at: done, from });
    } else {
      bytes.set(block, done);
      done += length;
    }
    at += length + ((flags & BLOCK_CHECKSUM) === 0 ? 0 : 4);
  }
}

/** Where a block goes: from `at` on; `from` is the first byte that it may repeat. */
type Target = { readonly bytes: Uint8Array; readonly at: number; readonly from: number };

/** Says where it ended. */
function unpackInto(packed: Uint8Array, { bytes, at, from }: Target): number {
  const length = (nibble: number): number => {
    let all = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255; all += more) {
      if (read >= packed.length) throw new RangeError("an LZ4 block is cut");
      more = packed[read++] as number;
    }
    return all;
  };
  let read = 0;
  let write = at;
  while (read < packed.length) {
    const token = packed[read++] as number;
    const literals = length(token >> 4);
    if (read + literals > packed.length || write + literals > bytes.length) throw new RangeError("an LZ4 block is cut");
    bytes.set(packed.subarray(read, read + literals), write);
    read += literals;
    write += literals;
    // The last sequence has literals alone.
    if (read === packed.length) break;
    if (read + 2 > packed.length) throw new RangeError("an LZ4 block is cut");
    const back = (packed[read] as number) | ((packed[read + 1] as number) << 8);
    read += 2;
    const match = length(token & 15) + MIN_MATCH;
    if (back === 0 || write - back < from || write + match > bytes.length)
      throw new RangeError("an LZ4 block repeats what is not there");
    // Byte by byte: it may repeat what it is just writing.
    for (const end = write + match; write < end; write++) bytes[write] = bytes[write - back] as number;
  }
  return write;
}

function grown(bytes: Uint8Array<ArrayBuffer>, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(least, bytes.length * 2));
  larger.set(bytes);
  return larger;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
