// A whole backtest over a file too large to hold, by the commands themselves: `data generate` makes it, `backtest --data`
// takes it as the venue's prices and then as a reference feed that goes through the engine row by row, each in a process
// whose peak memory is printed: `npm run bench:large-backtest [-- DAYS]`. A day has 345,600 quotes.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spokenApart } from "./apart.ts";

/** 20,044,800 quotes. */
const DAYS = 58;
const MIB = 2 ** 20;
/** The columns alone would be 765 MiB. What grows is the record of fills, by some 2.6 KiB each. */
const PEAK_MIB_MAX = 400;

/** The program, in this process, which then says what it took. */
async function command(args: readonly string[]): Promise<void> {
  process.on("exit", () => {
    process.stderr.write(`\npeak ${Math.ceil(process.resourceUsage().maxRSS / 1024)}\n`);
  });
  process.argv.splice(2, process.argv.length, ...args);
  await import("../src/cli/main.ts");
}

type Ended = { readonly stdout: string; readonly seconds: number; readonly peakMib: number };

function run(cwd: string, ...args: string[]): Ended {
  const started = performance.now();
  const { stdout, stderr } = spokenApart(import.meta.url, ["--command", ...args], cwd);
  const peakMib = Number(/\npeak ([0-9]+)\n/.exec(stderr)?.[1]);
  return { stdout, seconds: (performance.now() - started) / 1_000, peakMib };
}

function measure(days: number): void {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-bench-"));
  const say = (name: string, { seconds, peakMib }: Ended, more: string): void => {
    process.stdout.write(
      `${name.padEnd(14)}${seconds.toFixed(0)} s, peak ${peakMib} MiB (at most ${PEAK_MIB_MAX}), ${more}\n`,
    );
    if (!(peakMib <= PEAK_MIB_MAX)) process.exitCode = 1;
  };
  try {
    const file = "VCHF-CHF.columns";
    const made = run(folder, "data", "generate", "--days", String(days), "--interval", "250ms", "--out", file);
    const rows = days * 345_600;
    say("generate", made, `${rows} quotes, ${(statSync(join(folder, file)).size / MIB).toFixed(0)} MiB`);
    for (const role of ["venue", "reference"]) {
      const ended = run(
        folder,
        "backtest",
        "--data",
        file,
        "--as",
        role,
        "--market",
        "demo",
        ...(role === "venue" ? ["--synthetic-too"] : []),
      );
      if (!ended.stdout.replace(/\s+/g, " ").includes(`${rows} rows`))
        throw new Error(`not every row was opened: ${ended.stdout}`);
      const [, fills] = /fills +([0-9,]+)/.exec(ended.stdout) ?? [];
      const [, trace] = /trace +([0-9a-f]+)/.exec(ended.stdout) ?? [];
      say(`as ${role}`, ended, `${fills} fills, trace ${trace?.slice(0, 16)}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === "--command") await command(rest);
else measure(mode === undefined ? DAYS : Number(mode));
