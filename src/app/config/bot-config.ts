// The configuration of the bot that a command is about: the file's; and where there is no file of the usual name, that of
// `pegbot start` in this folder, which needs none.

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { absolutePaths } from "../../config/absolute-paths.ts";
import { type Environment, environment } from "../../config/environment.ts";
import { type Loaded, loadConfig } from "../../config/load.ts";
import { mistakeLine } from "../../config/mistake.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { isThere } from "../../disk/is-there.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { requireFilePlace } from "../journal/journal-there.ts";
import { withEmbeddedVenue } from "../paper/paper-place.ts";
import { CONFIG_FILE, type Shell } from "../shell.ts";

/** With key and address of the embedded simulator filled in, while it runs. */
export function botConfig(shell: Shell): Config {
  return withEmbeddedVenue(isStartOnly(shell) ? startConfig() : fileConfig(shell));
}

/** What a bot or a command is to work with. `flagged`: beside the file. */
export function fileConfig(shell: Shell, flagged?: FlaggedSetting): Config {
  const { config } = requireConfig(shell, flagged);
  requireFilePlace(config.journal.path);
  return config;
}

/** `start` was used here, and nothing else is configured. */
export function isStartOnly({ isConfigNamed }: Shell): boolean {
  return !isConfigNamed && !existsSync(CONFIG_FILE) && hasStarted(startConfig().journal.path);
}

function hasStarted(path: string): boolean {
  try {
    return isThere(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      exitCode.usage,
      `${path} cannot be looked at (${code}), and there is no ${CONFIG_FILE} here`,
      "where a bot was started in this folder, do this as the user whom it runs as; otherwise --config names a configuration",
    );
  }
}

// What `start` runs with: every default, and nothing from the environment. No file is read, so nothing that reads one is loaded.

export function startConfig(): Config {
  return absolutePaths(configSchema.parse({}), dirname(resolve(CONFIG_FILE)));
}

// The configuration of a command: loaded, or the command ends with every mistake shown.

/** A flag that stands for a setting, by the variable of the same meaning: mistakes name what was typed. */
type FlaggedSetting = { readonly flag: string; readonly variable: string; readonly value: string };

export function requireConfig({ terminal, configFile }: Shell, flagged?: FlaggedSetting): Loaded {
  const loaded = loadConfig(configFile, withFlag(environment(), flagged));
  if (loaded.ok) return loaded.value;
  const lines = loaded.error.map((mistake) =>
    flagged !== undefined && mistake.variable === flagged.variable
      ? mistakeLine(configFile, { ...mistake, variable: `${flagged.flag} ${flagged.value}` })
      : mistakeLine(configFile, mistake),
  );
  if (lines.length === 1) throw new CommandFailure(exitCode.usage, lines.join());
  for (const line of lines) terminal.note(line);
  throw new CommandFailure(
    exitCode.usage,
    `the configuration has ${lines.length} mistakes`,
    flagged === undefined ? "pegbot config check lists them again" : undefined,
  );
}

function withFlag(variables: Environment, flagged: FlaggedSetting | undefined): Environment {
  return flagged === undefined ? variables : { ...variables, [flagged.variable]: flagged.value };
}
