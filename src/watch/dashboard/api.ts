// The HTTP face of the operations: each has an address, the server answers from the table, and the OpenAPI document is
// generated from it. Bodies are JSON of bounded size; a cross-site form cannot send that content type. Amounts are exact
// texts, times are UTC milliseconds, unknown values are left out.

import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { Scope } from "../../domain/bearer-token.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { complaintsOf } from "../../domain/schema-complaint.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Asker, Owner } from "../../operation/owner.ts";
import { OPERATIONS } from "../../operation/table.ts";
import { RISK_STATES } from "../status.ts";
import { json, type Reply } from "./reply.ts";

type Address = {
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly scope: Scope;
  readonly operation: Operation;
};

export const ADDRESSES: readonly Address[] = OPERATIONS.filter(({ isForSocket }) => isForSocket !== true).map(
  (operation) => ({
    method: operation.input === undefined ? "GET" : "POST",
    path: `/api/${operation.name}`,
    scope: operation.scope,
    operation,
  }),
);

export async function operate(
  { input, failure, act }: Operation,
  owner: Owner,
  token: string,
  request: IncomingMessage,
): Promise<Reply> {
  const read = input === undefined ? ok(undefined) : await readBody(request, input);
  if (!read.ok) return read.error;
  const asker: Asker = { by: `api:${token}`, token };
  const done = await act(owner, read.value, asker);
  if (done.ok) return json(200, done.value);
  return json(failure?.status ?? 500, { state: failure?.state, error: printable(done.error, 500) });
}

const BYTES_MAX = 4_096;

async function readBody(request: IncomingMessage, schema: z.ZodType): Promise<Result<unknown, Reply>> {
  const refused = (status: 400 | 413 | 415, error: string) => err(json(status, { error }));
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refused(415, "content type must be application/json");
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection must survive an abandoned body, so that the answer can still be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) return refused(413, `body must have at most ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return refused(400, "body must be JSON");
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  return refused(400, complaintsOf(parsed.error.issues, body, (path) => path.join(".") || "the body").join("; "));
}

const FAILURES: Readonly<Record<number, string>> = {
  401: "the token is missing or wrong",
  403: "asked for by a name that is not the bot's, by another page, or with a token of too small a scope",
};
const BODY_FAILURES: Readonly<Record<number, string>> = {
  400: "the body is not what it must be",
  413: "the body is too long",
  415: "the body is not application/json: forms are refused",
};

/** `state` is set where the state changed in spite of the error: stopped, but not journaled. */
const problem = z.object({ error: z.string(), state: z.enum(RISK_STATES).optional() });

export function apiDocument(version: string): Readonly<Record<string, unknown>> {
  const description =
    "Of a running bot, on its own machine unless it was told otherwise. The owner's token is in the .token file next to the journal; `pegbot token` makes others.";
  return {
    openapi: "3.1.0",
    info: { title: "pegbot control API", version, description },
    security: [{ token: [] }],
    paths: Object.fromEntries(
      ADDRESSES.map(({ path, method, operation }) => [path, { [method.toLowerCase()]: described(operation) }]),
    ),
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

function described({ name, sentence, input, answer, failure }: Operation): Readonly<Record<string, unknown>> {
  const failures = {
    ...FAILURES,
    ...(input === undefined ? {} : BODY_FAILURES),
    ...(failure === undefined ? {} : { [failure.status]: failure.description }),
  };
  const refusals = Object.entries(failures).map(([code, description]) => [
    code,
    { description, ...(code === "403" ? {} : { content: content(problem, "output") }) },
  ]);
  return {
    operationId: name,
    summary: sentence,
    ...(input === undefined ? {} : { requestBody: { required: true, content: content(input, "input") } }),
    responses: { 200: { description: "done", content: content(answer, "output") }, ...Object.fromEntries(refusals) },
  };
}

function content(schema: z.ZodType, io: "input" | "output"): Readonly<Record<string, unknown>> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { "application/json": { schema: shape } };
}
