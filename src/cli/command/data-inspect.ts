// `data inspect`: the content of a column file, or of a folder of them.

import type { Command } from "commander";
import { summaryOf } from "../../../backtest/data/summary.ts";
import { openDataFiles, printSummary } from "../../app/data/data-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";

export function defineInspect(command: Command, run: Run): void {
  command
    .argument("<path>", "a .columns file, or a folder of them")
    .action((path: string) => run(async (shell) => inspect(shell, path)));
}

function inspect(shell: Shell, path: string): ExitCode {
  const { terminal } = shell;
  const opened = openDataFiles(shell, path);
  if (terminal.wantsJson)
    terminal.json(opened.map((file) => ({ file: file.path, sha256: file.digest, ...summaryOf(file.source) })));
  else
    for (const [i, { path: file, digest, manifest, source }] of opened.entries()) {
      if (i > 0) terminal.print();
      printSummary(terminal, file, digest, summaryOf(source));
      if (manifest?.source.kind === "import")
        terminal.print(`origin      ${manifest.source.origin}, licence: ${manifest.source.licence}`);
      if (manifest?.source.kind === "generated") terminal.print(`origin      generated, seed ${manifest.source.seed}`);
    }
  return exitCode.done;
}
