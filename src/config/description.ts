// The schema as data (JSON Schema): what editors read, and where we look up which keys and types a place takes.

import { z } from "zod";
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
  readonly writeOnly?: boolean;
};

let described: Description | undefined;

export function configDescription(): Description {
  described ??= { title: "pegbot configuration", ...z.toJSONSchema(configSchema, { io: "input" }) } as Description;
  return described;
}

/** Every description that a value at this path may have: several where there is a choice. */
export function descriptionsAt(path: Path): readonly Description[] {
  let found = choices(configDescription());
  for (const step of path) found = found.flatMap((description) => descend(description, step));
  return found;
}

export function keysAt(path: Path): string[] {
  return descriptionsAt(path).flatMap((description) => Object.keys(description.properties ?? {}));
}

function descend(description: Description, step: PropertyKey): readonly Description[] {
  const { properties = {}, additionalProperties, items } = description;
  if (typeof step === "string" && Object.hasOwn(properties, step)) return choices(properties[step]);
  if (typeof step === "number") return choices(items);
  return typeof additionalProperties === "object" ? choices(additionalProperties) : [];
}

function choices(description: Description | undefined): readonly Description[] {
  if (description === undefined) return [];
  return description.anyOf === undefined ? [description] : description.anyOf.flatMap(choices);
}
