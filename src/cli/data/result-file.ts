// Files for results: their place is tried before the work, and what is written appears there when it is whole; what stands
// there and can only be written in place, is. One that cannot be written costs no result: what was found is shown all the same.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { freshPath, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { linkTarget } from "../../disk/link-target.ts";
import { openNew, writeNew, writeWhole } from "../../disk/new-file.ts";
import { isFull } from "../../journal/file/sqlite-failure.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Throws where nothing can be written there: better than after an hour of work. */
export function requirePlace(flag: string, path: string, ending: string): void {
  const fail = (message: string): never => {
    throw new CommandFailure(exitCode.usage, `${flag}${message}`);
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
  const isThere = existsSync(path);
  if (isThere) {
    if (!statSync(path).isFile()) throw new Error("it is there, and is no file");
    accessSync(path, constants.W_OK);
  }
  removeLeftovers(path);
  try {
    writeNew(freshPath(path), "");
  } catch (error) {
    if (!isThere || isFull(error)) throw error;
  } finally {
    removeFresh(path);
  }
}

export type ResultFile = {
  /** What it is, for people: report, trades. */
  readonly what: string;
  readonly flag: string;
  readonly path: string;
  readonly text: string;
};

export interface WrittenFiles {
  /** For the end of a table. */
  placeOf(path: string): string;
  /** Says which could not be written, and with which code that ends the command. */
  tell(terminal: Terminal): ExitCode;
}

/** Each by itself: one that fails leaves the others, and what stood in its place. */
export function writeResults(files: readonly ResultFile[]): WrittenFiles {
  const lost = files.flatMap((file) => {
    const failure = whyNotWritten(file);
    return failure === undefined ? [] : [{ ...file, ...failure }];
  });
  return {
    placeOf: (path) => (lost.some((file) => file.path === path) ? "not written" : path),
    tell(terminal) {
      for (const { what, flag, path, cause, isTorn } of lost)
        terminal.note(
          `pegbot: the ${what} could not be written to ${path} (${cause}), and what stood there is ${isTorn ? "lost, since it had to be written in place" : "as it was"}; ` +
            `free some disk space, or name another place with ${flag}`,
        );
      return lost.length === 0 ? exitCode.done : exitCode.failed;
    },
  };
}

type Failure = { readonly cause: string; readonly isTorn: boolean };

function whyNotWritten({ path, text }: ResultFile): Failure | undefined {
  try {
    // What a link leads to is written, also for the first time, and the link stays.
    const target = linkTarget(path);
    const error = whyNotReplaced(target, text);
    if (error === undefined) return undefined;
    // A file that is mounted by itself, or whose folder takes no others, can be written and not be replaced.
    if (isFull(error) || !isWritable(target)) return { cause: error.message, isTorn: false };
    return whyNotOverwritten(target, text);
  } catch (error) {
    return { cause: (error as Error).message, isTorn: false };
  }
}

function whyNotReplaced(target: string, text: string): Error | undefined {
  const fresh = freshPath(target);
  try {
    const file = openNew(fresh, 0o666);
    try {
      if (existsSync(target)) fchmodSync(file, statSync(target).mode & 0o777);
      writeWhole(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, target);
    return undefined;
  } catch (error) {
    removeFresh(target);
    return error as Error;
  }
}

function whyNotOverwritten(target: string, text: string): Failure | undefined {
  const file = openSync(target, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    ftruncateSync(file);
    writeWhole(file, text);
    fsyncSync(file);
    return undefined;
  } catch (error) {
    return { cause: (error as Error).message, isTorn: true };
  } finally {
    closeSync(file);
  }
}

function isWritable(target: string): boolean {
  if (statSync(target, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    accessSync(target, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
