// A damaged journal is evidence: it is moved aside unchanged, with all its files and a report. While it lies there, no
// new journal is created in its place unless a person says so.

import { existsSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { requireFolder } from "../../disk/create-folder.ts";
import { createFile, syncFolderOf } from "../../disk/new-file.ts";
import type { Millis } from "../../domain/time.ts";
import { type Problem, WAY_OUT } from "../verdict.ts";
import { anchorOf, checkpointOf, shmOf, walOf } from "./files.ts";

const MARK = ".quarantine-";

/** Returns the quarantine folder. */
export function quarantine(path: string, found: Problem, at: Millis): string {
  const stamp = new Date(at).toISOString().replaceAll(/[-:.]/g, "");
  let folder = `${path}${MARK}${stamp}`;
  for (let n = 2; existsSync(folder); n++) folder = `${path}${MARK}${stamp}-${n}`;
  requireFolder(folder, 0o700);
  createFile(join(folder, "REPORT.txt"), report(path, folder, found, at), 0o600);
  for (const file of [path, walOf(path), shmOf(path), anchorOf(path), checkpointOf(path)])
    if (existsSync(file)) renameSync(file, join(folder, basename(file)));
  syncFolderOf(path);
  return folder;
}

/** This journal's earlier quarantine folders, oldest first. */
export function quarantinesOf(path: string): readonly string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}${MARK}`));
  return names.sort().map((name) => join(folder, name));
}

function report(path: string, folder: string, found: Problem, at: Millis): string {
  return [
    `journal   ${path}`,
    `found     ${new Date(at).toISOString()}`,
    `verdict   ${found.kind}`,
    `what      ${found.message}`,
    ...(found.sequence === undefined ? [] : [`record    ${found.sequence}; those before it are sound`]),
    `way out   ${WAY_OUT[found.kind]}`,
    "",
    "The files here are as they were found. To look again: move them back beside each other, and run",
    "`pegbot journal verify`. Orders that were being sent when the journal was last written may have filled:",
    "compare with the venue's history before trading on.",
    `Moved to ${folder}`,
    "",
  ].join("\n");
}
