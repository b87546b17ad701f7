// `npm run test:processes-long`: the tests with several processes at full length and with the real time-outs, where the
// suite runs them short: 60 s of four processes, and 40 kills and stops of up to 30 s.

import { spawn } from "node:child_process";

const args = ["node_modules/vitest/vitest.mjs", "run", "test/exchange/processes", ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, PEGBOT_LONG: "1" } });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
