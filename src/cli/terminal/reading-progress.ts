// The progress of reading files, by their bytes.

import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { printable } from "../../domain/outside-text.ts";
import type { Shell } from "../shell.ts";
import { openProgress, type Progress } from "./progress.ts";

const MIB = 2 ** 20;

export function readingProgress({ terminal, clock }: Shell, path: string, more: readonly string[] = []): Progress {
  const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
  return openProgress(terminal, clock, {
    what: `reading ${printable(basename(path), 60)}${more.length === 0 ? "" : ` and ${more.length} more`}`,
    total: [path, ...more].reduce((sum, file) => sum + sizeOf(file), 0),
    rateText: (bytes) => `${(bytes / MIB).toFixed(0)} MiB/s`,
  });
}
