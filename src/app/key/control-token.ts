// The tokens of the control API: 256 random bits each. The owner's is in a file next to the journal that only its owner
// can read; of all others a second such file has name, scope and SHA-256. There is no default, and no token appears in
// an argument, an address or a log.

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { bearerDigest, digestOf, type TokenHolder } from "../../domain/bearer-token.ts";
import { orFail } from "../../domain/command-failure.ts";
import { secret } from "../../domain/redact.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { createSecretFile, readSecretFile } from "../../exchange/key/secret-file.ts";

const WHAT = "token file";
export const OWNER: TokenHolder = { name: "owner", scope: "approve" };
const LINE = /^(?<name>[\w.-]{1,32}) (?<scope>read|halt|approve) (?<digest>[0-9a-f]{64})$/;

export function tokenPath(journalPath: string): string {
  return `${journalPath}.token`;
}

export function newToken(): string {
  return randomBytes(32).toString("hex");
}

export function openToken(journalPath: string): Result<string> {
  const path = tokenPath(journalPath);
  if (!existsSync(path)) {
    const created = createSecretFile(path, Buffer.from(`${newToken()}\n`), WHAT);
    // Of two processes that create it at once, the second reads the first one's.
    if (!created.ok && !existsSync(path)) return created;
  }
  const read = readSecretFile(path, WHAT);
  if (!read.ok) return read;
  const token = read.value.toString("utf8").trim();
  if (/^[0-9a-f]{64}$/.test(token)) return ok(secret(token));
  return err(`${WHAT} ${path} must hold 64 hexadecimal digits: remove it, and a new one is drawn`);
}

export type GivenToken = TokenHolder & { readonly digest: string };

/** Every token but the owner's. */
export function readTokens(journalPath: string): Result<readonly GivenToken[]> {
  const path = `${tokenPath(journalPath)}s`;
  const read = existsSync(path) ? readSecretFile(path, WHAT) : ok("");
  if (!read.ok) return read;
  const rows = String(read.value).split("\n").slice(0, -1);
  const tokens = rows.map((row) => LINE.exec(row)?.groups as GivenToken | undefined);
  if (tokens.every((one) => one !== undefined)) return ok(tokens);
  return err(`${WHAT} ${path} must have lines of NAME SCOPE SHA256: remove it, and give new ones`);
}

/**
 * The files are read for each request, so that a change counts at once. While the second cannot be read its tokens do
 * not count; the owner's stays as it was, because the kill switch needs it.
 */
export function tokenHolders(journalPath: string): (authorization: string | undefined) => TokenHolder | undefined {
  let owner = orFail(openToken(journalPath));
  orFail(readTokens(journalPath));
  return (authorization) => {
    const digest = bearerDigest(authorization);
    if (digest === undefined) return undefined;
    const drawn = openToken(journalPath);
    if (drawn.ok) owner = drawn.value;
    if (digest === digestOf(owner)) return OWNER;
    const others = readTokens(journalPath);
    return others.ok ? others.value.find((one) => one.digest === digest) : undefined;
  };
}
