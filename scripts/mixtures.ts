// `npm run test:mixtures`: 100 random mixtures of the profile's switches; doctor and rehearse find each, or name what they
// cannot know.
// PEGBOT_MIXTURES and PEGBOT_SEED choose others.

import { spawn } from "node:child_process";

const files = ["test/exchange/conformance.test.ts", "test/cli/rehearse.test.ts"];
const args = ["node_modules/vitest/vitest.mjs", "run", ...files, "-t", "random mixture"];
const child = spawn(process.execPath, args, { stdio: "inherit", env: { PEGBOT_MIXTURES: "100", ...process.env } });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
