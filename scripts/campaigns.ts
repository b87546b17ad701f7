// `npm run test:campaigns`: tests of whole processes on a scaled clock, one file after the other and nothing beside them.

import { spawn } from "node:child_process";

const files = ["test/simulation/chaos", "test/cli/race", "test/cli/person-commands", "test/cli/journal-trouble"];
const args = ["node_modules/vitest/vitest.mjs", "run", "--no-file-parallelism", ...files, ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: "inherit", env: { PEGBOT_CAMPAIGNS: "1", ...process.env } });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
