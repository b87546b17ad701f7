// The OpenAPI document of the control API, made of the operations themselves.

import { z } from "zod";
import { OPERATIONS, type Operation } from "./operations.ts";
import { problem } from "./schema.ts";

const BODY_FAILURES: Readonly<Record<number, string>> = {
  400: "the body is not what it must be",
  413: "the body is too long",
  415: "the body is not application/json: forms are refused",
};
const FAILURES: Readonly<Record<number, string>> = {
  401: "the token is missing or wrong",
  403: "asked for by a name that is not the bot's, or by another page",
};

export function apiDocument(version: string): Readonly<Record<string, unknown>> {
  const paths = Object.fromEntries(
    OPERATIONS.map((operation) => [operation.path, { [operation.method.toLowerCase()]: described(operation) }]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "pegbot control API",
      version,
      description:
        "Of a running bot, on its own machine unless it was told otherwise. The token is in the .token file beside the journal.",
    },
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

function described({ id, summary, body, answer, failures }: Operation): Readonly<Record<string, unknown>> {
  const refusals = { ...FAILURES, ...(body === undefined ? {} : BODY_FAILURES), ...failures };
  return {
    operationId: id,
    summary,
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(body, "input") } }),
    responses: {
      200: { description: "done", content: content(answer, "output") },
      ...Object.fromEntries(
        Object.entries(refusals).map(([code, description]) => [
          code,
          { description, ...(code === "403" ? {} : { content: content(problem, "output") }) },
        ]),
      ),
    },
  };
}

function content(schema: z.ZodType, io: "input" | "output"): Readonly<Record<string, unknown>> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { "application/json": { schema: shape } };
}
