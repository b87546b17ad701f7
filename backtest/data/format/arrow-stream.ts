// How an Arrow stream ends. The library takes a stream that is cut between two messages for a whole one, so the messages are
// counted off here: each says how long it is, and the last is a mark.

const CONTINUATION = 0xffffffff;
const HEAD_BYTES = 8;
/** The place of the body's length in the table of a message. */
const BODY_LENGTH = 3;

/** `open` without the mark, which is optional: nobody knows whether its writer was done. */
export function endOfStream(bytes: Buffer): "marked" | "open" | "cut" {
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length && bytes.readUInt32LE(at) === CONTINUATION) {
    const words = bytes.readUInt32LE(at + 4);
    if (words === 0) return "marked";
    at += HEAD_BYTES + words;
    if (at > bytes.length) return "cut";
    at += bodyLength(bytes.subarray(at - words, at));
  }
  return at === bytes.length ? "open" : "cut";
}

/** Infinite where the message cannot be understood, so that its end lies beyond that of the file. */
function bodyLength(message: Buffer): number {
  try {
    const table = message.readUInt32LE(0);
    const fields = table - message.readInt32LE(table);
    const entry = 4 + BODY_LENGTH * 2;
    const field = message.readUInt16LE(fields) > entry ? message.readUInt16LE(fields + entry) : 0;
    const length = field === 0 ? 0 : Number(message.readBigInt64LE(table + field));
    return length >= 0 ? length : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
