// The configuration of `start`: every default, and nothing from the environment. It reads no file, so the code that
// reads one is not loaded.

import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { absolutePaths } from "../../config/absolute-paths.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { CONFIG_FILE } from "../shell.ts";

/** `source`: of the market, if not the default one. */
export function startConfig(source?: string, paper: z.input<typeof configSchema>["paper"] = {}): Config {
  const market = source === undefined ? {} : { source };
  return absolutePaths(configSchema.parse({ market, paper }), dirname(resolve(CONFIG_FILE)));
}
