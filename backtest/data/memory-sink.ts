// Rows of unknown number in shared memory: blocks are kept as they come and laid end to end once their number is known.

import { createColumn } from "../../src/market/column.ts";
import type { Sink } from "./intake.ts";
import type { Columns, Subject } from "./kind.ts";
import { type DataSource, memorySource, type UnmetHoldings } from "./source.ts";

export function memorySink(): { readonly sink: Sink; source(subject: Subject, leftOut: UnmetHoldings): DataSource } {
  const blocks: Columns[] = [];
  let rows = 0;
  return {
    sink(columns, count) {
      blocks.push(columns.map((column) => column.slice(0, count)));
      rows += count;
    },
    source(subject, leftOut) {
      const width = blocks[0]?.length ?? 0;
      const whole = Array.from({ length: width }, () => createColumn(rows, "shared"));
      for (const [c, column] of whole.entries()) {
        let at = 0;
        for (const block of blocks) {
          const part = block[c] as Float64Array;
          column.set(part, at);
          at += part.length;
        }
      }
      return memorySource(subject, whole, leftOut);
    },
  };
}
