// Which test files begin first. Where Vitest knows no times of an earlier run (a fresh checkout) it goes by size, and some that
// take longest are short to read: one that begins last ends alone, on a machine that waits for it.

/**
 * Longest first, by the report of a whole run; a place that is wrong by some costs nothing. Those that compute stand among those
 * that wait for processes: neither would fill the cores by itself.
 */
const LONGEST: readonly string[] = [
  "test/pages.test.ts",
  "test/backtest/check/check-strategy.test.ts",
  "test/cli/person-commands.test.ts",
  "test/cli/live-process.test.ts",
  "test/app/owner/owner.test.ts",
  "test/watch/dashboard/browser.test.ts",
  "test/cli/stop-trading.test.ts",
  "test/contract/three-strangers.test.ts",
  "test/process/watchdog.test.ts",
  "test/treasury/close-payment.test.ts",
  "test/app/bot/start.test.ts",
  "test/app/bot/run.test.ts",
  "test/simulator/conservation.test.ts",
  "test/strategy/guide.test.ts",
  "test/simulation/net/net.test.ts",
  "test/process/launcher.test.ts",
  "test/cli/journal-trouble.test.ts",
  "test/config/misspelling.test.ts",
  "test/cli/mint-process.test.ts",
  "test/cli/only-look.test.ts",
  "test/app/bot/limits-reload.test.ts",
  "test/cli/rehearse.test.ts",
  "test/contract/contract.test.ts",
  "test/backtest/search/run-trials.test.ts",
  "test/simulator/server-state.test.ts",
  "test/cli/backtest.test.ts",
  "test/cli/sweep.test.ts",
  "test/backtest/scenario.test.ts",
  "test/backtest/bad-days.test.ts",
  "test/bot/snapshot.test.ts",
  "test/exchange/processes/chaos.test.ts",
  "test/watch/notices/run.test.ts",
  "test/simulation/campaign.test.ts",
  "test/treasury/mint.test.ts",
  "test/cli/backtest-check.test.ts",
];

/** The listed ones in their order, then the rest as it was. */
export function inOrder<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const placeOf = (file: T): number => {
    const place = LONGEST.findIndex((path) => pathOf(file).endsWith(`/${path}`));
    return place < 0 ? LONGEST.length : place;
  };
  return files.toSorted((one, other) => placeOf(one) - placeOf(other));
}
