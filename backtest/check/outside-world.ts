// The runtime facilities ("doors") through which a strategy could learn something outside its view: clock, randomness,
// network, modules of the runtime. pegbot uses none of them during a run, so any use is the strategy's.

import { isBuiltin } from "node:module";
import { keepGuestsIn } from "../../src/strategy/guest.ts";
import { nextTurn } from "../next-turn.ts";

/**
 * Data from an `input` may be read once while a strategy is loaded, so it counts then too. Callbacks of a `timer` never
 * run in a backtest, and live they run where their errors are not caught.
 */
type DoorKind = "input" | "timer" | "chance";
export type OutsideUse = (name: string, kind: DoorKind) => void;
type Door = { readonly owner: object; readonly key: string; readonly name: string; readonly kind: DoorKind };

const KINDS: Readonly<Record<string, DoorKind>> = {
  ...{ setTimeout: "timer", setInterval: "timer", setImmediate: "timer", queueMicrotask: "timer" },
  ...{ fetch: "input", WebSocket: "input", EventSource: "input" },
};

/** Globals that compute from their arguments alone; any other one is a door, also one that a later runtime adds. */
const PURE: ReadonlySet<string> = new Set(
  (
    "Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error " +
    "AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError DOMException globalThis " +
    "global JSON Math ArrayBuffer SharedArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array " +
    "BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap " +
    "WeakSet WeakRef Proxy Reflect DisposableStack decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape " +
    "isFinite isNaN console Buffer URL URLSearchParams TextEncoder TextDecoder structuredClone atob btoa"
  ).split(" "),
);

/** Their functions are watched one by one: a strategy may have taken one while it was loaded. */
const HOLDERS = { process, performance, crypto };
const LOADING = new Set(["getBuiltinModule", "binding", "dlopen", "loadEnvFile"]);

function doorsNow(): readonly Door[] {
  const held = Object.entries(HOLDERS).flatMap(([name, owner]) =>
    functionsOf(owner).map((key): Door => {
      return { owner, key, name: `${name}.${key}`, kind: LOADING.has(key) ? "input" : "chance" };
    }),
  );
  const globals = Object.getOwnPropertyNames(globalThis)
    .filter((key) => !PURE.has(key))
    .map((key): Door => ({ owner: globalThis, key, name: key, kind: KINDS[key] ?? "chance" }));
  const chance = [
    { owner: Math, key: "random", name: "Math.random", kind: "chance" },
    { owner: Date, key: "now", name: "Date.now", kind: "chance" },
  ] as const;
  return [...chance, ...held, ...globals];
}

function functionsOf(owner: object): readonly string[] {
  const found = new Set<string>();
  for (let one = owner; one !== Object.prototype && one !== null; one = Object.getPrototypeOf(one))
    // An exit is refused at the line that calls it.
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (typeof value === "function" && key !== "constructor" && key !== "exit") found.add(key);
  return [...found];
}

/** Modules of the runtime that neither read nor wait nor draw random numbers. */
const PURE_MODULES: ReadonlySet<string> = new Set(
  "assert assert/strict buffer events path path/posix path/win32 punycode querystring string_decoder url util util/types".split(
    " ",
  ),
);

/** Of pegbot, whose simulator knows every price, a strategy imports its contract alone. */
const INSIDE = /^pegbot(?:$|\/(?!strategy$))|(?:^|\/)(?:src\/(?!strategy\/)|backtest\/)/;

export function isOutside(specifier: string): boolean {
  return (isBuiltin(specifier) && !PURE_MODULES.has(specifier.replace(/^node:/, ""))) || INSIDE.test(specifier);
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
  const close = [...doorsNow().map(watchDoor), watchDates()];
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

/** Calls of a function are heard, and reads of anything else. */
function watchDoor({ owner, key, name, kind }: Door): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  if (before?.configurable === false) return () => {};
  const real: unknown = before?.get === undefined ? (owner as Record<string, unknown>)[key] : undefined;
  if (typeof real === "function") {
    const value: object = new Proxy(real, {
      apply(target, self, args) {
        tell(name, kind);
        return Reflect.apply(target, self, args);
      },
      construct(target, args, made): object {
        tell(name, kind);
        return Reflect.construct(target, args, made === value ? target : made);
      },
    });
    Object.defineProperty(owner, key, { value, configurable: true, writable: true });
  } else {
    const get = (): unknown => {
      tell(name, kind);
      return before?.get === undefined ? real : Reflect.apply(before.get, owner, []);
    };
    Object.defineProperty(owner, key, { get, ...(before?.set && { set: before.set }), configurable: true });
  }
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, before);
  };
}

/**
 * What a hook in the language's own objects, or a value left on `globalThis`, would change: the functions of every pure
 * global, and the names of all globals.
 */
export class Intrinsics {
  readonly #before = new Map(ownFunctions());
  readonly #names = new Set(Reflect.ownKeys(globalThis));

  /** Names of what was changed or added since. */
  changed(): readonly string[] {
    const left = Reflect.ownKeys(globalThis).filter((key) => !this.#names.has(key));
    const hooked = ownFunctions().filter(([name, value]) => this.#before.get(name) !== value);
    return [...hooked.map(([name]) => name), ...left.map((key) => `globalThis.${String(key)}`)];
  }
}

/** By name. Those of `globalThis` itself and of doors are watched elsewhere. */
function ownFunctions(): [string, unknown][] {
  const named = [...PURE].map((name): [string, unknown] => [name, Reflect.get(globalThis, name)]);
  const owners = named.flatMap(([name, one]): [string, unknown][] =>
    one === globalThis || one === Date
      ? []
      : [
          [name, one],
          [`${name}.prototype`, typeof one === "function" ? one.prototype : undefined],
        ],
  );
  return owners.flatMap(([name, owner]) =>
    Reflect.ownKeys(Object(owner)).flatMap((key): [string, unknown][] => {
      const { value, get = value } = Object.getOwnPropertyDescriptor(owner, key) ?? {};
      return typeof get !== "function" || get === Math.random ? [] : [[`${name}.${String(key)}`, get]];
    }),
  );
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
