// `npm run bench:sweep [-- PAIRS RUNS HOURS]`: the same runs as `--workers 1` makes them and as `--workers 2` does, in interleaved
// pairs, processes started anew each time. Two cores must be 1.5 times one core in the median; results must be the same bytes.

import { backtestTerms } from "../backtest/options.ts";
import { openPool, runTrials } from "../backtest/search/pool.ts";
import { limitsText, type Trial } from "../backtest/search/trial.ts";
import { resultText } from "../backtest/search/trial-result.ts";
import { millis } from "../src/domain/time.ts";
import { paperLimits } from "../src/risk/paper-limits.ts";
import { DEMO_MARKET } from "../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../src/simulator/market/reference.ts";

/** Two hundred runs of a day: a small one of what people ask for. The smaller, the more a start weighs. */
const [PAIRS = 7, RUNS = 200, HOURS = 24] = process.argv.slice(2).map(Number);
const TIMES_MIN = 1.5;
const START = millis(Date.UTC(2026, 0, 5));

const trials: readonly Trial[] = Array.from({ length: RUNS }, (_, i) => ({
  strategy: { kind: "built-in", name: "peg-arbitrage" },
  params: { edgeBps: i % 8, skewBps: i >> 3 },
  data: [],
  market: DEMO_MARKET,
  references: DEFAULT_REFERENCES,
  seed: 1,
  from: START,
  to: millis(START + HOURS * 3_600_000),
  funds: { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000" },
  terms: { ...backtestTerms, quotesMs: 30_000 },
  limits: { ...limitsText(paperLimits), referenceAgeMsMax: 45_000 },
  par: { "VCHF/CHF": 50, "VGBP/GBP": 50 },
  protocol: {},
}));

async function timed(workers: number): Promise<{ readonly ms: number; readonly table: string }> {
  const texts: string[] = [];
  const began = performance.now();
  const pool = openPool(workers, { columns: [], strategies: [], codeVersion: "bench" });
  await runTrials(trials, pool, (result, index) => {
    texts[index] = resultText(result);
  });
  const ms = performance.now() - began;
  await pool.close();
  return { ms, table: texts.join("\n") };
}

const ratios: number[] = [];
for (let pair = 1; pair <= PAIRS; pair++) {
  const [one, two] = [await timed(1), await timed(2)];
  if (one.table !== two.table) throw new Error("one process and two must give the same results");
  ratios.push(one.ms / two.ms);
  process.stdout.write(
    `${pair}  one ${(one.ms / 1_000).toFixed(2)} s  two ${(two.ms / 1_000).toFixed(2)} s  ${(one.ms / two.ms).toFixed(2)} times\n`,
  );
}
const median = [...ratios].sort((a, b) => a - b)[Math.floor(PAIRS / 2)] as number;
process.stdout.write(
  `${RUNS} runs of ${HOURS} h: two processes are ${median.toFixed(2)} times one, at least ${TIMES_MIN} is asked for\n`,
);
if (median < TIMES_MIN) process.exitCode = 1;
