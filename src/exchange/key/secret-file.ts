// Files that hold a secret. Only a regular file that belongs to this user and that no other user can read is accepted;
// a new one is readable by its owner only and never replaces a file. Each error states the rule and the fix.

import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, type Stats, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { createFolder } from "../../disk/create-folder.ts";
import { writeWhole } from "../../disk/new-file.ts";
import { holdsPrivateKey } from "../../domain/redact.ts";
import { err, ok, type Result } from "../../domain/result.ts";

const BYTES_MAX = 65_536;
const OTHERS = 0o077;

/** `what` is the file's role in messages: "key file". */
export function readSecretFile(path: string, what: string): Result<Buffer> {
  // Repeating the key in a message would publish it.
  if (holdsPrivateKey(path)) return err(`${what} must be named by its path, was given as the key itself`);
  let file: number;
  try {
    // Non-blocking: opening a pipe must not wait for its writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return err(`${what} ${path} ${openProblem(error)}`);
  }
  try {
    // The checks use the open file, so that it cannot be replaced between check and use.
    const problem = fileProblem(fstatSync(file), path);
    return problem === undefined ? ok(readFileSync(file)) : err(`${what} ${path} ${problem}`);
  } finally {
    closeSync(file);
  }
}

/** Missing folders are created for the owner only. */
export function createSecretFile(path: string, content: Uint8Array, what: string): Result<void> {
  const folder = createFolder(dirname(path), 0o700);
  if (!folder.ok) return err(`${what} ${path}: its folder could not be made: ${folder.error}`);
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    const exists = codeOf(error) === "EEXIST";
    return err(`${what} ${path} ${exists ? "exists already, and is never overwritten" : openProblem(error)}`);
  }
  try {
    writeWhole(file, content);
    fsyncSync(file);
    return ok(undefined);
  } catch (error) {
    unlinkSync(path);
    return err(`${what} ${path} could not be written (${codeOf(error)})`);
  } finally {
    closeSync(file);
  }
}

function openProblem(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT") return "does not exist";
  if (code === "ELOOP") return "must be a regular file, was a symbolic link: name the file itself";
  if (code === "EISDIR") return "must be a regular file, was a folder";
  return `could not be opened (${code})`;
}

function fileProblem(file: Stats, path: string): string | undefined {
  if (!file.isFile()) return `must be a regular file, was ${file.isDirectory() ? "a folder" : "a device or a pipe"}`;
  if (file.size > BYTES_MAX) return `must have at most ${BYTES_MAX} bytes, had ${file.size}`;
  // Windows has neither owners nor modes in this sense.
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  // A credential of systemd: root lets this user read it by an ACL, which shows as the right of root's own group.
  if (file.uid === 0 && file.gid === 0 && (file.mode & 0o777) === 0o440) return undefined;
  if (file.uid !== user) return `must belong to the user who runs pegbot (${user}), belongs to ${file.uid}: chown it`;
  if ((file.mode & OTHERS) === 0) return undefined;
  const mode = (file.mode & 0o7777).toString(8).padStart(4, "0");
  return `must be readable by its owner only (mode 0600), was ${mode}: chmod 600 ${path}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
