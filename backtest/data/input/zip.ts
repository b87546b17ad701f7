// Where a file lies inside a zip archive: enough of the format for the archives in which price histories are published
// (stored or deflated entries, no encryption, no archives of 4 GiB and more).

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { quoted } from "../../../src/domain/outside-text.ts";
import type { ProblemLog } from "../problem.ts";

export type ZipEntry = {
  readonly name: string;
  readonly start: number;
  readonly bytes: number;
  readonly isStored: boolean;
  /** Of what is in it, unpacked. */
  readonly crc: number;
};

type Listed = Omit<ZipEntry, "start" | "isStored"> & {
  readonly offset: number;
  readonly method: number;
};

const END = 0x06054b50;
const LISTED = 0x02014b50;
const LOCAL = 0x04034b50;
const TAIL_BYTES = 65_557;
const STORED = 0;
const DEFLATED = 8;

export function findEntry(path: string, log: ProblemLog, wanted?: string): ZipEntry {
  const file = openSync(path, "r");
  try {
    const size = fstatSync(file).size;
    const entries = list(file, size, log).filter(({ name }) => !name.endsWith("/"));
    const chosen = choose(entries, log, wanted);
    if (chosen.method !== STORED && chosen.method !== DEFLATED)
      log.refuse("format", `zip entry ${quoted(chosen.name)} must be stored or deflated, was method ${chosen.method}`);
    const head = at(file, chosen.offset, 30);
    if (head.length < 30 || head.readUInt32LE(0) !== LOCAL) log.refuse("format", "the zip archive is damaged");
    if ((head.readUInt16LE(6) & 1) === 1) log.refuse("format", "an encrypted zip archive cannot be read");
    const start = chosen.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (start + chosen.bytes > size) log.refuse("format", "the zip archive is cut");
    return { name: chosen.name, start, bytes: chosen.bytes, isStored: chosen.method === STORED, crc: chosen.crc };
  } finally {
    closeSync(file);
  }
}

function choose(entries: readonly Listed[], log: ProblemLog, wanted?: string): Listed {
  const names = entries.map(({ name }) => name);
  const found = wanted === undefined ? entries : entries.filter(({ name }) => name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const shown = quoted(names.slice(0, 20).join(", "), 400);
  if (wanted !== undefined) log.refuse("format", `the zip archive has no file ${quoted(wanted)}, only ${shown}`);
  return log.refuse(
    "format",
    `the zip archive must have one file, or one must be named, was ${names.length}: ${shown}`,
  );
}

function list(file: number, size: number, log: ProblemLog): Listed[] {
  const tailStart = Math.max(0, size - TAIL_BYTES);
  const tail = at(file, tailStart, size - tailStart);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || tail.length < end + 22 || tail.readUInt32LE(end) !== END)
    log.refuse("format", "the file is not a zip archive, or is cut");
  const count = tail.readUInt16LE(end + 10);
  const bytes = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  if (offset + bytes > size) log.refuse("format", "the zip archive is cut, or 4 GiB and more");
  const directory = at(file, offset, bytes);
  const entries: Listed[] = [];
  for (let from = 0, i = 0; i < count; i++) {
    if (directory.length < from + 46 || directory.readUInt32LE(from) !== LISTED)
      log.refuse("format", "the zip archive's list of files is damaged");
    const nameBytes = directory.readUInt16LE(from + 28);
    entries.push({
      name: directory.toString("utf8", from + 46, from + 46 + nameBytes),
      method: directory.readUInt16LE(from + 10),
      crc: directory.readUInt32LE(from + 16),
      bytes: directory.readUInt32LE(from + 20),
      offset: directory.readUInt32LE(from + 42),
    });
    from += 46 + nameBytes + directory.readUInt16LE(from + 30) + directory.readUInt16LE(from + 32);
  }
  return entries;
}

function at(file: number, start: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, start));
}
