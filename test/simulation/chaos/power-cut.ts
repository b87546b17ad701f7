// A power cut, for one folder: strace writes down every change that a program makes to files there, and after the program was
// killed the folder is left as a journaling file system (ext4, XFS) may leave it. What was synced is there; of what was not,
// any sectors of 512 bytes are, in any order; names follow in their order, up to any one. The memory map of SQLite's index
// (-shm) is as lost as it can be. Each life also has a boot id of its own, as after a reboot.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Random } from "../../../src/domain/random.ts";
import { isAlive, type Program, until } from "../../support/program.ts";

/** Everything by which the programs of ours change files. What else comes is not modelled, and says so. */
const CALLS =
  "openat,write,pwrite64,writev,pwritev,pwritev2,truncate,ftruncate,fallocate,copy_file_range,sendfile,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat";
const BOOT_ID = "/proc/sys/kernel/random/boot_id";
const SECTOR = 512;
const PAGE = 4_096;
/** A page of a database, and more. */
const TEXT_MAX = 65_536;
/** The result of a call that the kill met. */
const BEGUN = "-9999";

type Write = { readonly at: number; readonly bytes: Buffer } | { readonly length: number };
/** `last`: what it was before a write that the kill met. */
type Inode = { live: Buffer; durable: Buffer; unsynced: Write[]; last?: Buffer };
type Renaming = {
  readonly inode: Inode | undefined;
  readonly folder: string;
  readonly to: Map<string, Inode | undefined>;
};

export type Loss = { readonly writes: number; readonly names: number };

export class Disk {
  readonly #folder: string;
  readonly #trace: string;
  /** Others write these, or nothing is promised of them. */
  readonly #ignored: RegExp;
  readonly #names = new Map<string, Inode>();
  readonly #durableNames: Map<string, Inode>;
  readonly #unsyncedNames: Renaming[] = [];
  readonly #positions = new Map<string, number>();

  /** The folder as it is now is on the disk. */
  constructor(folder: string, trace: string, ignored: RegExp) {
    this.#folder = folder;
    this.#trace = trace;
    this.#ignored = ignored;
    for (const path of this.#there()) {
      const live = readFileSync(path);
      this.#names.set(path, { live, durable: live, unsynced: [] });
    }
    this.#durableNames = new Map(this.#names);
  }

  /** What comes before the command line of a program whose changes are written down. `fault`: as strace's option `inject`. */
  through(boot: string, fault?: string): readonly string[] {
    const bootFile = `${this.#trace}.boot`;
    writeFileSync(bootFile, `${boot}\n`);
    const script = `mount --bind "$0" ${BOOT_ID} && exec "$@"`;
    const options = [
      "-f",
      "--seccomp-bpf",
      "-qq",
      "-y",
      "-xx",
      "-s",
      `${TEXT_MAX}`,
      "-e",
      `trace=${CALLS}`,
      "-o",
      this.#trace,
    ];
    const inject = fault === undefined ? [] : ["-e", `inject=${fault}`];
    return ["unshare", "-m", "sh", "-c", script, bootFile, "strace", ...options, ...inject];
  }

