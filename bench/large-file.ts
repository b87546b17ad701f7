// A file too large to hold: quotes streamed through the engine, with the peak memory of the process that does it. The first
// run reads the text and fills the cache, the second comes from there: `npm run bench:large-file [-- QUOTES]`.

import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openData } from "../backtest/data/open-data.ts";
import type { QuoteSource } from "../backtest/data/source.ts";
import type { PairSymbol } from "../src/domain/asset.ts";
import { createRandom } from "../src/domain/random.ts";
import { defineStrategy, ema, z } from "../src/strategy/strategy.ts";
import { strategyBench } from "../test/support/strategy-bench.ts";
import { spokenApart } from "./apart.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;
const QUOTES = 20_000_000;
const MIB = 2 ** 20;
/** The columns alone would be 763 MiB for 20 million quotes. */
const PEAK_MIB_MAX = 400;

const quiet = defineStrategy({
  name: "quiet",
  params: z.object({}),
  state: () => ({ average: ema(1000), seen: 0 }),
  decide({ quote, state }) {
    state.average.next((quote.bid + quote.ask) / 2);
    state.seen++;
    return undefined;
  },
});

function writeQuotes(path: string, quotes: number): void {
  const random = createRandom(7);
  const file = openSync(path, "w");
  let mid = 1;
  let time = Date.UTC(2026, 0, 5);
  let text = "time,bid,ask,bidSize,askSize\n";
  for (let i = 0; i < quotes; i++) {
    mid += (1 - mid) * 0.001 + (random.next() - 0.5) * 0.00008;
    time += random.integer(1, 400);
    text += `${time},${(mid - 0.0001).toFixed(6)},${(mid + 0.0001).toFixed(6)},40000,${random.integer(1_000, 90_000)}\n`;
    if (text.length > MIB) {
      writeSync(file, text);
      text = "";
    }
  }
  writeSync(file, text);
  closeSync(file);
}

/** In a process of its own: says how many quotes the strategy saw, the time and the peak. */
async function stream(path: string, cacheFolder: string): Promise<void> {
  const from = performance.now();
  const opened = await openData(path, { cacheFolder, memory: "stream" });
  if (!opened.ok) throw new Error("the file was refused");
  const ready = performance.now();
  const balances = { CHF: "100000", VCHF: "100000" };
  const { engine } = strategyBench(quiet, { symbols: [SYMBOL], balances, settings: { views: "reused" } });
  const source = opened.value[0]?.source as QuoteSource;
  for (const chunk of source.chunks())
    for (let row = 0; row < chunk.length; ) {
      const stopped = engine.run(chunk, row, chunk.length);
      row = stopped === chunk.length ? stopped : stopped + 1;
    }
  const { seen } = engine.strategy.state as { seen: number };
  const peakMib = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    JSON.stringify({ seen, openS: (ready - from) / 1e3, runS: (performance.now() - ready) / 1e3, peakMib }),
  );
}

type Outcome = { readonly seen: number; readonly openS: number; readonly runS: number; readonly peakMib: number };

function inChild(path: string, cacheFolder: string): Outcome {
  return JSON.parse(spokenApart(import.meta.url, ["--stream", path, cacheFolder]).stdout) as Outcome;
}

function measure(quotes: number): void {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-bench-"));
  try {
    const path = join(folder, "VCHF-CHF.csv");
    writeQuotes(path, quotes);
    process.stdout.write(`file        ${quotes} quotes, ${(statSync(path).size / MIB).toFixed(0)} MiB of text\n`);
    for (const name of ["first run", "second run"]) {
      const { seen, openS, runS, peakMib } = inChild(path, join(folder, "cache"));
      if (seen !== quotes) throw new Error(`the strategy must see every quote, was ${seen}`);
      const text = `opened in ${openS.toFixed(1)} s, through the engine in ${runS.toFixed(1)} s, peak ${peakMib.toFixed(0)} MiB`;
      process.stdout.write(`${name.padEnd(12)}${text} (at most ${PEAK_MIB_MAX})\n`);
      if (peakMib > PEAK_MIB_MAX) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [mode, path, cacheFolder] = process.argv.slice(2);
if (mode === "--stream" && path !== undefined && cacheFolder !== undefined) await stream(path, cacheFolder);
else measure(mode === undefined ? QUOTES : Number(mode));
