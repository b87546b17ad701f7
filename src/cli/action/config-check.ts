// `config check`: here the mistakes are the result, so they go to stdout.

import { environment } from "../../config/environment.ts";
import { type Loaded, loadConfig } from "../../config/load.ts";
import { mistakeLine } from "../../config/mistake.ts";
import { printable } from "../../domain/outside-text.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

export function checkConfig({ terminal, configFile }: Shell, { json = false }: { readonly json?: boolean }): ExitCode {
  const loaded = loadConfig(configFile, environment());
  const mistakes = loaded.ok ? [] : loaded.error;
  if (json) terminal.json({ file: configFile, ok: loaded.ok, mistakes });
  else if (loaded.ok)
    terminal.print(
      `${printable(configFile)} is ${terminal.style("green", "right")}: ${printable(summary(loaded.value), 1000)}`,
    );
  else for (const mistake of mistakes) terminal.print(mistakeLine(configFile, mistake));
  return loaded.ok ? exitCode.done : exitCode.usage;
}

function summary({ config }: Loaded): string {
  const { mode, venue, strategy, risk } = config;
  const where = venue.baseUrl ?? "the embedded simulator";
  const limits = risk === undefined ? "no limits of its own" : `limits for ${risk.symbols.join(", ")}`;
  return `${mode} mode on ${where} (${venue.environment}), strategy ${strategy.use}, ${limits}`;
}
