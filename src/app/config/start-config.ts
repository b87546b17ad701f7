// What `start` runs with: every default, and nothing from the environment. No file is read, so nothing that reads one is loaded.

import { dirname, resolve } from "node:path";
import { absolutePaths } from "../../config/absolute-paths.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { CONFIG_FILE } from "../shell.ts";

export function startConfig(): Config {
  return absolutePaths(configSchema.parse({}), dirname(resolve(CONFIG_FILE)));
}
