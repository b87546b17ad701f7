// Reads the configured journal for a check that is not about the journal: if there is none or it cannot be read, it
// reports nothing. `journal verify` reports that, and a start refuses it.

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

/** Why a bot with limits in this currency does not start on this journal, and the remedy. */
export function inOtherCurrency(path: string, currency: string): ReturnType<typeof otherCurrency> {
  return peekJournal(path, (reader) => {
    const mark = reader.firstMark();
    return mark && otherCurrency(mark.asset, currency);
  });
}
