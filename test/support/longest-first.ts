// Which test files begin first. Where Vitest knows no times of an earlier run (a fresh checkout) it goes by size, and some that
// take longest are short to read: one that begins last ends alone, on a machine that waits for it.

/**
 * Longest first, by the report of a whole run; a place that is wrong by some costs nothing. Those that compute stand among those
 * that wait for processes: neither would fill the cores by itself.
 */
export const LONGEST: readonly string[] = [
  "test/cli/person-commands.test.ts",
  "test/simulation/defaults.test.ts",
  "test/cli/stop-trading.test.ts",
  "test/backtest/check/check-strategy.test.ts",
  "test/app/bot/run.test.ts",
  "test/simulation/net/net.test.ts",
  "test/cli/journal-trouble.test.ts",
  "test/app/bot/start.test.ts",
  "test/backtest/search/run-trials.test.ts",
  "test/process/launcher.test.ts",
  "test/cli/sweep.test.ts",
  "test/backtest/search/luck.test.ts",
  "test/cli/live-process.test.ts",
  "test/simulation/campaign.test.ts",
  "test/cli/mint-process.test.ts",
  "test/backtest/report/browser.test.ts",
  "test/cli/backtest.test.ts",
  "test/strategy/guide.test.ts",
  "test/watch/dashboard/browser.test.ts",
  "test/app/bot/limits-reload.test.ts",
  "test/treasury/rail-use.test.ts",
  "test/backtest/bad-days.test.ts",
  "test/cli/sweep-queue.test.ts",
  "test/treasury/swarm.test.ts",
  "test/build.test.ts",
  "test/exchange/processes/chaos.test.ts",
  "test/simulation/model/model.test.ts",
  "test/contract/contract.test.ts",
  "test/simulator/conservation.test.ts",
  "test/config/misspelling.test.ts",
  "test/cli/program.test.ts",
  "test/ops/watched-run.test.ts",
  "test/readme.test.ts",
  "test/treasury/mint.test.ts",
  "test/process/watchdog.test.ts",
  "test/treasury/propose.test.ts",
  "test/cli/doctor-signatures.test.ts",
  "test/cli/paused-process.test.ts",
  "test/cli/walk-forward.test.ts",
  "test/backtest/data/fuzz.test.ts",
  "test/ops/rules.test.ts",
  "test/exchange/processes/one-key.test.ts",
  "test/backtest/same-hash.test.ts",
  "test/simulator/exchange.test.ts",
  "test/backtest/replay/rows.test.ts",
  "test/cli/backtest-check.test.ts",
  "test/exchange/sign-simulator.test.ts",
  "test/exchange/key-canary.test.ts",
  "test/execution/random-lives.test.ts",
];

/** The listed ones in their order, then the rest as it was. */
export function inOrder<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const placeOf = (file: T): number => {
    const place = LONGEST.findIndex((path) => pathOf(file).endsWith(`/${path}`));
    return place < 0 ? LONGEST.length : place;
  };
  return files.toSorted((one, other) => placeOf(one) - placeOf(other));
}
