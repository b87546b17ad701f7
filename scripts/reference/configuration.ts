// The keys of the configuration, from its schema.

import { configDescription, type Description } from "../../src/config/description.ts";
import { code, table } from "./table.ts";

type Schema = Description & {
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
};

const SECTIONS_ELSEWHERE: Readonly<Record<string, string>> = {
  risk: "The limits: [every one, with its range](limits.md). How they are written is in [Set the limits](../guides/limits.md).",
};

export function configurationPage(): string {
  const top = Object.entries((configDescription().properties ?? {}) as Record<string, Schema>);
  const single = top.filter(([, schema]) => rowsOf("", schema).length === 0);
  const parts = top.filter(([, schema]) => rowsOf("", schema).length > 0);
  return [
    "# Keys of the configuration",
    "Every key of `pegbot.yaml`, from the schema that reads it. [Configure the bot](../guides/configuration.md) has examples and the rules between keys.",
    table(
      HEAD,
      single.map(([key, schema]) => row(key, schema)),
    ),
    ...parts.flatMap(([key, schema]) => [
      `## ${key}`,
      SECTIONS_ELSEWHERE[key] ?? sentence(schema.description ?? ""),
      ...(SECTIONS_ELSEWHERE[key] === undefined ? [table(HEAD, rowsOf(`${key}.`, schema))] : []),
    ]),
  ].join("\n\n");
}

const HEAD = ["key", "takes", "default", "meaning"];

/** A mapping by name shows what stands under a name, a list what one of its entries has. */
function rowsOf(path: string, schema: Schema, kind = ""): readonly (readonly string[])[] {
  return choices(schema).flatMap((one) => {
    const named = typeof one.additionalProperties === "object" ? rowsOf(`${path}NAME.`, one.additionalProperties) : [];
    const listed = one.items === undefined ? [] : rowsOf(`${path}[].`, one.items);
    const word = (one.properties?.kind as Schema | undefined)?.const;
    const own = Object.entries(one.properties ?? {}).flatMap(([key, inner]) => [
      row(`${path}${key}`, inner, word === undefined || key === "kind" ? kind : `${word}: `),
      ...rowsOf(`${path}${key}.`, inner),
    ]);
    return [...own, ...named, ...listed];
  });
}

function row(key: string, schema: Schema, of = ""): readonly string[] {
  const found = choices(schema);
  const about =
    schema.description ??
    found
      .map(({ description }) => description)
      .filter(Boolean)
      .join("; ");
  return [code(key), takes(schema), shown(schema.default), `${of}${about}`];
}

function shown(value: unknown): string {
  if (value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0))
    return "";
  return code(typeof value === "string" ? value : JSON.stringify(value));
}

function takes(schema: Schema): string {
  const texts = choices(schema).map((one) => {
    if (one.const !== undefined) return code(String(one.const));
    if (one.enum !== undefined) return one.enum.map((word) => code(String(word))).join(", ");
    if (one.type === "integer" || one.type === "number") return numbers(one);
    if (one.type === "array") return "a list";
    return one.type === "object" ? "a mapping" : one.type === "boolean" ? "`true`, `false`" : "text";
  });
  return [...new Set(texts)].join(", or ");
}

function numbers({ type, minimum, maximum, exclusiveMinimum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return `${minimum} to ${maximum}`;
  const least = exclusiveMinimum === undefined ? "" : ` above ${exclusiveMinimum}`;
  return `${type === "integer" ? "a whole number" : "a number"}${least}`;
}

function choices(schema: Schema): readonly Schema[] {
  const several = schema.anyOf ?? schema.oneOf;
  return several === undefined ? [schema] : several.flatMap((one) => choices(one as Schema));
}

function sentence(text: string): string {
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
