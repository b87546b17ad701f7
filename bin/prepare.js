// The new Node's half of the launcher, run once before any of our own code: one Ctrl-C counts once, the death of the
// supervising process is a SIGTERM unless we were asked to stop before, the supervisor is told what was heard, the runtime's notices about its own experiments are not shown,
// what it made of our sources is kept, and they are found without a search.
import { existsSync } from "node:fs";
import { enableCompileCache, registerHooks } from "node:module";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { whenOrphaned } from "./orphan.js";

const QUIET = "--disable-warning=ExperimentalWarning";
/** One Ctrl-C reaches us from the terminal, from npm and from the supervisor; they come within milliseconds. */
const BURST_MS = 1_000;
const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"];
const LIFELINE_FD = 3;
let asked = false;
let lifeline;

export function prepare() {
  if (!process.execArgv.includes(QUIET)) dropExperimentalWarnings();
  const isCheckout = existsSync(pathOf("src/cli/main.ts"));
  if (isCheckout) keepCompiled();
  findOwnAtOnce(isCheckout ? [".ts", "module-typescript"] : [".js", "module"]);
  countBurstsOnce();
  holdLifeline();
}

/**
 * It makes a start several times faster. Also, a process in which types were stripped is slower for good (ADR 0005). Beside the packages, which
 * are trusted as much; a folder that cannot be written to does without, and a published package has no types.
 */
function keepCompiled() {
  enableCompileCache(pathOf("node_modules/.cache/pegbot"));
}

/**
 * What one of our files imports from another is where it says. The runtime would look for links and for the package of each of some
 * hundred files, which is a quarter of the time that loading them takes.
 */
function findOwnAtOnce([suffix, format]) {
  const rooms = ["src/", "backtest/"].map((room) => new URL(`../${room}`, import.meta.url).href);
  registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL ?? "";
      if (!specifier.startsWith(".") || !specifier.endsWith(suffix) || !rooms.some((room) => from.startsWith(room)))
        return next(specifier, context);
      return { url: new URL(specifier, from).href, format, shortCircuit: true };
    },
  });
}

function pathOf(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

function dropExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    const type = warning?.name ?? rest[0]?.type ?? rest[0];
    if (type !== "ExperimentalWarning") emitWarning.call(process, warning, ...rest);
  };
  process.execArgv.push(QUIET);
}

function countBurstsOnce() {
  const emit = process.emit;
  const lastAt = new Map();
  process.emit = function (event, ...rest) {
    if (!STOPPING.includes(event)) {
      const hasListener = emit.call(this, event, ...rest);
      // Not before: it is heard when the stop is latched.
      if (event === "SIGUSR2") tellHeard(event);
      return hasListener;
    }
    asked = true;
    tellHeard(event);
    const now = performance.now();
    if (now - (lastAt.get(event) ?? Number.NEGATIVE_INFINITY) < BURST_MS) return true;
    lastAt.set(event, now);
    // Keeps the rest of the burst from the default action, which ends the process, when the listener was a `once`.
    const ignore = () => undefined;
    process.on(event, ignore);
    setTimeout(() => process.off(event, ignore), BURST_MS).unref();
    return emit.call(this, event, ...rest);
  };
}

/** The variable is ours alone: removed at once, so that no process started from here takes its own fd 3 for a lifeline. */
function holdLifeline() {
  const held = process.env.PEGBOT_LIFELINE !== undefined;
  delete process.env.PEGBOT_LIFELINE;
  if (!held) return whenOrphaned((npmWasKilled) => (npmWasKilled ? killAndStop() : stop()));
  lifeline = new Socket({ fd: LIFELINE_FD, readable: true, writable: true });
  lifeline.on("error", () => undefined);
  lifeline.on("close", stop);
  // The supervisor says one thing only: npm was killed.
  lifeline.on("data", killAndStop);
  lifeline.unref();
}

/** Whoever supervises us ends by SIGKILL what hears nothing. */
function tellHeard(signal) {
  if (lifeline?.writable) lifeline.write(`${signal} `);
}

/** The stricter reading of what cannot be told apart: a person's stop. Whoever does not know that signal only ends. */
function killAndStop() {
  if (asked) return;
  if (process.listenerCount("SIGUSR2") > 0) process.emit("SIGUSR2", "SIGUSR2");
  else tellHeard("SIGUSR2");
  stop();
}

/** The signal that ended our parent reached us too: a program that is closing must not take this for a second wish. */
function stop() {
  if (!asked) process.kill(process.pid, "SIGTERM");
}
