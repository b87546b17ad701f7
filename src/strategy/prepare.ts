// Turns a definition and the configured parameters into a strategy that the engine can run. Anything that violates the
// contract is refused here, by name, before the first event.

import type { SchemaIssue } from "../domain/broken-rule.ts";
import { errorMessage } from "../domain/error-message.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import { complaintsOf, shownValue } from "../domain/schema-complaint.ts";
import { suggestion } from "../domain/suggestion.ts";
import type { ScreenColumns } from "./screen.ts";
import { stateProblem } from "./state.ts";
import type { View, Wake } from "./view.ts";

export type Strategy = {
  readonly name: string;
  readonly wakes: ReadonlySet<Wake>;
  readonly params: unknown;
  readonly state: object;
  /** The parameters that a saved state belongs to; all by default. */
  readonly stateParams?: readonly string[] | undefined;
  /** The definition as written; `decide` is called as its method. */
  readonly definition: {
    decide(view: View): unknown;
    blind?(view: View): unknown;
    screen?(columns: ScreenColumns, params: unknown): unknown;
  };
};

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const WAKES: readonly string[] = ["quote", "reference", "bar", "balances", "pairs", "report", "timer"];
const KEYS = ["name", "params", "state", "stateParams", "wakes", "decide", "blind", "screen"];
const REMOVED = ["stateVersion", "migrateState"];

export function prepareStrategy(definition: unknown, given: unknown): Result<Strategy> {
  const shape = shapeProblem(definition);
  if (shape !== undefined) return err(shape);
  const { name, params: schema, state, stateParams, wakes = ["quote"] } = definition as Shape;
  try {
    const params = parsedParams(schema, given ?? {});
    if (!params.ok) return params;
    const fresh = freshState(state, params.value);
    if (!fresh.ok) return fresh;
    const value = { name, wakes: new Set(wakes), params: params.value, state: fresh.value, stateParams };
    return ok({ ...value, definition: definition as Shape });
  } catch (error) {
    return err(`state or params of ${name} threw: ${printable(errorMessage(error))}`);
  }
}

type Schema = Omit<ParamsSchema, "safeParse"> & {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: readonly SchemaIssue[] } };
};
type Shape = {
  readonly name: string;
  readonly params?: Schema;
  readonly state?: (params: unknown) => unknown;
  readonly stateParams?: readonly string[];
  readonly wakes?: readonly Wake[];
} & Strategy["definition"];

function shapeProblem(definition: unknown): string | undefined {
  if (typeof definition !== "object" || definition === null)
    return `the default export must be defineStrategy({ ... }), was ${definition === null ? "null" : typeof definition}`;
  const { name, params, state, wakes, decide } = definition as Record<string, unknown>;
  const unknown = Object.keys(definition).find((key) => !KEYS.includes(key));
  if (unknown === "idle") return "idle is gone: leave it out, for every quote is decided on";
  if (unknown === "worth") return "worth is gone: leave it out, for slots go by class (docs/concepts/slots.md)";
  if (unknown !== undefined && REMOVED.includes(unknown))
    return `${unknown} was removed: a state of another version is not taken, and --fresh-state begins anew`;
  if (unknown !== undefined) return `a strategy has ${KEYS.join(", ")}, was given ${printable(unknown)}`;
  if (typeof name !== "string" || !NAME.test(name))
    return `name must be lower case letters, digits and hyphens, was ${shownValue(name)}`;
  if (typeof decide !== "function") return `decide must be a function, was ${shownValue(decide)}`;
  if (decide.constructor.name !== "Function") return `decide must be a plain function, was ${decide.constructor.name}`;
  if (state !== undefined && typeof state !== "function") return `state must be a function, was ${shownValue(state)}`;
  if (params !== undefined && typeof (params as Schema | null)?.safeParse !== "function")
    return `params must be a schema made with z, was ${shownValue(params)}`;
  return stateParamsProblem(definition) ?? wakesProblem(wakes);
}

function wakesProblem(wakes: unknown): string | undefined {
  if (wakes === undefined) return undefined;
  const rule = `wakes must be a list of one or more of ${WAKES.join(", ")}`;
  if (!Array.isArray(wakes)) return `${rule}, was ${shownValue(wakes)}`;
  if (wakes.length === 0) return `${rule}, was empty: leave it out to be called at quotes`;
  if (wakes.every((wake) => WAKES.includes(wake))) return undefined;
  const stray: unknown = wakes.find((wake) => !WAKES.includes(wake));
  return `${rule}, was given ${shownValue(stray)}${typeof stray === "string" ? suggestion(stray, WAKES) : ""}`;
}

