// Parquet files, one row group at a time, by a thread: some damaged pages keep the library busy without end, or until
// memory is full.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { DecodedArray, ParquetScanColumnOptions, SchemaElement } from "hyparquet";
import { errorMessage } from "../../src/domain/error-message.ts";
import { quoted } from "../../src/domain/sanitise.ts";
import type { Opened } from "./parquet-thread.ts";
import { ClockTime, type Input, rowReader } from "./table.ts";

const GROUP_ROWS_MAX = 1 << 23;
/** A million rows of a column take less than a second. */
const ANSWER_MS_MAX = 30_000;
const HEAP_MIB_MAX = 1_024;

export async function readParquet(input: Input): Promise<void> {
  // In a package the thread's code is what was made of it.
  const code = new URL(`./parquet-thread${import.meta.filename.slice(-3)}`, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB_MAX };
  const thread = new Worker(code, { workerData: input.path, resourceLimits });
  // Also when no answer is waited for any more.
  thread.on("error", () => undefined);
  try {
    await readGroups(input, thread);
  } finally {
    await thread.terminate();
  }
}

async function readGroups(input: Input, thread: Worker): Promise<void> {
  const { schema, ranges } = await answer<Opened>(input, thread);
  const leaves = ownColumns(schema);
  const reader = rowReader(
    leaves.map(({ name }) => name),
    input,
  );
  const decimal = reader.cells.map((cell) => leaves[cell] as SchemaElement).find(isDecimal);
  // The library multiplies decimals by 0.00001 and the like, which is off in the last digit.
  if (decimal !== undefined)
    input.log.refuse("format", `column ${quoted(decimal.name)} must be float64, int64 or text, was decimal`);
  for (const { rowStart, rowEnd } of ranges) {
    if (rowEnd - rowStart > GROUP_ROWS_MAX)
      input.log.refuse(
        "format",
        `a row group must have at most ${GROUP_ROWS_MAX} rows: write it anew with smaller ones`,
      );
    const columns: { cell: number; values: DecodedArray; isClock: boolean }[] = [];
    for (const cell of new Set(reader.cells)) {
      const leaf = leaves[cell] as SchemaElement;
      const values = await answer<DecodedArray>(input, thread, { column: leaf.name, rowStart, rowEnd });
      columns.push({ cell, values, isClock: isClock(leaf) });
    }
    const cells: unknown[] = new Array(leaves.length);
    for (let row = 0; row < rowEnd - rowStart; row++) {
      for (const { cell, values, isClock: isLocal } of columns) {
        const value: unknown = values[row];
        cells[cell] = isLocal && value instanceof Date ? new ClockTime(value.getTime()) : value;
      }
      reader.take(cells, rowStart + row + 1);
    }
  }
}

/** A failure of the library is a problem of the file. */
async function answer<T>({ log }: Input, thread: Worker, question?: ParquetScanColumnOptions): Promise<T> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  if (question !== undefined) thread.postMessage(question);
  try {
    const [found] = await once(thread, "message", { signal });
    return found as T;
  } catch (error) {
    const reason = signal.aborted ? `it took longer than ${ANSWER_MS_MAX / 1_000} s` : errorMessage(error);
    return log.refuse("format", `it cannot be read as Parquet: ${reason}`);
  }
}

/** The top-level columns: the root comes first, and columns inside groups and lists are not read. */
function ownColumns(schema: readonly SchemaElement[]): SchemaElement[] {
  let inGroups = 0;
  return schema.slice(1).filter(({ num_children: children = 0 }) => {
    const isOwn = inGroups === 0;
    inGroups += children - (isOwn ? 0 : 1);
    return isOwn && children === 0;
  });
}

function isDecimal({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === "DECIMAL" || logical_type?.type === "DECIMAL";
}

/** Times without a zone: timestamps marked so, days, and the old 96-bit type, which not every program writes in UTC. */
function isClock({ type, converted_type, logical_type }: SchemaElement): boolean {
  if (logical_type?.type === "TIMESTAMP") return !logical_type.isAdjustedToUTC;
  return type === "INT96" || converted_type === "DATE" || logical_type?.type === "DATE";
}
