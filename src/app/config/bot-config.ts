// The configuration of the bot that a command refers to: the file's or, without a file of the usual name, that of
// `pegbot start` in this folder.

import { existsSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { isThere } from "../../disk/is-there.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { CONFIG_FILE, type Shell } from "../shell.ts";
import { requireFilePlace } from "./journal-there.ts";
import { type FlaggedSetting, requireConfig } from "./load-config.ts";
import { withEmbeddedVenue } from "./paper-place.ts";
import { startConfig } from "./start-config.ts";

/** Includes key and address of the embedded simulator while it runs. */
export function botConfig(shell: Shell): Config {
  return withEmbeddedVenue(isStartOnly(shell) ? startConfig() : fileConfig(shell));
}

/** As the bot itself reads it, for a process that may become the owner of its key. */
export function ownerConfig(shell: Shell): Config {
  return isStartOnly(shell) ? startConfig() : fileConfig(shell);
}

/** `flagged` overrides settings of the file. */
export function fileConfig(shell: Shell, flagged?: readonly FlaggedSetting[]): Config {
  const { config } = requireConfig(shell, flagged);
  requireFilePlace(config.journal.path);
  return config;
}

/** `start` was used in this folder, and there is no configuration file. */
export function isStartOnly({ isConfigNamed }: Shell): boolean {
  return !isConfigNamed && !existsSync(CONFIG_FILE) && hasStarted(startConfig().journal.path);
}

function hasStarted(path: string): boolean {
  try {
    return isThere(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageFailure(
      `${path} cannot be looked at (${code}), and there is no ${CONFIG_FILE} here`,
      "where a bot was started in this folder, do this as the user whom it runs as; otherwise --config names a configuration",
    );
  }
}
