// The tokens of the control API: 256 random bits each, one file a token next to the journal that only its user can read.
// The owner's file has the token, those of all others name, scope and SHA-256. There is no default, and no token appears in an
// argument, an address or a log.

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { bearerDigest, digestOf, type Scope, type TokenHolder } from "../../domain/bearer-token.ts";
import { orFail } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { secret } from "../../domain/redact.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { createSecretFile, readSecretFile } from "../../exchange/key/secret-file.ts";

const WHAT = "token file";
export const OWNER: TokenHolder = { name: "owner", scope: "approve" };
const LINE = /^(?<name>\S+) (?<scope>read|halt|approve) (?<digest>[0-9a-f]{64})\n$/;

export function tokenPath(journalPath: string): string {
  return `${journalPath}.token`;
}

function newToken(): string {
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

function givenPath(journalPath: string, name: string): string {
  return `${tokenPath(journalPath)}.${name}`;
}

/** Every token but the owner's, by name. */
export function readTokens(journalPath: string): Result<readonly GivenToken[]> {
  const start = givenPath(basename(journalPath), "");
  try {
    const names = readdirSync(dirname(journalPath)).filter((file) => file.startsWith(start));
    return ok(names.sort().flatMap((file) => givenToken(journalPath, file.slice(start.length)) ?? []));
  } catch (error) {
    return err(errorMessage(error));
  }
}

/** Undefined if the file is not the one that `addToken` wrote, as a copy under another name, or others may read it. */
function givenToken(journalPath: string, name: string): GivenToken | undefined {
  const read = readSecretFile(givenPath(journalPath, name), WHAT);
  const { name: given, scope, digest = "" } = LINE.exec(read.ok ? read.value.toString("utf8") : "")?.groups ?? {};
  return given === name ? { name, scope: scope as Scope, digest } : undefined;
}

/** Returns the token, which is kept nowhere. Of two that give one name at once the second is refused. */
export function addToken(journalPath: string, name: string, scope: Scope): Result<string> {
  const token = newToken();
  const made = createSecretFile(
    givenPath(journalPath, name),
    Buffer.from(`${name} ${scope} ${digestOf(token)}\n`),
    WHAT,
  );
  return made.ok ? ok(token) : made;
}

export function revokeToken(journalPath: string, name: string): Result<void> {
  try {
    unlinkSync(givenPath(journalPath, name));
    return ok(undefined);
  } catch (error) {
    return err(errorMessage(error));
  }
}

/**
 * The files are read for each request, so that a change counts at once. The owner's token stays as it was while its file
 * cannot be read, because the kill switch needs it.
 */
export function tokenHolders(journalPath: string): (authorization: string | undefined) => TokenHolder | undefined {
  let owner = orFail(openToken(journalPath));
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
