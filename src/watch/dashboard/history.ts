// The memory of the page: one bounded file next to the journal with prices, fair values, profit by source and holdings: 1 s
// for an hour, 15 s for a day, 5 min for 90 days. Charts survive a restart. What cannot be written is kept in memory only;
// a damaged file begins anew, and the journal fills it.

import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { z } from "zod";
import { jsonOf } from "../../domain/json-of.ts";
import { amount } from "../status.ts";

const TIERS = [
  { everyMs: 1_000, rows: 3_600 },
  { everyMs: 15_000, rows: 5_760 },
  { everyMs: 300_000, rows: 25_920 },
] as const;
const HEADER_BYTES = 4_096;
const EVENTS_MAX = 40;
const VERSION = 2;

const headerSchema = z.object({
  version: z.literal(VERSION),
  columns: z.array(z.string()),
  /** Trading profit and currency effect when the UTC day opened. */
  base: z.object({ day: z.number(), trading: amount, fx: amount }).optional(),
  /** Halts and starts of the bot, oldest first. */
  events: z.array(z.tuple([z.number(), z.enum(["halt", "start"])])).default([]),
});
type Header = z.output<typeof headerSchema>;

export type Rows = { readonly time: readonly number[]; readonly columns: readonly (readonly (number | null)[])[] };

export type History = ReturnType<typeof openHistory>;

/** `path` undefined: in memory. Other columns than those of the file begin it anew. */
export function openHistory(path: string | undefined, columns: readonly string[]) {
  const width = columns.length + 1;
  const tiers = TIERS.map((tier) => ({ ...tier, cells: new Float64Array(tier.rows * width), last: 0 }));
  let header: Header = { version: VERSION, columns: [...columns], events: [] };
  let first = Number.POSITIVE_INFINITY;
  let fd = path === undefined ? undefined : opened(path);

  /** The byte at which a tier begins. */
  function placeOf(index: number): number {
    return HEADER_BYTES + TIERS.slice(0, index).reduce((sum, { rows }) => sum + rows * width * 8, 0);
  }

  function opened(file: string): number | undefined {
    try {
      const found = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
      if (isRead(found)) return found;
      closeSync(found);
      rmSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return undefined;
    }
    try {
      const made = openSync(file, "wx+", 0o600);
      writeSync(made, headerBytes());
      for (const [index, { cells }] of tiers.entries())
        writeSync(made, bytesOf(cells), 0, cells.byteLength, placeOf(index));
      return made;
    } catch {
      return undefined;
    }
  }

  function isRead(file: number): boolean {
    const bytes = Buffer.alloc(HEADER_BYTES);
    readSync(file, bytes, 0, HEADER_BYTES, 0);
    const read = headerSchema.safeParse(jsonOf(bytes.toString("utf8").replace(/\0+$/, "")));
    const isOurs = read.success && read.data.columns.join() === columns.join();
    if (!isOurs || fstatSync(file).size !== placeOf(TIERS.length)) return false;
    header = read.data;
    for (const [index, tier] of tiers.entries()) {
      readSync(file, bytesOf(tier.cells), 0, tier.cells.byteLength, placeOf(index));
      for (let row = 0; row < tier.rows; row++) {
        const at = tier.cells[row * width] ?? 0;
        if (at !== 0 && Math.floor(at / tier.everyMs) % tier.rows !== row) return emptied();
        tier.last = Math.max(tier.last, at);
        if (at !== 0) first = Math.min(first, at);
      }
    }
    return true;
  }

  function emptied(): false {
    header = { version: VERSION, columns: [...columns], events: [] };
    first = Number.POSITIVE_INFINITY;
    for (const tier of tiers) {
      tier.cells.fill(0);
      tier.last = 0;
    }
    return false;
  }

  function headerBytes(): Buffer {
    const text = Buffer.alloc(HEADER_BYTES);
    text.write(JSON.stringify(header));
    return text;
  }

  function put(bytes: Uint8Array, at: number): void {
    try {
      if (fd !== undefined) writeSync(fd, bytes, 0, bytes.byteLength, at);
    } catch {
      fd = undefined;
    }
  }

  /** A row has its place by its time, so a file that was cut in the middle of a row loses that row only. */
  function add(at: number, values: readonly (number | undefined)[]): void {
    for (const [index, tier] of tiers.entries()) {
      const span = Math.floor(at / tier.everyMs);
      const start = (span % tier.rows) * width;
      // The first of a span stays, so neither the journal nor a clock that was set back changes what is known.
      if (span <= Math.floor((tier.cells[start] as number) / tier.everyMs)) continue;
      tier.last = Math.max(tier.last, at);
      tier.cells.set([at, ...values.map((value) => value ?? Number.NaN)], start);
      put(bytesOf(tier.cells.subarray(start, start + width)), placeOf(index) + start * 8);
    }
  }

  /** The finest tier that reaches back to `from`, the last row of each of so many steps; `null` is unknown. */
  function rows(from: number, to: number, of: readonly string[], most: number): Rows {
    const tier = tiers.find(({ everyMs, rows: count, last }) => from >= last - everyMs * count) ?? tiers.at(-1);
    if (tier === undefined) return { time: [], columns: [] };
    const found: number[] = [];
    for (let row = 0; row < tier.rows; row++) {
      const at = tier.cells[row * width] as number;
      if (at >= from && at <= to && at > 0) found.push(row);
    }
    found.sort((one, other) => (tier.cells[one * width] as number) - (tier.cells[other * width] as number));
    // By the time that was asked for and not by the number of rows, which would choose others each second.
    const spanMs = Math.min(to, tier.last) - Math.max(from, tier.last - tier.everyMs * tier.rows);
    const stepMs = Math.max(1, Math.ceil(spanMs / most / tier.everyMs)) * tier.everyMs;
    const stepOf = (row: number | undefined) =>
      row === undefined ? undefined : Math.floor((tier.cells[row * width] as number) / stepMs);
    const kept = found.filter((row, index) => stepOf(row) !== stepOf(found[index + 1]));
    const column = (offset: number): (number | null)[] =>
      kept.map((row) => {
        const value = tier.cells[row * width + offset] as number;
        return Number.isFinite(value) ? Number(value.toPrecision(10)) : null;
      });
    return {
      time: kept.map((row) => Math.round(tier.cells[row * width] as number) / 1_000),
      columns: of.map((name) => (columns.includes(name) ? column(columns.indexOf(name) + 1) : kept.map(() => null))),
    };
  }

  return {
    add,
    rows,
    get base() {
      return header.base;
    },
    keepBase(base: Header["base"]) {
      if (base === undefined || JSON.stringify(base) === JSON.stringify(header.base)) return;
      header = { ...header, base };
      put(headerBytes(), 0);
    },
    get events() {
      return header.events;
    },
    mark(at: number, kind: Header["events"][number][1]) {
      if (header.events.some((one) => one[0] === at && one[1] === kind)) return;
      header = { ...header, events: [...header.events, [at, kind] satisfies [number, string]].slice(-EVENTS_MAX) };
      put(headerBytes(), 0);
    },
    /** The time of the oldest row of the file that was opened. */
    get first() {
      return first;
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
