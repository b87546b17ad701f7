// Warns of files that decide over real money and that other users of this machine can change: the configuration has the
// limits, and the strategy is code. Keys, tokens and journals that others can read are refused, and so is a live journal
// in a folder that others can write to; on paper that folder is warned about.

import { dirname, resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import { isStrategyFile } from "../../config/section/strategy.ts";
import { whyOpenToOthers } from "../../disk/open-to-others.ts";
import { usageFailure } from "../../domain/command-failure.ts";

export function openToOthers({ mode, strategy, journal }: Config, configFile: string): readonly string[] {
  const files = [resolve(configFile), ...(isStrategyFile(strategy.use) ? [strategy.use] : [])];
  const folder = dirname(journal.path);
  const paths = new Set([...(mode !== "paper" ? files.flatMap((file) => [file, dirname(file)]) : []), folder]);
  return [...paths].flatMap((path) => {
    const why = whyOpenToOthers(path, path !== folder);
    return why === undefined ? [] : [`${path} ${why}: it decides what the bot does, and within which limits`];
  });
}

type Place = Pick<Config, "mode"> & { readonly journal: Pick<Config["journal"], "path"> };

/** Others could put a file in the place of one of ours, in a folder like /tmp too. */
export function requireOwnFolder({ mode, journal }: Place): void {
  const folder = dirname(journal.path);
  const why = mode !== "paper" ? whyOpenToOthers(folder) : undefined;
  if (why !== undefined)
    throw usageFailure(
      `${mode} mode needs a journal in a folder of this user alone, and ${folder} ${why}`,
      `chmod go-w ${folder} and chown it, or name another place in journal.path`,
    );
}
