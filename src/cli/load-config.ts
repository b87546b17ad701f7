// The configuration of a command: loaded, or the command ends with every mistake shown.

import { type Environment, environment } from "../config/environment.ts";
import { type Loaded, loadConfig } from "../config/load.ts";
import { mistakeLine } from "../config/mistake.ts";
import { CommandFailure } from "./command-failure.ts";
import { exitCode } from "./exit-code.ts";
import type { Shell } from "./shell.ts";

export function requireConfig({ terminal, configFile }: Shell, variables: Environment = environment()): Loaded {
  const loaded = loadConfig(configFile, variables);
  if (loaded.ok) return loaded.value;
  const lines = loaded.error.map((mistake) => mistakeLine(configFile, mistake));
  if (lines.length === 1) throw new CommandFailure(exitCode.usage, lines.join());
  for (const line of lines) terminal.note(line);
  throw new CommandFailure(
    exitCode.usage,
    `the configuration has ${lines.length} mistakes`,
    "pegbot config check lists them again",
  );
}
