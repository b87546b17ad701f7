// Resumes and is killed when the kill file is gone and the journal has not heard of it yet, as a power cut or `kill -9` would.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { killFilePath } from "../../../src/app/kill-switch/kill-file.ts";
import { resume } from "../../../src/cli/command/resume.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

const [configFile = "", journal = ""] = process.argv.slice(2);
const { rmSync } = fs;
fs.rmSync = (path, options) => {
  rmSync(path, options);
  if (path === killFilePath(journal)) process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
await resume(recordedShell({ configFile }), { reason: "looked at it", yes: true });
