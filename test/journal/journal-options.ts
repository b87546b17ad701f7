// What a journal of a test is opened with, by a writer of its own each time.

import { systemClock } from "../../src/app/system/system-clock.ts";
import type { JournalOptions } from "../../src/journal/open-journal.ts";

let writers = 0;

export function optionsOf(path: string, change: Partial<JournalOptions> = {}): JournalOptions {
  writers += 1;
  return {
    path,
    environment: "test",
    account: "0123456789abcdef",
    writer: `writer${process.pid}x${writers}`,
    codeVersion: "0.1.0",
    absent: "create",
    newChainId: () => `chain-${process.pid}-${writers}`,
    clock: systemClock,
    ...change,
    settings: { ...change.settings },
  };
}
