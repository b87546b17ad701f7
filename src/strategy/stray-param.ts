// Parameters that a strategy does not have, at any depth: a schema made with z.object drops them without a word, and a misspelt
// limit would be no limit.

/** The part of a zod schema that is looked at. */
export type ParamsSchema = {
  readonly shape?: object;
  safeParse?(value: unknown): { readonly success: boolean };
  readonly def?: {
    /** What an object makes of other keys: absent, it drops them; `never`, it refuses them. */
    readonly catchall?: { readonly def?: { readonly type?: string } };
    /** Of an optional, a default and their like. */
    readonly innerType?: ParamsSchema;
    readonly element?: ParamsSchema;
    readonly valueType?: ParamsSchema;
    /** In a tuple. */
    readonly items?: readonly ParamsSchema[];
    /** Of a choice: the first that takes the value is the one. */
    readonly options?: readonly ParamsSchema[];
    /** In a transform: the schema of what it is given. */
    readonly in?: ParamsSchema;
    readonly getter?: () => ParamsSchema;
  };
};

type Def = NonNullable<ParamsSchema["def"]>;

export type Stray = { readonly path: readonly PropertyKey[]; readonly key: string; readonly known: object };

export function strayParam(
  schema: ParamsSchema | undefined,
  given: unknown,
  path: readonly PropertyKey[] = [],
): Stray | undefined {
  if (schema === undefined || typeof given !== "object" || given === null) return undefined;
  const { shape, def = {} } = schema;
  const within = withinOf(def, given);
  if (within !== undefined) return strayParam(within, given, path);
  // Of the parameters themselves all are named; below them an author may have said what becomes of others.
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

/** The schema of the same value that this one only wraps. */
function withinOf({ innerType, options, in: input, getter }: Def, given: unknown): ParamsSchema | undefined {
  return innerType ?? input ?? getter?.() ?? options?.find((one) => one.safeParse?.(given).success);
}

function isClosed({ catchall }: Def): boolean {
  return catchall === undefined || catchall.def?.type === "never";
}
