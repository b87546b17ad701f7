// `npm run check`: types, lint and format, dead code and the rules of the house, every one of them even when an earlier
// one failed. With `--suite` (`npm test`) the whole suite stands in place of the rules, which are part of it, and the campaigns
// of whole processes follow it, alone. One process in front of the others, so that a signal to npm ends whatever is running
// and nothing is left behind.

import { spawn } from "node:child_process";
import { constants } from "node:os";

type Step = { readonly name: string; readonly args: readonly string[] };

const VITEST = ["bin/pegbot.js", "node_modules/vitest/vitest.mjs", "run"];
const CHECKS: readonly Step[] = [
  { name: "types", args: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"] },
  {
    name: "lint and format",
    args: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "--log-level=warn", "."],
  },
  { name: "dead code", args: ["bin/pegbot.js", "node_modules/knip/bin/knip.js", "--no-progress"] },
];
const RULES: Step = {
  name: "house rules",
  args: [
    ...VITEST,
    "--reporter=dot",
    "test/architecture.test.ts",
    "test/size.test.ts",
    "test/lock.test.ts",
    "test/hygiene.test.ts",
  ],
};
const TESTS: readonly Step[] = [
  { name: "tests", args: [...VITEST, ...reportedIn("reports/suite.json")] },
  { name: "campaigns", args: ["bin/pegbot.js", "scripts/campaign.ts", ...reportedIn("reports/campaigns.json")] },
];

const steps = [...CHECKS, ...(process.argv.includes("--suite") ? TESTS : [RULES])];
const failed: string[] = [];
for (const step of steps) if (!(await run(step))) failed.push(step.name);
if (failed.length > 0) process.stdout.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function run(step: Step): Promise<boolean> {
  const { name, args } = step;
  const startedAt = performance.now();
  const child = spawn("node", args, { stdio: "inherit" });
  const stop = (signal: NodeJS.Signals) => {
    child.once("exit", () => process.exit(128 + constants.signals[signal]));
    child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      for (const signal of signals) process.off(signal, stop);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      // Tests end with the runner's own report.
      if (!TESTS.includes(step)) process.stdout.write(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)\n`);
      resolve(code === 0);
    });
  });
}

function reportedIn(file: string): readonly string[] {
  return ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
}
