// The operations: what can be asked of the owner of a key, over HTTP or through its socket alone.

import { z } from "zod";
import { MONEY_OPERATIONS, OPERATIONS } from "../../src/operation/table.ts";
import { ADDRESSES } from "../../src/watch/dashboard/api.ts";
import { code, table } from "./table.ts";

type Schema = {
  readonly type?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
};

export function apiPage(): string {
  const parts = ADDRESSES.map(({ path, method, scope, operation }) => {
    const { input, failure, sentence } = operation;
    const fields =
      input === undefined ? [] : fieldsOf(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema, "");
    return [
      `### ${method} ${path}`,
      `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. Scope: \`${scope}\`.${failure === undefined ? "" : ` ${failure.status}: ${failure.description}.`}`,
      ...(fields.length === 0 ? [] : [table(["field", "takes", ""], fields)]),
    ].join("\n\n");
  });
  const socket = [...OPERATIONS.filter(({ isForSocket }) => isForSocket), ...MONEY_OPERATIONS];
  return [
    "# Operations and the control API",
    "What can be asked of the owner of a key, from the one table that the command line, the page, the API and an agent's tools are made of. [The page and the control API](../guides/page.md#the-control-api) says who may ask. A running bot serves the same as OpenAPI at `/openapi.json`.",
    "## Over HTTP",
    ...parts,
    "## By the command line alone",
    "Through the owner's socket, which its user can open.",
    table(
      ["operation", ""],
      socket.map((one) => [code(one.name), "sentence" in one ? String(one.sentence) : ""]),
    ),
  ].join("\n\n");
}

function fieldsOf(
  { properties = {}, required = [], anyOf = [] }: Schema,
  path: string,
): readonly (readonly string[])[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    const takes = schema.const === undefined ? (schema.type ?? "one of several") : code(String(schema.const));
    const must = required.includes(name) ? "" : "may be left out";
    return [
      [code(`${path}${name}`), takes, [schema.description, must].filter(Boolean).join("; ")],
      ...fieldsOf(schema, `${path}${name}.`),
    ];
  });
  return [...own, ...anyOf.flatMap((one) => fieldsOf(one, path))];
}
