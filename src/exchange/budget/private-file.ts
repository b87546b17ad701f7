// Files and folders that only their owner may read, created if they are missing.

import { closeSync, openSync } from "node:fs";
import { createFolder } from "../../disk/create-folder.ts";
import { requirePlainFile } from "../../disk/open-to-others.ts";
import type { Result } from "../../domain/result.ts";

export function createPrivateFolder(path: string): Result<void> {
  return createFolder(path, 0o700);
}

/** Never opens a file that exists: closing any handle of a file drops every lock this process has on it (POSIX). */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    requirePlainFile(path);
  }
}
