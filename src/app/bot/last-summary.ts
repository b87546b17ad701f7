// The end of the last daily summary, in a small file next to the journal: the next process continues from there.

import type { KeptText } from "../../watch/notices/notice.ts";
import { readSmall, writeDurably } from "../kill-switch/durable-text.ts";

export function summaryPath(journalPath: string): string {
  return `${journalPath}.summary`;
}

/** A file that cannot be read or written costs the next summary its beginning, and nothing else. */
export function summaryMemory(journalPath: string, say: (text: string) => void): KeptText {
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