  /** The calls that were made to fail, each with its file. */
  failed(): readonly string[] {
    const lines = existsSync(this.#trace) ? readFileSync(this.#trace, "utf8").split("\n") : [];
    return lines.flatMap((line) => {
      const [, call, path = ""] = /^\d+ +(?:<\.\.\. )?(\w+)[^<]*(?:<(.*?)>)?.*\(INJECTED\)$/.exec(line) ?? [];
      return call === undefined ? [] : [`${call} ${basename(unquoted(path))}`.trim()];
    });
  }

  /** After the program was killed: leaves the folder as a power cut at that moment may have left it. */
  cut(random: Random): Loss {
    for (const line of whole(readFileSync(this.#trace, "utf8").split("\n"))) this.#take(line);
    for (const [path, inode] of this.#names) {
      // A write that the kill met on its way may have come through, as a whole or up to any page.
      const { last, live, unsynced } = inode;
      if (last === undefined || !existsSync(path)) continue;
      const there = readFileSync(path);
      const before = unsynced.slice(0, -1);
      const part = partsOf(unsynced.at(-1)).find((one) => there.equals(written(last, one, () => true)));
      if (there.equals(live)) continue;
      if (there.equals(last)) Object.assign(inode, { live: last, unsynced: before });
      else if (part !== undefined) Object.assign(inode, { live: there, unsynced: [...before, part] });
    }
    this.#check();
    // All, nothing, or some of what was not synced.
    const share = [0, 0.5, 1][random.integer(0, 2)] as number;
    const kept = random.integer(0, this.#unsyncedNames.length);
    for (const renaming of this.#unsyncedNames.slice(0, kept)) this.#settle(renaming);
    let writes = 0;
    for (const path of this.#names.keys()) if (!this.#durableNames.has(path)) rmSync(path);
    for (const [path, { durable, unsynced, live }] of this.#durableNames) {
      const left = unsynced.reduce<Buffer>(
        (content, write) => written(content, write, () => random.next() < share),
        durable,
      );
      if (!left.equals(live)) writes += unsynced.length;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, left, { mode: existsSync(path) ? statSync(path).mode : 0o600 });
    }
    for (const path of this.#there(/-shm$/)) {
      if (random.next() < 0.5) rmSync(path);
      else writeFileSync(path, Buffer.alloc(statSync(path).size));
    }
    return { writes, names: this.#unsyncedNames.length - kept };
  }

  #take(line: string): void {
    const [, call = "", text = "", result = "", opened = ""] =
      /^\d+ +(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?/.exec(line) ?? [];
    if (call === "" || (Number(result) < 0 && result !== BEGUN)) return;
    const [first = "", ...others] = text.split(", ");
    const path = unquoted(/<(.*)>/.exec(first)?.[1] ?? first);
    const named = [first, ...others]
      .filter((one) => one.startsWith('"'))
      .map((one) => resolve(this.#folder, unquoted(one)));
    if (result === BEGUN && !hasCome(call, named)) return;
    if (call === "openat" && result === BEGUN) return void this.#opened("", named.at(-1) ?? "", others[1] ?? "");
    if (call === "openat") return void this.#opened(`${result}<${opened}>`, unquoted(opened), others[1] ?? "");
    if (/^(rename|unlink|link)/.test(call)) return void this.#renamed(call, named);
    const inode = this.#names.get(path);
    if (call.endsWith("sync")) return void this.#synced(path, inode);
    if (inode === undefined || !this.#isOurs(path)) return;
    const numbers = others.filter((one) => /^\d+$/.test(one)).map(Number);
    if (others[0]?.endsWith("...")) throw new Error(`a write too long for the trace: ${path}`);
    const bytes = unquotedBytes(others[0] ?? "").subarray(0, result === BEGUN ? TEXT_MAX : Number(result));
    if (result === BEGUN) inode.last = inode.live;
    if (call === "write") {
      const at = this.#positions.get(first) ?? 0;
      this.#positions.set(first, at + bytes.length);
      write(inode, { at, bytes });
    } else if (call === "pwrite64") write(inode, { at: numbers.at(-1) ?? 0, bytes });
    else if (call === "ftruncate") write(inode, { length: numbers[0] ?? 0 });
    else throw new Error(`a change of a file that is not modelled: ${line.slice(0, 200)}`);
  }

  #opened(handle: string, path: string, flags: string): void {
    if (!this.#isOurs(path) || !/O_WRONLY|O_RDWR/.test(flags)) return;
    let inode = this.#names.get(path);
    if (inode === undefined) {
      inode = { live: Buffer.alloc(0), durable: Buffer.alloc(0), unsynced: [] };
      this.#move(inode, path, new Map([[path, inode]]));
    }
    if (flags.includes("O_TRUNC")) write(inode, { length: 0 });
    this.#positions.set(handle, flags.includes("O_APPEND") ? inode.live.length : 0);
  }

  #renamed(call: string, [from = "", to = ""]: readonly string[]): void {
    if (!this.#isOurs(from)) return;
    const inode = this.#names.get(from);
    if (inode === undefined) return;
    if (call.startsWith("unlink")) this.#move(inode, from, new Map([[from, undefined]]));
    else if (call.startsWith("link")) this.#move(inode, to, new Map([[to, inode]]));
    else
      this.#move(
        inode,
        to,
        new Map([
          [from, undefined],
          [to, inode],
        ]),
      );
  }

  #move(inode: Inode, path: string, to: Renaming["to"]): void {
    for (const [name, target] of to) put(this.#names, name, target);
    this.#unsyncedNames.push({ inode, folder: dirname(path), to });
  }

  #synced(path: string, inode: Inode | undefined): void {
    if (inode !== undefined) Object.assign(inode, { durable: inode.live, unsynced: [] });
    const last = this.#unsyncedNames.findLastIndex((one) => one.inode === inode || one.folder === path);
    for (const renaming of this.#unsyncedNames.splice(0, last + 1)) this.#settle(renaming);
  }

  #settle({ to }: Renaming): void {
    for (const [name, target] of to) put(this.#durableNames, name, target);
  }

  /** The model must have come to exactly what the program left. */
  #check(): void {
    const there = this.#there();
    const unknown = there.filter((path) => !this.#names.has(path));
    const gone = [...this.#names.keys()].filter((path) => !there.includes(path));
    const other = there.filter(
      (path) => !unknown.includes(path) && !this.#names.get(path)?.live.equals(readFileSync(path)),
    );
    const problems = [...unknown, ...gone, ...other];
    if (problems.length > 0) throw new Error(`the trace does not explain ${problems.join(", ")}`);
  }

  #isOurs(path: string): boolean {
    return path.startsWith(`${this.#folder}/`) && !this.#ignored.test(path) && !path.endsWith("-shm");
  }

  #there(which?: RegExp): readonly string[] {
    const entries = readdirSync(this.#folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return paths.filter((path) =>
      which === undefined ? this.#isOurs(path) : which.test(path) && !this.#ignored.test(path),
    );
  }
}

/** strace itself goes on until it has written down the last change; a bot that it was about to start dies next. */
export async function killedUnder(bot: Program): Promise<void> {
  const isOver = (): boolean => {
    if (!isAlive(bot.pid)) return true;
    for (const pid of childrenOf(bot.pid)) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    return false;
  };
  await until(isOver, "the end of the trace");
}

function childrenOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return (existsSync(file) ? readFileSync(file, "utf8") : "")
    .split(" ")
    .filter(Boolean)
    .flatMap((child) => [Number(child), ...childrenOf(Number(child))]);
}

function write(inode: Inode, change: Write): void {
  inode.live = written(inode.live, change, () => true);
  inode.unsynced.push(change);
}

/** What a change makes of a file, where only some of its sectors came to the disk. */
function written(content: Buffer, change: Write, isKept: () => boolean): Buffer {
  if ("length" in change) {
    if (!isKept()) return content;
    return Buffer.concat([
      content.subarray(0, change.length),
      Buffer.alloc(Math.max(0, change.length - content.length)),
    ]);
  }
  const { at, bytes } = change;
  const result = Buffer.alloc(Math.max(content.length, at + bytes.length));
  content.copy(result);
  let end = content.length;
  for (let from = 0, size = 0; from < bytes.length; from += size) {
    size = Math.min(bytes.length - from, SECTOR - ((at + from) % SECTOR));
    if (!isKept()) continue;
    bytes.copy(result, at + from, from, from + size);
    end = Math.max(end, at + from + size);
  }
  return result.subarray(0, end);
}

function put(names: Map<string, Inode>, name: string, inode: Inode | undefined): void {
  if (inode === undefined) names.delete(name);
  else names.set(name, inode);
}

/** What a write that the kill met may have come to: the kernel copies page by page. */
function partsOf(write: Write | undefined): readonly Write[] {
  if (write === undefined || "length" in write) return [];
  const { at, bytes } = write;
  const pages = Array.from({ length: Math.ceil(bytes.length / PAGE) }, (_, i) => (i + 1) * PAGE - (at % PAGE));
  return pages.filter((end) => end > 0 && end < bytes.length).map((end) => ({ at, bytes: bytes.subarray(0, end) }));
}

/** Whether a call that the kill met has made, moved or removed its name; for a write its file says so. */
function hasCome(call: string, [from = "", to = ""]: readonly string[]): boolean {
  if (/^(unlink|rename)/.test(call)) return !existsSync(from);
  if (call.startsWith("link")) return existsSync(to);
  if (call === "openat") return existsSync(from);
  return !call.endsWith("sync");
}

/** Calls that strace tells in two lines, as one; those that the kill met, with no end or `?` for one, come last. */
function* whole(lines: readonly string[]): Iterable<string> {
  const begun = new Map<string, string>();
  for (const line of lines) {
    const process = /^\d+/.exec(line)?.[0] ?? "";
    if (/ resumed>.* = \?$/.test(line)) continue;
    const [, head] = /^(.*?)(?: <unfinished \.\.\.>|\) += \?)$/.exec(line) ?? [];
    const [, tail] = /^\d+ +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? [];
    if (head !== undefined) begun.set(process, head);
    else yield tail === undefined ? line : `${begun.get(process)}${tail}`;
    if (tail !== undefined) begun.delete(process);
  }
  for (const head of begun.values()) yield `${head}) = ${BEGUN}`;
}

function unquoted(text: string): string {
  return unquotedBytes(text).toString();
}

function unquotedBytes(text: string): Buffer {
  return Buffer.from(text.replaceAll(/["\\x]/g, ""), "hex");
}
