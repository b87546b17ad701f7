// Parameters that a strategy does not have, at any depth: a schema made with z.object drops them without a word, and a misspelt
// limit would be no limit.

/** Of a schema of zod, what is looked at. */
export type ParamsSchema = {
  readonly shape?: object;
  readonly def?: {
    /** What an object makes of other keys: absent, it drops them; `never`, it refuses them. */
    readonly catchall?: { readonly def?: { readonly type?: string } };
    /** Of an optional, a default and their like. */
    readonly innerType?: ParamsSchema;
    readonly element?: ParamsSchema;
    readonly valueType?: ParamsSchema;
  };
};

export type Stray = { readonly path: readonly PropertyKey[]; readonly key: string; readonly known: object };

export function strayParam(
  schema: ParamsSchema | undefined,
  given: unknown,
  path: readonly PropertyKey[] = [],
): Stray | undefined {
  if (schema === undefined || typeof given !== "object" || given === null) return undefined;
  const { shape, def = {} } = schema;
  if (def.innerType !== undefined) return strayParam(def.innerType, given, path);
  // Of the parameters themselves all are named; below them an author may have said what becomes of others.
  if (shape !== undefined && (path.length === 0 || isClosed(def))) {
    const key = Object.keys(given).find((one) => !Object.hasOwn(shape, one));
    if (key !== undefined) return { path, key, known: shape };
  }
  const parts = shape as Readonly<Record<string, ParamsSchema>> | undefined;
  for (const [key, value] of Object.entries(given)) {
    const stray = strayParam(parts?.[key] ?? def.element ?? def.valueType, value, [...path, key]);
    if (stray !== undefined) return stray;
  }
  return undefined;
}

function isClosed({ catchall }: NonNullable<ParamsSchema["def"]>): boolean {
  return catchall === undefined || catchall.def?.type === "never";
}
