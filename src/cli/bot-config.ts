// The configuration of the bot that a command is about: the file's; and where there is no file of the usual name, that of
// `pegbot start` in this folder, which needs none.

import { existsSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { withEmbeddedVenue } from "./bot/paper-place.ts";
import { requireConfig } from "./load-config.ts";
import { CONFIG_FILE, type Shell } from "./shell.ts";
import { startConfig } from "./start-config.ts";

/** With key and address of the embedded simulator filled in, while it runs. */
export function botConfig(shell: Shell): Config {
  return withEmbeddedVenue(isStartOnly(shell) ? startConfig() : requireConfig(shell).config);
}

function isStartOnly({ isConfigNamed }: Shell): boolean {
  return !isConfigNamed && !existsSync(CONFIG_FILE) && existsSync(startConfig().journal.path);
}
