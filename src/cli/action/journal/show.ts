// `journal show`: one record with everything in it.

import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { plainOf } from "./list.ts";
import { readable, withReader } from "./open-reader.ts";

export function showRecord(shell: Shell, sequence: number): ExitCode {
  return withReader(shell, (reader) => {
    const stored = readable(reader.one(sequence));
    if (stored === undefined)
      throw new CommandFailure(exitCode.usage, `record must be from 1 to ${reader.head().sequence}, was ${sequence}`);
    shell.terminal.json(plainOf(stored));
    return exitCode.done;
  });
}
