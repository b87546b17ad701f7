// The token of the control API: 256 random bits, in a file next to the journal that only its owner can read. There is
// no default, and it never appears in an argument, an address or a log.

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { secret } from "../../domain/redact.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { createSecretFile, readSecretFile } from "../../exchange/key/secret-file.ts";

const WHAT = "token file";

export function tokenPath(journalPath: string): string {
  return `${journalPath}.token`;
}

export function openToken(journalPath: string): Result<string> {
  const path = tokenPath(journalPath);
  if (!existsSync(path)) {
    const created = createSecretFile(path, Buffer.from(`${randomBytes(32).toString("hex")}\n`), WHAT);
    // Of two processes that create it at once, the second reads the first one's.
    if (!created.ok && !existsSync(path)) return created;
  }
  const read = readSecretFile(path, WHAT);
  if (!read.ok) return read;
  const token = read.value.toString("utf8").trim();
  if (/^[0-9a-f]{64}$/.test(token)) return ok(secret(token));
  return err(`${WHAT} ${path} must hold 64 hexadecimal digits: remove it, and the next start draws a new one`);
}
