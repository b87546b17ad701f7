// Result files: the path is checked before the work, and a file appears only when complete. If a file cannot be
// written, the result is printed all the same.

import { closeSync, existsSync, fchmodSync, fsyncSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { freshPath, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { linkTarget } from "../../disk/link-target.ts";
import { openNew, writeNew, writeWhole } from "../../disk/new-file.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Throws if the path cannot be written: better than after an hour of work. */
export function requirePlace(flag: string, path: string, ending: string): void {
  const fail = (message: string): never => {
    throw usageFailure(`${flag}${message}`);
  };
  if (!path.endsWith(ending)) fail(` must end in ${ending}, was ${path}`);
  if (!existsSync(dirname(path))) fail(`: there is no folder ${dirname(path)}; make it, or name another place`);
  try {
    tryPlace(linkTarget(path));
  } catch (error) {
    fail(`: ${path} cannot be written (${(error as Error).message}); name another place`);
  }
}

function tryPlace(path: string): void {
  if (existsSync(path) && !statSync(path).isFile()) throw new Error("it is there, and is no file");
  removeLeftovers(path);
  try {
    writeNew(freshPath(path), "");
  } finally {
    removeFresh(path);
  }
}

export type ResultFile = {
  /** The kind of file for people: report, trades. */
  readonly what: string;
  readonly flag: string;
  readonly path: string;
  /** Or its parts, one after the other. */
  readonly text: string | Iterable<string>;
  /** Only this user may read it. */
  readonly isPrivate?: boolean;
};

export interface WrittenFiles {
  /** The path, or `not written`, for the end of a table. */
  placeOf(path: string): string;
  /** Prints which files could not be written, and returns the exit code. */
  tell(terminal: Terminal): ExitCode;
}

/** Each file separately: a failure leaves the other files, and the previous file at its path. */
export function writeResults(files: readonly ResultFile[]): WrittenFiles {
  const lost = files.flatMap((file) => {
    const cause = whyNotWritten(file);
    return cause === undefined ? [] : [{ ...file, cause }];
  });
  return {
    placeOf: (path) => (lost.some((file) => file.path === path) ? "not written" : path),
    tell(terminal) {
      for (const { what, flag, path, cause } of lost)
        terminal.note(
          `pegbot: the ${what} could not be written to ${path} (${cause}), and what stood there is as it was; ` +
            `free some disk space, or name another place with ${flag}`,
        );
      return lost.length === 0 ? exitCode.done : exitCode.failed;
    },
  };
}

function whyNotWritten({ path, text, isPrivate }: ResultFile): string | undefined {
  try {
    // A link is kept and its target written, even if the target does not exist yet.
    replaceFile(linkTarget(path), text, isPrivate ? 0o600 : 0o666);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Keeps the permissions of the replaced file. */
function replaceFile(target: string, text: ResultFile["text"], mode: number): void {
  const fresh = freshPath(target);
  try {
    const file = openNew(fresh, mode);
    try {
      if (existsSync(target)) fchmodSync(file, statSync(target).mode & 0o777);
      for (const part of typeof text === "string" ? [text] : text) writeWhole(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, target);
  } catch (error) {
    removeFresh(target);
    throw error;
  }
}
