// How tests run: files that start programs in a process each, the others in a few that they share; one line per file in the
// report. Fixtures are data, not tests. What runs is the suite or the campaigns, and every test file is part of exactly one of
// them: `npm test` runs both.

import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { inOrder } from "./test/support/longest-first.ts";
import { needsOwnProcess } from "./test/support/own-process.ts";
import { TEST_MS_MAX, WAIT_MS_MAX } from "./test/support/patience.ts";

/** Whole processes on a scaled clock: a machine that stands still for a moment stands still for seconds there. */
const CAMPAIGNS = ["test/simulation/chaos/**/*.test.ts"];
// biome-ignore lint/style/noProcessEnv: scripts/campaign.ts says so, and no test reads it
const isCampaign = process.env.PEGBOT_CAMPAIGNS !== undefined;

const WATCH = "test/support/canary-watch.ts";
const cwd = import.meta.dirname;
const files = isCampaign
  ? globSync(CAMPAIGNS, { cwd })
  : globSync("test/**/*.test.ts", { cwd, exclude: ["test/fixture/**", ...CAMPAIGNS] });
const alone = files.filter((file) => isCampaign || needsOwnProcess(readFileSync(join(cwd, file), "utf8")));
const together = files.filter((file) => !alone.includes(file));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(await super.sort(files), ({ moduleId }) => moduleId);
  }
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "alone", include: alone, setupFiles: WATCH } },
      {
        extends: true,
        test: {
          name: "together",
          include: together,
          isolate: false,
          setupFiles: [WATCH, "test/support/left-as-found.ts"],
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    // The last one is ended first: it searches the folder that the first one removes.
    globalSetup: ["test/support/temporary.ts", "test/support/compiled.ts", "test/support/canary.ts"],
    pool: "forks",
    // Nothing beside a campaign.
    fileParallelism: !isCampaign,
    // Twice the cores: what takes longest here waits for processes and for the one request a second.
    maxWorkers: 2 * availableParallelism(),
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    expect: { poll: { timeout: WAIT_MS_MAX } },
    slowTestThreshold: 10_000,
  },
});
