// `config show`.

import { showConfig } from "../../config/show.ts";
import { printable } from "../../domain/outside-text.ts";
import { requireConfig } from "../config/load-config.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

const LINE_MAX = 5000;

export function showConfiguration(shell: Shell, { json = false }: { readonly json?: boolean }): ExitCode {
  const { config, origins, lines } = showConfig(requireConfig(shell), shell.configFile);
  if (json) shell.terminal.json({ file: shell.configFile, config, origins });
  else for (const line of lines) shell.terminal.print(printable(line, LINE_MAX));
  return exitCode.done;
}
