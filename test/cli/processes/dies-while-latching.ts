// Writes a kill file and is killed at the named step, as a power cut or `kill -9` would.

import { writeDurably } from "../../../src/app/system/durable-text.ts";

const [path = "", text = "", at] = process.argv.slice(2);
writeDurably(path, text, (step) => {
  if (step === at) process.kill(process.pid, "SIGKILL");
});
