// What decides over real money and can be changed by other users of this machine: the configuration has the limits, the strategy is
// code, and in the journal's folder files can be put in the place of others. Keys and tokens are refused where others can
// read them; this is said.

import { dirname, resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import { isStrategyFile } from "../../config/section/strategy.ts";
import { whyOpenToOthers } from "../../disk/open-to-others.ts";

export function openToOthers({ mode, strategy, journal }: Config, configFile: string): readonly string[] {
  if (mode !== "live") return [];
  const files = [resolve(configFile), ...(isStrategyFile(strategy.use) ? [strategy.use] : [])];
  const paths = new Set([...files.flatMap((file) => [file, dirname(file)]), dirname(journal.path)]);
  return [...paths].flatMap((path) => {
    const why = whyOpenToOthers(path, true);
    return why === undefined
      ? []
      : [`${path} ${why}: whoever changes it decides what the bot does, and within which limits`];
  });
}
