// The version of this pegbot: that of package.json and the commit, from the file that scripts/build.ts writes, or from
// git's files in a checkout. It starts no process, and a missing commit is not an error.

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const COMMIT = /^[0-9a-f]{40,64}$/;

/** `0.1.0 (1a2b3c4d5e6f)`, or the version alone. */
export function versionText(folder: string = root): string {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const commit = commitOf(folder);
  return commit === undefined ? version : `${version} (${commit.slice(0, 12)})`;
}

export function commitOf(folder: string): string | undefined {
  return asCommit(read(join(folder, "COMMIT"))) ?? checkedOutCommit(folder);
}

function checkedOutCommit(folder: string): string | undefined {
  const git = gitFolder(folder);
  const head = read(join(git, "HEAD"));
  if (head === undefined || !head.startsWith("ref: ")) return asCommit(head);
  const ref = head.slice("ref: ".length);
  // A linked work tree has its own HEAD, and its branches in the common folder.
  const common = resolve(git, read(join(git, "commondir")) ?? ".");
  return asCommit(read(join(common, ref))) ?? packedCommit(common, ref);
}

/** `.git` is a folder, or in a linked work tree a file that names one. */
function gitFolder(folder: string): string {
  const link = read(join(folder, ".git"));
  return link?.startsWith("gitdir: ") ? resolve(folder, link.slice("gitdir: ".length)) : join(folder, ".git");
}

function packedCommit(common: string, ref: string): string | undefined {
  const line = read(join(common, "packed-refs"))
    ?.split("\n")
    .find((packed) => packed.endsWith(` ${ref}`));
  return asCommit(line?.slice(0, line.indexOf(" ")));
}

function asCommit(text: string | undefined): string | undefined {
  return text !== undefined && COMMIT.test(text) ? text : undefined;
}

/** Undefined where it is missing or unreadable. */
export function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}
