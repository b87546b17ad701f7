// `journal list`: the newest records, oldest of them first.

import type { StoredEntry } from "../../../journal/journal-reader.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { readable, withReader } from "./open-reader.ts";
import { summaryOf } from "./summary.ts";

export type ListOptions = { readonly last: number; readonly json?: boolean };

export function listJournal(shell: Shell, { last, json = false }: ListOptions): ExitCode {
  const rows = withReader(shell, (reader) => {
    const newest: StoredEntry[] = [];
    for (const read of reader.after(Math.max(0, reader.head().sequence - last))) newest.push(readable(read));
    return newest;
  });
  if (json) shell.terminal.json(rows.map(plainOf));
  else
    shell.terminal.table(
      [{ title: "sequence", align: "right" }, { title: "at" }, { title: "kind" }, { title: "what" }],
      rows.map(({ entry }) => [
        String(entry.sequence),
        new Date(entry.record.at).toISOString(),
        entry.record.kind,
        summaryOf(entry.record),
      ]),
    );
  return exitCode.done;
}

/** As stored, with its hash. */
export function plainOf({ entry, text }: StoredEntry): object {
  return { ...JSON.parse(text), hash: entry.hash };
}
