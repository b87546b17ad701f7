// Loads the configuration of a command, or ends the command with every mistake shown.

import { type Environment, environment } from "../../config/environment.ts";
import { type Loaded, loadConfig } from "../../config/load.ts";
import { mistakeLine } from "../../config/mistake.ts";
import { usageFailure } from "../command-failure.ts";
import type { Shell } from "../shell.ts";

/** A flag that stands for a setting, with the equivalent environment variable; mistakes name the flag. */
export type FlaggedSetting = { readonly flag: string; readonly variable: string; readonly value: string };

export function requireConfig({ terminal, configFile }: Shell, flagged?: FlaggedSetting): Loaded {
  const loaded = loadConfig(configFile, withFlag(environment(), flagged));
  if (loaded.ok) return loaded.value;
  const lines = loaded.error.map((mistake) =>
    flagged !== undefined && mistake.variable === flagged.variable
      ? mistakeLine(configFile, { ...mistake, variable: `${flagged.flag} ${flagged.value}` })
      : mistakeLine(configFile, mistake),
  );
  if (lines.length === 1) throw usageFailure(lines.join());
  for (const line of lines) terminal.note(line);
  throw usageFailure(
    `the configuration has ${lines.length} mistakes`,
    flagged === undefined ? "pegbot config check lists them again" : undefined,
  );
}

function withFlag(variables: Environment, flagged: FlaggedSetting | undefined): Environment {
  return flagged === undefined ? variables : { ...variables, [flagged.variable]: flagged.value };
}
