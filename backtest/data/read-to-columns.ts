// A file of any format as a column file: the whole of it, or nothing.

import { ColumnWriter } from "./file/write-columns.ts";
import { type Original, type Reading, readData } from "./read-data.ts";

export type Target = {
  readonly path: string;
  /** On disk before it stands under its name; not needed for what can be made again. */
  readonly isDurable: boolean;
};

export async function readToColumns(original: Original, target: Target): Promise<Reading> {
  let writer: ColumnWriter | undefined;
  try {
    const reading = await readData(original, (kind) => {
      const columns = new ColumnWriter(target.path, kind, target.isDurable);
      writer = columns;
      return (rows, count) => columns.write(rows, count);
    });
    writer?.finish(reading.subject, reading.leftOut);
    return reading;
  } catch (error) {
    writer?.abandon();
    throw error;
  }
}
