// The schema as data (JSON Schema): for editors, and to look up the keys and types of a place.

import { z } from "zod";
import { writtenRiskSchema } from "../risk/preset.ts";
import type { Path } from "./document.ts";
import { configSchema } from "./schema.ts";

export type Description = {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Description>>;
  readonly additionalProperties?: boolean | Description;
  readonly items?: Description;
  readonly anyOf?: readonly Description[];
  /** For unions with a discriminator. */
  readonly oneOf?: readonly Description[];
  readonly const?: unknown;
  readonly writeOnly?: boolean;
};

let described: Description | undefined;

export function configDescription(): Description {
  described ??= {
    title: "pegbot configuration",
    ...descriptionOf(
      configSchema.extend({
        risk: writtenRiskSchema.optional(),
      }),
    ),
  } as Description;
  return described;
}

export function descriptionOf(schema: z.ZodType): Description {
  return z.toJSONSchema(schema, { io: "input" }) as Description;
}

/** Every description that a value at this path may have: several for a union. */
export function descriptionsAt(path: Path, whole: Description = configDescription()): readonly Description[] {
  let found = choices(whole);
  for (const step of path) found = found.flatMap((description) => descend(description, step));
  return found;
}

// Strategy parameters have no schema here: names that suggest a secret are taken for one.
const SECRET_NAME = /secret|token|password|passphrase|mnemonic|private|credential|api_?key/i;

/** The value is neither shown nor repeated in a message: a secret address, a secret parameter. */
export function isSecret(path: Path): boolean {
  const inParams = path[0] === "strategy" && path[1] === "params" && SECRET_NAME.test(String(path.at(-1)));
  return inParams || descriptionsAt(path).some((description) => description.writeOnly === true);
}

/** For a union only the options that fit the value: `{ kind: ecb }` has no keys of another kind. */
export function keysAt(path: Path, value?: unknown, whole?: Description): string[] {
  const keys = descriptionsAt(path, whole)
    .filter(({ properties = {} }) => {
      return Object.entries(properties).every(([key, one]) => {
        const word = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
        return one.const === undefined || word === undefined || word === one.const;
      });
    })
    .flatMap(({ properties = {} }) => Object.keys(properties));
  return [...new Set(keys)];
}

function descend(description: Description, step: PropertyKey): readonly Description[] {
  const { properties = {}, additionalProperties, items } = description;
  if (typeof step === "string" && Object.hasOwn(properties, step)) return choices(properties[step]);
  if (typeof step === "number") return choices(items);
  return typeof additionalProperties === "object" ? choices(additionalProperties) : [];
}

function choices(description: Description | undefined): readonly Description[] {
  if (description === undefined) return [];
  const several = description.anyOf ?? description.oneOf;
  return several === undefined ? [description] : several.flatMap(choices);
}
