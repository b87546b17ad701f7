// LZ4, which the runtime lacks: blocks as in Parquet, and frames as in Feather. The library does not check bounds; here
// an impossible size, or bytes that do not add up to it, throw a RangeError.

/** The largest number of output bytes that one input byte can stand for. */
const RATIO_MAX = 255;

type Unpack = (packed: Uint8Array, size: number) => Uint8Array;

export async function loadLz4(): Promise<{ readonly block: Unpack; readonly frame: Unpack }> {
  const { decompressBlock, decompressFrame } = await import("lz4js");
  const block: Unpack = (packed, size) =>
    filled(packed, size, (bytes) => decompressBlock(packed, bytes, 0, packed.length, 0));
  return {
    block,
    frame: (packed, size) => {
      requireWhole(packed);
      return filled(packed, size, (bytes) => decompressFrame(packed, bytes));
    },
  };
}

function filled(packed: Uint8Array, size: number, unpack: (bytes: Uint8Array) => number): Uint8Array {
  if (size > packed.length * RATIO_MAX) throw new RangeError(`${packed.length} bytes of LZ4 cannot hold ${size}`);
  const bytes = new Uint8Array(size);
  const held = unpack(bytes);
  if (held !== size) throw new RangeError(`LZ4 must hold ${size} bytes, held ${held}`);
  return bytes;
}

/** Requires every block of a frame up to its end mark: the library turns a truncated frame into zeros. */
function requireWhole(packed: Uint8Array): void {
  const cut = new RangeError(`a frame of LZ4 was cut, after ${packed.length} bytes`);
  if (packed.length < 7) throw cut;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const flags = view.getUint8(4);
  const checked = (flags & 0x10) === 0 ? 0 : 4;
  let at = 7 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4);
  for (let size = 1; size !== 0; at += size === 0 ? 4 : 4 + (size & 0x7fffffff) + checked) {
    if (at + 4 > packed.length) throw cut;
    size = view.getUint32(at, true);
  }
  if (at + ((flags & 0x04) === 0 ? 0 : 4) !== packed.length) throw cut;
}
