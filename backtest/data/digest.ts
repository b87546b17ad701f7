// The digest that identifies a file of any length.

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 1 << 20;

export function sha256Of(path: string): string {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}
