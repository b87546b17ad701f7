// Where the last daily summary ended: a small file beside the journal, so that the next one begins there, whichever process tells it.

import type { SummaryMemory } from "../../notice/summary.ts";
import { readSmall, writeDurably } from "../latch/durable-text.ts";

export function summaryPath(journalPath: string): string {
  return `${journalPath}.summary`;
}

/** What cannot be read or written costs the next summary its beginning, and nothing else. */
export function summaryMemory(journalPath: string, say: (text: string) => void): SummaryMemory {
  const path = summaryPath(journalPath);
  return {
    load() {
      const read = readSmall(path);
      if (!read.ok) say(`${path} cannot be read, the next summary begins now: ${read.error}`);
      return read.ok ? read.value : undefined;
    },
    save(text) {
      try {
        writeDurably(path, `${text}\n`);
      } catch (error) {
        say(`${path} cannot be written, after a restart a summary begins there: ${String(error)}`);
      }
    },
  };
}
