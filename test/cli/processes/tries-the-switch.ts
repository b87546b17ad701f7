// Tries the kill switch again and again beside others that do the same; prints what was wrong with it.

import { testKillSwitch } from "../../../src/app/kill-switch/kill-file.ts";

const [path = "", times = "1"] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  const fault = testKillSwitch(path);
  if (fault !== undefined) process.stdout.write(`${fault}\n`);
}
