// Reads a configuration file, within bounds.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { err, ok, type Result } from "../domain/result.ts";
import type { Mistake } from "./mistake.ts";

const BYTES_MAX = 64 * 1024;

export function readConfigText(file: string): Result<string, Mistake> {
  try {
    // Without O_NONBLOCK a pipe without a writer would block for ever.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readHandle(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return refused(reason(error as NodeJS.ErrnoException));
  }
}

function readHandle(handle: number): Result<string, Mistake> {
  const status = fstatSync(handle);
  if (!status.isFile()) return refused("must be a regular file");
  const buffer = Buffer.alloc(BYTES_MAX + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = readSync(handle, buffer, length, buffer.length - length, null);
  if (length > BYTES_MAX) return refused(`must be at most ${BYTES_MAX} bytes long, was ${status.size}`);
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length)));
  } catch {
    return refused("must be UTF-8 text");
  }
}

function reason(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT")
    return "there is no such file; pegbot start needs none, pegbot init writes one, --config names another";
  if (error.code === "EACCES") return "may not be read by this user; see its permissions";
  return `cannot be read: ${error.message}`;
}

function refused(text: string): { readonly ok: false; readonly error: Mistake } {
  return err({ text, place: undefined, variable: undefined });
}
