// A part of a bench in a process of its own, started as the shipped commands are: through the launcher, which keeps what the
// runtime made of our sources. A process in which types were stripped stays slower.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const LAUNCHER = fileURLToPath(new URL("../bin/pegbot.js", import.meta.url));
/** Only loads, so that the next process finds every source without its types. */
const LOAD = "load";

/** How to start the bench of this address with these arguments on the present runtime. */
function apart(url: string, ...args: readonly string[]): string[] {
  return [LAUNCHER, fileURLToPath(url), ...args];
}

/** What that process says, or an error with what it complained about. */
export function spokenApart(
  url: string,
  args: readonly string[],
  cwd?: string,
): { readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, apart(url, ...args), { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return { stdout, stderr };
}

/**
 * Runs the race that the first argument names in this process; without one, each in a process of its own. A race that misses
 * what it must reach ends its process with 1, and so does the whole.
 */
export function runRaces(url: string, names: readonly string[], race: (name: string) => boolean): void {
  const [chosen] = process.argv.slice(2);
  if (chosen === LOAD) return;
  if (chosen !== undefined && names.includes(chosen)) {
    process.exitCode = race(chosen) ? 0 : 1;
    return;
  }
  const ended = [LOAD, ...names].map((name) => spawnSync(process.execPath, apart(url, name), { stdio: "inherit" }));
  process.exitCode = ended.every(({ status }) => status === 0) ? 0 : 1;
}
