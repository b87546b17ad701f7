// Warns of files that decide over real money and that other users of this machine can change: the configuration has the
// limits, the strategy is code, and files in the journal's folder can be replaced. Keys and tokens that others can read
// are refused; these are only reported.

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
