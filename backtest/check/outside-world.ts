// The runtime facilities ("doors") through which a strategy could learn something outside its view: clock, randomness,
// network, modules of the runtime. pegbot uses none of them during a run, so any use is the strategy's.

import { keepGuestsIn } from "../../src/strategy/guest.ts";
import { nextTurn } from "../next-turn.ts";

/**
 * Data from an `input` may be read once while a strategy is loaded, so it counts then too. Callbacks of a `timer` never
 * run in a backtest, and live they run where their errors are not caught.
 */
type DoorKind = "input" | "timer" | "chance";
export type OutsideUse = (name: string, kind: DoorKind) => void;
type Door = { readonly owner: object; readonly key: string; readonly name: string; readonly kind: DoorKind };

function doors(kind: DoorKind, owner: object, prefix: string, keys: readonly string[]): readonly Door[] {
  return keys.map((key) => ({ owner, key, name: `${prefix}${key}`, kind }));
}

const DOORS: readonly Door[] = [
  ...doors("input", process, "process.", ["getBuiltinModule", "binding", "dlopen", "loadEnvFile"]),
  ...doors("input", globalThis, "", ["fetch", "WebSocket"]),
  ...doors("timer", globalThis, "", ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]),
  ...doors("chance", Math, "Math.", ["random"]),
  ...doors("chance", Date, "Date.", ["now"]),
  ...doors("chance", performance, "performance.", ["now"]),
  ...doors("chance", process, "process.", ["hrtime"]),
  ...doors("chance", crypto, "crypto.", ["getRandomValues", "randomUUID"]),
];

/** Modules of the runtime that read, wait, or draw random numbers. */
const MODULES: ReadonlySet<string> = new Set(
  (
    "child_process cluster crypto dgram dns dns/promises fs fs/promises http http2 https inspector inspector/promises module net os " +
    "perf_hooks process readline readline/promises repl sqlite timers timers/promises tls trace_events v8 vm wasi worker_threads"
  ).split(" "),
);

/** Of pegbot, whose simulator knows every price, a strategy imports its contract alone. */
const INSIDE = /^pegbot(?:$|\/(?!strategy$))|(?:^|\/)(?:src\/(?!strategy\/)|backtest\/)/;

export function isOutside(specifier: string): boolean {
  return MODULES.has(specifier.replace(/^node:/, "")) || INSIDE.test(specifier);
}

/** The current observer: functions that a strategy stored while it was loaded report in its runs too. */
const ears = new Set<OutsideUse>();

/** The facilities keep working while `work` runs, and each use is reported. */
export function watchingDoors<T>(used: OutsideUse, work: () => T): T {
  const end = watching(used);
  try {
    return work();
  } finally {
    end();
  }
}

/** `used` hears only of inputs: clocks and random draws during loading show up when the strategy is run again. */
export async function watchingLoad<T>(load: () => Promise<T>, used: (name: string) => void = () => {}): Promise<T> {
  const end = watching((name, kind) => kind === "input" && used(name));
  try {
    return await load();
  } finally {
    end();
  }
}

function watching(used: OutsideUse): () => void {
  const close = [...DOORS.map(watchDoor), watchDates()];
  ears.add(used);
  return () => {
    ears.delete(used);
    for (const one of close) one();
  };
}

function tell(name: string, kind: DoorKind): void {
  for (const ear of ears) ear(name, kind);
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

function watchDoor({ owner, key, name, kind }: Door): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  const real = (owner as Record<string, (...args: unknown[]) => unknown>)[key];
  if (real === undefined) return () => {};
  const watched = Object.assign(function (this: unknown, ...args: unknown[]): unknown {
    tell(name, kind);
    return new.target === undefined ? Reflect.apply(real, this, args) : Reflect.construct(real, args);
  }, real);
  Object.defineProperty(owner, key, { value: watched, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, before);
  };
}

/** A Date of a given moment is no clock; a Date without arguments is. */
function watchDates(): () => void {
  const real = Date;
  globalThis.Date = new Proxy(real, {
    construct(target, args, caller) {
      if (args.length === 0) tell("new Date()", "chance");
      return Reflect.construct(target, args, caller === globalThis.Date ? target : caller);
    },
    apply(target, self, args) {
      tell("Date()", "chance");
      return Reflect.apply(target, self, args);
    },
  });
  return () => {
    globalThis.Date = real;
  };
}
