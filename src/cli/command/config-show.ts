// `config show|schema`: the configuration in force, and the schema.

import type { Command } from "commander";
import { requireConfig } from "../../app/config/load-config.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { configDescription } from "../../config/description.ts";
import { showConfig } from "../../config/show.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";

export function defineShow(command: Command, run: Run): void {
  command.action(() => run(showConfiguration));
}

export function defineSchema(command: Command, run: Run): void {
  command.action(() => run(showSchema));
}

const LINE_MAX = 5000;

function showConfiguration(shell: Shell): ExitCode {
  const { config, origins, lines } = showConfig(requireConfig(shell), shell.configFile);
  if (shell.terminal.wantsJson) shell.terminal.json({ file: shell.configFile, config, origins });
  else for (const line of lines) shell.terminal.print(printable(line, LINE_MAX));
  return exitCode.done;
}

function showSchema({ terminal }: Shell): ExitCode {
  terminal.json(configDescription());
  return exitCode.done;
}
