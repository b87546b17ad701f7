// From a strategy's state to plain JSON: numbers, texts, booleans, null, lists and objects; what JSON cannot say is tagged
// with `$`. At every safe point, so no path is written down on the way: it is told from where the walk is when it ends.

import { isSignal, type Signal } from "./signal/signal.ts";

const DEPTH_MAX = 32;
const UNDEFINED = Object.freeze({ $: "undefined" });

export class Unsavable extends Error {}

export function encodeState(state: unknown): unknown {
  return new Walk().value(state);
}

class Walk {
  /** What it is in, and by which key or place of each. */
  readonly #above: object[] = [];
  readonly #steps: (string | number)[] = [];

  value(value: unknown): unknown {
    if (typeof value === "number") return isJson(value) ? value : { $: "number", is: numberText(value) };
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (value === undefined) return UNDEFINED;
    if (typeof value !== "object") throw this.#wrong(`must be plain data or a signal, was ${nameOf(value)}`);
    if (this.#above.includes(value)) throw this.#wrong("must not contain itself");
    if (this.#above.length >= DEPTH_MAX) throw this.#wrong(`must be at most ${DEPTH_MAX} levels deep`);
    if (isSignal(value)) return { $: value.kind, args: value.args.slice(), is: value.save() };
    this.#above.push(value);
    const result = Array.isArray(value) ? this.#list(value) : this.#object(value);
    this.#above.pop();
    return result;
  }

  #list(list: readonly unknown[]): unknown {
    const result: unknown[] = [];
    for (let i = 0; i < list.length; i++) result.push(this.#part(i, list[i]));
    return result;
  }

  #object(object: object): unknown {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null)
      throw this.#wrong(`must be plain data or a signal, was ${nameOf(object)}`);
    const result: Record<string, unknown> = {};
    for (const key of Object.getOwnPropertyNames(object)) {
      if (key === "$" || key === "__proto__") throw this.#wrong(`must not have the key ${key}`);
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      if (descriptor === undefined || !("value" in descriptor))
        throw new Unsavable(`${this.#path()}.${key} must be plain data, was an accessor`);
      result[key] = this.#part(key, descriptor.value);
    }
    const [symbol] = Object.getOwnPropertySymbols(object);
    if (symbol !== undefined) throw this.#wrong(`must not have the key ${String(symbol)}`);
    return result;
  }

  #part(step: string | number, value: unknown): unknown {
    this.#steps.push(step);
    const result = this.value(value);
    this.#steps.pop();
    return result;
  }

  #wrong(what: string): Unsavable {
    return new Unsavable(`${this.#path()} ${what}`);
  }

  #path(): string {
    const steps = this.#steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
    return `state${steps.join("")}`;
  }
}

function isJson(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

export function describe(signal: Signal): string {
  return `${signal.kind}(${signal.args.join(", ")})`;
}

export function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return typeof value === "function" ? "a function" : typeof value;
  if (isSignal(value)) return describe(value);
  const maker: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return maker === "Object" || typeof maker !== "string" ? "an object" : `a ${maker}`;
}
