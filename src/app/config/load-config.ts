// Loads the configuration of a command, or ends the command with every mistake shown.

import { environment } from "../../config/environment.ts";
import { type Loaded, loadConfig } from "../../config/load.ts";
import { mistakeLine } from "../../config/mistake.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import type { Shell } from "../shell.ts";

/** A flag that stands for a setting, with the equivalent environment variable; mistakes name the flag. */
export type FlaggedSetting = { readonly flag: string; readonly variable: string; readonly value: string };

export function requireConfig({ terminal, configFile }: Shell, flags: readonly FlaggedSetting[] = []): Loaded {
  const flagged = Object.fromEntries(flags.map(({ variable, value }) => [variable, value]));
  const loaded = loadConfig(configFile, { ...environment(), ...flagged });
  if (loaded.ok) return loaded.value;
  const lines = loaded.error.map((mistake) => {
    const by = flags.find(({ variable }) => variable === mistake.variable);
    return mistakeLine(configFile, by === undefined ? mistake : { ...mistake, variable: `${by.flag} ${by.value}` });
  });
  if (lines.length === 1) throw usageFailure(lines.join());
  for (const line of lines) terminal.note(line);
  throw usageFailure(
    `the configuration has ${lines.length} mistakes`,
    flags.length === 0 ? "pegbot config check lists them again" : undefined,
  );
}
