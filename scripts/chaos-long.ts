// `npm run test:chaos-long`: the chaos campaigns at full length, 500 kills of the bot, four campaigns side by side.

import { spawn } from "node:child_process";

const args = ["node_modules/vitest/vitest.mjs", "run", "test/simulation/chaos/chaos.test.ts", ...process.argv.slice(2)];
const child = spawn(process.execPath, args, {
  stdio: "inherit",
  env: { PEGBOT_CAMPAIGNS: "1", PEGBOT_KILLS: "500", ...process.env },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
