// The new Node's half of the launcher, run once before any of our own code: one Ctrl-C counts once, the death of the
// supervising process is a SIGTERM unless we were asked to stop before, the supervisor is told what was heard, the runtime's notices about its own experiments are not shown,
// and what it compiled of our sources is kept.
import { enableCompileCache } from "node:module";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { isReload } from "./hang-up.js";
import { whenOrphaned } from "./orphan.js";

const QUIET = "--disable-warning=ExperimentalWarning";
/** One Ctrl-C reaches us from the terminal, from npm and from the supervisor; they come within milliseconds. */
const BURST_MS = 1_000;
const RELOAD = isReload(process.argv.slice(2)) ? "SIGHUP" : undefined;
const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"].filter((signal) => signal !== RELOAD);
const LIFELINE_FD = 3;
const SWITCH = "SIGUSR2";
/** Commands that hear a person's stop, once they are loaded. */
const BOTS = ["start", "run"];
let asked = false;
let lifeline;
/** A person's stop that came before the program could hear it, and what is to follow once it has. */
let isEarly = false;
let afterEarly;

export function prepare() {
  if (!process.execArgv.includes(QUIET)) dropExperimentalWarnings();
  keepCompiled();
  countBurstsOnce();
  const loaded = keepEarlyStop();
  holdLifeline();
  return loaded;
}

/**
 * It makes a start several times faster in a checkout, where types are stripped, and a process in which they were is slower for
 * good; in a published package it saves a sixth. Beside the packages, which are trusted as much; a folder that cannot be written
 * to does without.
 */
function keepCompiled() {
  // Threads and processes that are started from here look for it in the environment, and nowhere else.
  process.env.NODE_COMPILE_CACHE ||= pathOf("node_modules/.cache/pegbot");
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
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
      if (event === RELOAD || (event === SWITCH && !isEarly)) tellHeard(event);
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

/** Loading takes a moment in which nobody listens: the signal would end the bot and latch nothing, and whoever starts it again would let it trade. */
function keepEarlyStop() {
  if (!process.argv.slice(2).some((arg) => BOTS.includes(arg))) return () => undefined;
  const keep = () => {
    isEarly = true;
  };
  const handOver = (event, listener) => {
    if (event !== SWITCH || listener === keep) return;
    process.off("newListener", handOver);
    // When it is in its place: without any listener in between the runtime would stop hearing the signal.
    queueMicrotask(() => {
      process.off(SWITCH, keep);
      if (!isEarly) return;
      isEarly = false;
      process.emit(SWITCH, SWITCH);
      afterEarly?.();
    });
  };
  process.on(SWITCH, keep);
  process.on("newListener", handOver);
  // A program that is loaded and does not listen is no bot (a script with such an argument): it only ends.
  return () => {
    process.off("newListener", handOver);
    process.off(SWITCH, keep);
    if (!isEarly) return;
    isEarly = false;
    tellHeard(SWITCH);
    afterEarly?.();
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
  if (process.listenerCount(SWITCH) > 0) process.emit(SWITCH, SWITCH);
  else tellHeard(SWITCH);
  if (isEarly) afterEarly = stop;
  else stop();
}

/** The signal that ended our parent reached us too: a program that is closing must not take this for a second wish. */
function stop() {
  if (!asked) process.kill(process.pid, "SIGTERM");
}