function stateParamsProblem(definition: object): string | undefined {
  const { params: schema, stateParams: names } = definition as { params?: Schema; stateParams?: unknown };
  if (names === undefined) return undefined;
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    return `stateParams must be a list of parameters, was ${shownValue(names)}`;
  const known = schema === undefined ? {} : schema.shape;
  const stray = known && names.find((name) => !Object.hasOwn(known, name));
  return stray === undefined ? undefined : `stateParams has ${printable(stray)}: ${namesOf(known as object)}`;
}

function parsedParams(schema: Schema | undefined, given: unknown): Result<unknown> {
  // z.object would drop these silently.
  const stray = strayParam(schema ?? { shape: {} }, given);
  if (stray !== undefined) return err(noSuchParam(stray.path, stray.key, stray.known));
  if (schema === undefined) return ok(Object.freeze({}));
  const parsed = schema.safeParse(given);
  if (parsed.success) return ok(deeplyFrozen(parsed.data));
  const lines = complaintsOf(parsed.error?.issues ?? [], given, (path) => ["params", ...path].join("."));
  return err(lines.join("; ") || "params do not fit");
}

/** Names the known parameters, if any. */
function noSuchParam(path: readonly PropertyKey[], key: string, known: object | undefined): string {
  const name = `${["params", ...path].join(".")} has no ${printable(key)}`;
  return known === undefined ? name : `${name}: ${namesOf(known)}${suggestion(key, Object.keys(known))}`;
}

function freshState(make: Shape["state"], params: unknown): Result<object> {
  if (make === undefined) return ok({});
  const state = make(params);
  const problem = stateProblem(state);
  if (problem !== undefined) return err(problem);
  const shared = sharedPart(state as object, make(params) as object);
  return shared === undefined ? ok(state as object) : err(`${shared} must be fresh each time, was the same object`);
}

/** Two runs in one process must not share a signal. */
function sharedPart(one: object, other: object): string | undefined {
  if (one === other) return "state";
  const seen = new Set(Object.values(other).filter((part) => typeof part === "object" && part !== null));
  const shared = Object.entries(one).find(([, part]) => seen.has(part));
  return shared && `state.${shared[0]}`;
}

function deeplyFrozen(value: unknown): unknown {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deeplyFrozen(part);
  }
  return value;
}

function namesOf(shape: object): string {
  const names = Object.keys(shape);
  return names.length === 0 ? "this strategy takes none" : `there are ${names.join(", ")}`;
}

// Finds parameters that a strategy does not have, at any depth: z.object drops them silently, and a misspelt limit
// would be no limit.

/** The part of a zod schema that is read. */
type ParamsSchema = {
  readonly shape?: object;
  safeParse?(value: unknown): { readonly success: boolean };
  readonly def?: {
    /** How an object treats unknown keys: undefined drops them, `never` refuses them. */
    readonly catchall?: { readonly def?: { readonly type?: string } };
    /** For optional, default and the like. */
    readonly innerType?: ParamsSchema;
    readonly element?: ParamsSchema;
    readonly valueType?: ParamsSchema;
    /** For a tuple. */
    readonly items?: readonly ParamsSchema[];
    /** For a union: the first option that accepts the value. */
    readonly options?: readonly ParamsSchema[];
    /** For a transform: the input schema. */
    readonly in?: ParamsSchema;
    readonly getter?: () => ParamsSchema;
  };
};

type Def = NonNullable<ParamsSchema["def"]>;

type Stray = { readonly path: readonly PropertyKey[]; readonly key: string; readonly known: object };

function strayParam(
  schema: ParamsSchema | undefined,
  given: unknown,
  path: readonly PropertyKey[] = [],
): Stray | undefined {
  if (schema === undefined || typeof given !== "object" || given === null) return undefined;
  const { shape, def = {} } = schema;
  const within = withinOf(def, given);
  if (within !== undefined) return strayParam(within, given, path);
  // At the top level all parameters are named; below it the author may have allowed others.
  if (shape !== undefined && (path.length === 0 || isClosed(def))) {
    const key = Object.keys(given).find((one) => !Object.hasOwn(shape, one));
    if (key !== undefined) return { path, key, known: shape };
  }
  const parts = shape as Readonly<Record<string, ParamsSchema>> | undefined;
  for (const [key, value] of Object.entries(given)) {
    const part = parts?.[key] ?? def.items?.[Number(key)] ?? def.element ?? def.valueType;
    const stray = strayParam(part, value, [...path, key]);
    if (stray !== undefined) return stray;
  }
  return undefined;
}

/** The schema of the same value inside a wrapper. */
function withinOf({ innerType, options, in: input, getter }: Def, given: unknown): ParamsSchema | undefined {
  return innerType ?? input ?? getter?.() ?? options?.find((one) => one.safeParse?.(given).success);
}

function isClosed({ catchall }: Def): boolean {
  return catchall === undefined || catchall.def?.type === "never";
}
