// A program that npm started ends with npm. npm hands on SIGINT and SIGTERM only: SIGUSR2 to the process id that a person
// sees ends npm itself, as SIGKILL does, and npx stands behind a shell that notices nothing. So parent and npm are both
// watched. Without npm a program may outlive its shell.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const LOOK_EVERY_MS = 500;

/**
 * `act` is told whether npm itself was killed: by a person's SIGUSR2 or by accident, which cannot be told apart from
 * here. Where only the shell between is gone, npm has handed on a SIGTERM that did not reach us.
 */
export function whenOrphaned(act) {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const { name, parent: grandparent } = seen(parent);
  const behindShell = /sh$/.test(name);
  const npm = behindShell ? grandparent : parent;
  const timer = setInterval(() => {
    // In this order: whoever ends the shell first must not look like a death of npm.
    const npmLeft = behindShell && hasLeft(npm, parent);
    const adopted = process.ppid !== parent;
    if (!adopted && !npmLeft) return;
    clearInterval(timer);
    act(adopted ? !behindShell : true);
  }, LOOK_EVERY_MS);
  timer.unref();
}

function hasLeft(npm, shell) {
  if (npm === undefined) return false;
  if (process.platform === "linux") return ![npm, undefined].includes(seen(shell).parent);
  try {
    process.kill(npm, 0);
    return false;
  } catch {
    return true;
  }
}

/** Name and parent of a process; neither where the system does not say. */
function seen(pid) {
  try {
    const [, parent, name] = /^\s*(\d+)\s+(.*?)\s*$/s.exec(process.platform === "linux" ? fromProc(pid) : fromPs(pid));
    return { name, parent: Number(parent) };
  } catch {
    return { name: "", parent: undefined };
  }
}

function fromProc(pid) {
  return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^\d+ \((.*)\) \S (\d+) .*$/s, "$2 $1");
}

function fromPs(pid) {
  return spawnSync("ps", ["-o", "ppid=,ucomm=", "-p", `${pid}`], { encoding: "utf8" }).stdout;
}
