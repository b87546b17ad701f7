// `npm run fuzz`: 10,000 damaged inputs of each kind unless PEGBOT_FUZZ says otherwise: answers of the venue, requests to the
// page, messages of a price feed, files of each format. PEGBOT_SEED repeats a run.

import { spawn } from "node:child_process";

const kinds = ["exchange/fuzz-answers", "watch/dashboard/fuzz-http", "market/feed/fuzz-socket", "backtest/data/fuzz"];
const args = ["node_modules/vitest/vitest.mjs", "run", ...kinds.map((kind) => `test/${kind}.test.ts`)];
const child = spawn(process.execPath, args, { stdio: "inherit", env: { PEGBOT_FUZZ: "10000", ...process.env } });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
