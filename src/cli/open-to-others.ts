// What decides over real money and can be changed by other users of this machine: the configuration has the limits, the strategy is
// code, and in the journal's folder files can be put in the place of others. Keys and tokens are refused where others can
// read them; this is said.

import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import { isStrategyFile } from "../config/section/strategy.ts";

const OTHERS_WRITE = 0o002;
/** Others may put files into such a folder, and not touch those that are there. */
const STICKY = 0o1000;
const ROOT = 0;

export function openToOthers({ mode, strategy, journal }: Config, configFile: string): readonly string[] {
  if (mode !== "live" || process.platform === "win32") return [];
  const files = [resolve(configFile), ...(isStrategyFile(strategy.use) ? [strategy.use] : [])];
  const paths = new Set([...files.flatMap((file) => [file, dirname(file)]), dirname(journal.path)]);
  return [...paths].flatMap((path) => {
    const why = whyOpen(path);
    return why === undefined
      ? []
      : [`${path} ${why}: whoever changes it decides what the bot does, and within which limits`];
  });
}

function whyOpen(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !(found.isFile() || found.isDirectory())) return undefined;
  const { mode, uid } = found;
  if ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0)
    return `can be changed by every user of this machine (mode ${(mode & 0o7777).toString(8).padStart(4, "0")})`;
  return uid === ROOT || uid === process.geteuid?.() ? undefined : `belongs to another user (id ${uid})`;
}
