// `npm run campaign [NAME [ARGS ...]]`: one long campaign; without a name the tests of whole processes on a scaled clock, one file after
// the other and nothing next to them, which are the second half of `npm test` (vitest.config.ts says which files).

import { spawn } from "node:child_process";

type Campaign = {
  readonly about: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const VITEST = ["node_modules/vitest/vitest.mjs", "run"];
/** On a scaled clock, alone. */
const ALONE = { PEGBOT_CAMPAIGNS: "1" };
const FUZZED = [
  "watch/dashboard/fuzz-http",
  "market/feed/fuzz-socket",
  "backtest/data/fuzz",
  "exchange/fuzz-answers",
  "exchange/one-meaning",
  "domain/money/fractions",
];

const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  answers: {
    about: "200,000 damaged answers against the readers [SEED [COUNT [CALL]]]",
    args: ["scripts/campaign/answers.ts"],
  },
  blind: {
    about: "fill chances and profit of blind-taker on six markets [DAYS [SEED [TRUTH]]]",
    args: ["scripts/campaign/blind.ts"],
  },
  chaos: {
    about: "500 kills of a bot next to a faulty venue (PEGBOT_KILLS)",
    args: [...VITEST, "test/simulation/chaos/chaos.test.ts"],
    env: { ...ALONE, PEGBOT_KILLS: "500" },
  },
  conversions: {
    about: "50 drawn conversions on the calibrated market, against the single routes (PEGBOT_TASKS, PEGBOT_SEED)",
    args: [...VITEST, "--testTimeout=14400000", "test/treasury/convert-judged.test.ts"],
    env: { PEGBOT_TASKS: "50", PEGBOT_SEED: "5310" },
  },
  "disk-faults": {
    about: "30 lives with failing writes (PEGBOT_DISK_FAULTS)",
    args: [...VITEST, "test/simulation/chaos/disk-fault.test.ts"],
    env: { ...ALONE, PEGBOT_DISK_FAULTS: "30" },
  },
  fixture: {
    about: "before a release: a journal and books that later versions must read, in test/fixture/release",
    args: ["scripts/campaign/release-fixture.ts"],
  },
  fuzz: {
    about: "10,000 damaged inputs of each kind (PEGBOT_FUZZ, PEGBOT_SEED)",
    args: [...VITEST, ...FUZZED.map((kind) => `test/${kind}.test.ts`)],
    env: { PEGBOT_FUZZ: "10000" },
  },
  loops: {
    about: "three commands in endless loops beside a bot for 60 s (PEGBOT_LOOPS_MS)",
    args: [...VITEST, "test/app/owner/loops.test.ts"],
    env: { PEGBOT_LOOPS_MS: "60000" },
  },
  mixtures: {
    about: "100 random mixtures of the profile's switches (PEGBOT_MIXTURES, PEGBOT_SEED)",
    args: [...VITEST, "test/cli/rehearse.test.ts", "-t", "random mixture"],
    env: { PEGBOT_MIXTURES: "100" },
  },
  "power-cut": {
    about: "50 power cuts (PEGBOT_CUTS)",
    args: [...VITEST, "test/simulation/chaos/power-cut.test.ts"],
    env: { ...ALONE, PEGBOT_CUTS: "50" },
  },
  reads: {
    about: "agents that read at full speed for 5 minutes cost the bot no slot (PEGBOT_READS_MS)",
    args: [...VITEST, "test/watch/agent.test.ts", "-t", "full speed"],
    env: { PEGBOT_READS_MS: "300000" },
  },
  release: {
    about:
      "the package built, installed into empty folders on Node 24 and 26, and used (--debian: the README on a bare Debian)",
    args: ["scripts/campaign/release.ts"],
  },
  trace: {
    about: "a million random events twice, and the books rebuilt [SEED [COUNT]]",
    args: ["scripts/campaign/trace.ts"],
  },
  world: {
    about: "60 lives of each kind of world [--lives N] [--kind K] [--seed N]",
    args: ["scripts/campaign/world.ts"],
  },
};

const [given = "", ...rest] = process.argv.slice(2);
const isWhole = given === "" || given.startsWith("-");
const campaign = isWhole ? { args: [...VITEST, given], env: ALONE } : CAMPAIGNS[given];
if (campaign === undefined) {
  const lines = Object.entries(CAMPAIGNS).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}\n`);
  process.stderr.write(`no campaign is called ${given}; there are\n${lines.join("")}`);
  process.exit(2);
}
const args = [...campaign.args, ...rest].filter((arg) => arg !== "");
const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...campaign.env, ...process.env } });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
