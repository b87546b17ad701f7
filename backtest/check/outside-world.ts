// The runtime facilities ("doors") through which a strategy could learn something outside its view: clock, randomness,
// network, modules of the runtime. pegbot uses none of them during a run, so any use is the strategy's.

import { keepGuestsIn } from "../../src/strategy/guest.ts";
import { nextTurn } from "../next-turn.ts";

/** Receives the name of each facility that is used. */
export type OutsideUse = (name: string) => void;

type Door = { readonly owner: object; readonly key: string; readonly name: string };

/** Data from these may be read once while a strategy is loaded, so they are watched then too. */
const INPUTS: readonly Door[] = [
  { owner: process, key: "getBuiltinModule", name: "process.getBuiltinModule" },
  { owner: process, key: "binding", name: "process.binding" },
  { owner: process, key: "dlopen", name: "process.dlopen" },
  { owner: globalThis, key: "fetch", name: "fetch" },
  { owner: globalThis, key: "WebSocket", name: "WebSocket" },
];

/** Timer callbacks never run in a backtest, and live they run where their errors are not caught. */
const TIMERS: readonly Door[] = [
  { owner: globalThis, key: "setTimeout", name: "setTimeout" },
  { owner: globalThis, key: "setInterval", name: "setInterval" },
  { owner: globalThis, key: "setImmediate", name: "setImmediate" },
  { owner: globalThis, key: "queueMicrotask", name: "queueMicrotask" },
];

const DOORS: readonly Door[] = [
  ...INPUTS,
  { owner: Math, key: "random", name: "Math.random" },
  { owner: Date, key: "now", name: "Date.now" },
  { owner: performance, key: "now", name: "performance.now" },
  { owner: process, key: "hrtime", name: "process.hrtime" },
  { owner: crypto, key: "getRandomValues", name: "crypto.getRandomValues" },
  { owner: crypto, key: "randomUUID", name: "crypto.randomUUID" },
];

/** Modules of the runtime that read, wait, or draw random numbers. */
const MODULES: ReadonlySet<string> = new Set(
  (
    "child_process cluster crypto dgram dns dns/promises fs fs/promises http http2 https inspector inspector/promises module net os " +
    "perf_hooks process readline readline/promises repl sqlite timers timers/promises tls trace_events v8 vm wasi worker_threads"
  ).split(" "),
);

export function isOutside(specifier: string): boolean {
  return MODULES.has(specifier.replace(/^node:/, ""));
}

/** The facilities keep working while `work` runs, and each use is reported. */
export function watchingDoors<T>(used: OutsideUse, work: () => T): T {
  return hearing(used, () => [...[...DOORS, ...TIMERS].map((door) => watchDoor(door, used)), watchDates(used)], work);
}

/** Watches a run, which itself waits for nothing. */
export function watchingRun<T>(used: { readonly timer: OutsideUse; readonly outside: OutsideUse }, run: () => T): T {
  const timers = new Set(TIMERS.map(({ name }) => name));
  return watchingDoors((name) => (timers.has(name) ? used.timer(name) : used.outside(name)), run);
}

/**
 * The watchers of a run; they also hear of functions that a strategy stored while it was loaded, which are not the ones
 * replaced for the run.
 */
const ears = new Set<OutsideUse>();

function hearing<T>(used: OutsideUse, open: () => readonly (() => void)[], work: () => T): T {
  const close = open();
  ears.add(used);
  try {
    return work();
  } finally {
    ears.delete(used);
    for (const one of close) one();
  }
}

/**
 * Watches the loading of a strategy. Functions that it stores report to the watchers of later runs; `used` hears only
 * of inputs that are read at once, because clocks and random draws during loading show up when the strategy is run
 * again.
 */
export async function watchingLoad<T>(load: () => Promise<T>, used: OutsideUse = () => {}): Promise<T> {
  const inputs = new Set(INPUTS.map(({ name }) => name));
  const opened = (name: string): void => {
    for (const hears of ears) hears(name);
    if (ears.size === 0 && inputs.has(name)) used(name);
  };
  const close = [...[...DOORS, ...TIMERS].map((door) => watchDoor(door, opened)), watchDates(opened)];
  try {
    return await load();
  } finally {
    for (const one of close) one();
  }
}

/** Errors that a strategy throws in a timer or a promise surface when the turn of its run is over. */
export async function hearingStrays<T>(stray: (error: unknown) => void, run: () => T): Promise<T> {
  const release = keepGuestsIn();
  process.setUncaughtExceptionCaptureCallback(stray);
  try {
    const done = run();
    await nextTurn();
    return done;
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
    release();
  }
}

function watchDoor({ owner, key, name }: Door, used: OutsideUse): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  const real = (owner as Record<string, (...args: unknown[]) => unknown>)[key];
  if (real === undefined) return () => {};
  const watched = Object.assign(function (this: unknown, ...args: unknown[]): unknown {
    used(name);
    return new.target === undefined ? Reflect.apply(real, this, args) : Reflect.construct(real, args);
  }, real);
  Object.defineProperty(owner, key, { value: watched, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, before);
  };
}

/** A Date of a given moment is no clock; a Date without arguments is. */
function watchDates(used: OutsideUse): () => void {
  const real = Date;
  globalThis.Date = new Proxy(real, {
    construct(target, args, caller) {
      if (args.length === 0) used("new Date()");
      return Reflect.construct(target, args, caller === globalThis.Date ? target : caller);
    },
    apply(target, self, args) {
      used("Date()");
      return Reflect.apply(target, self, args);
    },
  });
  return () => {
    globalThis.Date = real;
  };
}
