// `npm run test:campaigns`: tests of whole processes on a scaled clock, one file after the other and nothing beside them. They
// are the second half of `npm test`; which files they are is in vitest.config.ts.

import { spawn } from "node:child_process";

const args = ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, PEGBOT_CAMPAIGNS: "1" } });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
