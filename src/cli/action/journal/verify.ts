// `journal verify`: everything that can be checked, always from the first record.

import { EVERYTHING, inspectJournal } from "../../../journal/file/inspect.ts";
import { WAY_OUT } from "../../../journal/verdict.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { journalPath, problemLine, readingFile } from "./open-reader.ts";

export type VerifyOptions = { readonly json?: boolean; readonly journal?: string };

export function verifyJournal(shell: Shell, { json = false, journal }: VerifyOptions): ExitCode {
  const path = journalPath(shell, journal);
  const inspected = readingFile(path, () => inspectJournal(path, EVERYTHING));
  if (!inspected.ok) {
    const { kind, message, sequence } = inspected.error;
    if (json) shell.terminal.json({ path, verdict: kind, message, sequence, wayOut: WAY_OUT[kind] });
    throw new CommandFailure(exitCode.failed, problemLine(path, inspected.error), WAY_OUT[kind]);
  }
  const { head, opening } = inspected.value;
  if (json) shell.terminal.json({ path, verdict: "intact", records: head.sequence, head: head.hash, opening });
  else {
    shell.terminal.print(`journal   ${path}`);
    shell.terminal.print(`verdict   intact`);
    shell.terminal.print(`belongs   to ${opening.environment}, key ${opening.account}`);
    shell.terminal.print(`records   ${head.sequence}`);
    shell.terminal.print(`head      ${head.hash}`);
  }
  return exitCode.done;
}
