// Cold start of the command line against that of an empty script on the same runtime: medians of interleaved runs, so
// that a busy machine slows both alike. Prints ratios; there is no pass or fail.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const RUNS = 15;
const folder = mkdtempSync(join(tmpdir(), "pegbot-bench-"));
const empty = join(folder, "empty.ts");
writeFileSync(empty, "export {};\n");

const cases: Readonly<Record<string, readonly string[]>> = {
  "empty script": ["bin/pegbot.js", empty],
  "pegbot --version": ["bin/pegbot.js", "--version"],
  "pegbot --help": ["bin/pegbot.js", "--help"],
};
const millis = new Map(Object.keys(cases).map((name): [string, number[]] => [name, []]));

try {
  for (let run = 0; run < RUNS; run += 1) {
    for (const [name, args] of Object.entries(cases)) millis.get(name)?.push(timed(args));
  }
} finally {
  rmSync(folder, { recursive: true });
}

const base = median(millis.get("empty script") ?? []);
process.stdout.write(`cold start, median of ${RUNS} interleaved runs on Node ${process.versions.node}\n`);
for (const [name, runs] of millis) {
  const typical = median(runs);
  process.stdout.write(
    `${name.padEnd(18)}${typical.toFixed(1).padStart(8)} ms${(typical / base).toFixed(2).padStart(8)} x\n`,
  );
}

function timed(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} must exit with 0, was ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
