// What `start` runs with: every default, and nothing from the environment.

import { parseConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { unwrap } from "../domain/result.ts";
import { CONFIG_FILE } from "./shell.ts";

export function startConfig(): Config {
  return unwrap(parseConfig("", CONFIG_FILE, {})).config;
}
