// How the suite runs: every file in a process of its own, one line per file in the report. Fixtures are data, not tests.

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Whole processes on a scaled clock need a machine of their own: `npm run test:campaigns` runs them, and nothing beside them. */
// biome-ignore lint/style/noProcessEnv: a script says so, and no test reads it
const isCampaign = process.env.PEGBOT_CAMPAIGNS !== undefined;
const CAMPAIGNS = [
  "test/simulation/chaos/**",
  "test/cli/race/**",
  "test/cli/person-commands.test.ts",
  "test/cli/journal-trouble.test.ts",
];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/fixture/**", "node_modules/**", ...(isCampaign ? [] : CAMPAIGNS)],
    pool: "forks",
    // Twice the cores: what takes longest here waits for processes and for the one request a second.
    maxWorkers: 2 * availableParallelism(),
    // These bound a hang and measure nothing: a busy machine may be ten times slower than ours.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    slowTestThreshold: 10_000,
  },
});
