// The progress of reading one file, by its bytes.

import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { printable } from "../domain/outside-text.ts";
import { openProgress, type Progress } from "./progress.ts";
import type { Shell } from "./shell.ts";

const MIB = 2 ** 20;

export function readingProgress({ terminal, clock }: Shell, path: string): Progress {
  return openProgress(terminal, clock, {
    what: `reading ${printable(basename(path), 60)}`,
    total: existsSync(path) ? statSync(path).size : 0,
    rateText: (bytes) => `${(bytes / MIB).toFixed(0)} MiB/s`,
  });
}
