// Parquet files, one row group at a time, by a thread: in some damaged pages the library counts without end.

import { statSync } from "node:fs";
import type { DecodedArray, SchemaElement } from "hyparquet";
import { ReadingThread } from "../input/reading-thread.ts";
import type { Format, Input } from "./format.ts";
import type { Opened } from "./parquet-thread.ts";
import { ClockTime, refuseType, typedRows } from "./typed.ts";

export const parquet: Format = {
  name: "parquet",
  title: "Parquet with the columns of csv",
  unit: "row",
  zone: "declared",
  halfSpread: "none",
  takes: ["timeUnit", "sizeTimes", "intervalMs"],
  async read(input) {
    if (statSync(input.path).size === 0) input.log.refuse("empty", "the file is empty");
    const thread = new ReadingThread(new URL("./parquet-thread.ts", import.meta.url), input, "Parquet");
    try {
      await readGroups(input, thread);
    } finally {
      await thread.end();
    }
  },
};

async function readGroups(input: Input, thread: ReadingThread): Promise<void> {
  const { schema, ranges } = await thread.answer<Opened>();
  const leaves = ownColumns(schema);
  const rows = typedRows(
    input,
    leaves.map(({ name }) => name),
  );
  const decimal = leaves.find((leaf) => isDecimal(leaf) && rows.names.includes(leaf.name));
  if (decimal !== undefined) refuseType(decimal.name, input.log);
  const clocks = new Set(leaves.filter(isClock).map(({ name }) => name));
  for (const { rowStart, rowEnd } of ranges) {
    const cells = [];
    for (const column of rows.names) {
      const values = await thread.answer<DecodedArray>({ column, rowStart, rowEnd });
      const isOfClock = clocks.has(column);
      cells.push((row: number): unknown => (isOfClock ? clockTime(values[row]) : values[row]));
    }
    rows.add(cells, rowEnd - rowStart);
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

/** The library multiplies decimals by 0.00001 and the like, which is off in the last digit. */
function isDecimal({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === "DECIMAL" || logical_type?.type === "DECIMAL";
}

/**
 * Times without a zone: timestamps marked so, days, and the old 96-bit type, which some programs write in UTC and
 * others do not.
 */
function isClock({ type, converted_type, logical_type }: SchemaElement): boolean {
  if (logical_type?.type === "TIMESTAMP") return !logical_type.isAdjustedToUTC;
  return type === "INT96" || converted_type === "DATE" || logical_type?.type === "DATE";
}

function clockTime(cell: unknown): unknown {
  return cell instanceof Date ? new ClockTime(cell.getTime()) : cell;
}
