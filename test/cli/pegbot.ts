// Runs the command line as a user does: the launcher, in a process of its own, in an empty folder.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { searchPrinted } from "../support/canary.ts";
import { COMPILED } from "../support/compiled.ts";
import { endWithUs } from "../support/end-with-us.ts";
import { logText } from "../support/program.ts";

export const LAUNCHER = fileURLToPath(new URL("../../bin/pegbot.js", import.meta.url));

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Setting = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of the runtime itself. */
  readonly execArgv?: readonly string[];
};

export async function pegbot(args: readonly string[], setting: Setting = {}): Promise<Finished> {
  const folder = setting.cwd ?? mkdtempSync(join(tmpdir(), "pegbot-cli-"));
  try {
    return await finished(folder, args, setting);
  } finally {
    if (setting.cwd === undefined) rmSync(folder, { recursive: true });
  }
}

function finished(cwd: string, args: readonly string[], { env = {}, execArgv = [] }: Setting): Promise<Finished> {
  const child = spawn(process.execPath, [...execArgv, LAUNCHER, ...args], {
    cwd,
    env: { PATH: process.env.PATH, XDG_RUNTIME_DIR: cwd, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithUs(child, false);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      searchPrinted(stdout + stderr, `pegbot ${args.join(" ")}`);
      resolve({ code, stdout, stderr: logText(stderr) });
    });
  });
}
