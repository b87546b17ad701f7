// One look into the configured journal by a check that is not about the journal: where there is none, or it cannot be read,
// nothing is said. `journal verify` looks at that, and a start refuses by itself.

import { isMachineFailure } from "../../journal/file/sqlite-failure.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import { otherCurrency } from "../../risk/other-currency.ts";

export function peekJournal<T>(path: string, look: (reader: JournalReader) => T | undefined): T | undefined {
  let reader: JournalReader | undefined;
  try {
    const opened = JournalReader.open(path);
    if (!opened.ok) return undefined;
    reader = opened.value;
    return look(reader);
  } catch (error) {
    if (isMachineFailure(error)) return undefined;
    throw error;
  } finally {
    reader?.close();
  }
}

/** Why a bot with limits in this currency does not start with it, and what to do. */
export function inOtherCurrency(path: string, currency: string): ReturnType<typeof otherCurrency> {
  return peekJournal(path, (reader) => {
    const mark = reader.firstMark();
    return mark && otherCurrency(mark.asset, currency);
  });
}
