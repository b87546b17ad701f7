// The control API, one entry an operation: address, what it takes and returns, and what it does. The server answers from this list, and
// the OpenAPI document is made of it. Bodies are JSON within a bound: a form that another page makes a browser send has no such type.

import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { err, ok, type Result } from "../../../domain/result.ts";
import { printable } from "../../../domain/sanitise.ts";
import type { RiskState } from "../../../domain/step.ts";
import { statusSchema } from "../../status.ts";
import type { ReadModel } from "../model/read-model.ts";
import { json, type Reply } from "../reply.ts";
import {
  APPROVE_RULE,
  type ApproveBody,
  approveBody,
  approved,
  balances,
  beaten,
  DECLINE_RULE,
  type DeclineBody,
  declineBody,
  declined,
  fills,
  HALT_RULE,
  HEARTBEAT_RULE,
  haltBody,
  heartbeatBody,
  orders,
  plans,
  problem,
  RESUME_RULE,
  resumeBody,
  resumed,
  stopped,
  type WaitingPlan,
} from "./schema.ts";

export type ApiParts = {
  readonly model: Pick<ReadModel, "status" | "fills">;
  /** Stops everything for good; what it gives back could not be done. */
  readonly halt: (reason: string, by: string) => string | undefined;
  /** Sending is still wanted, says who asks; gives what is in the way. */
  readonly heartbeat: (by: string) => string | undefined;
  /** Takes back the stops that a person saw, by their reasons: how the bot stands afterwards, or what is in the way. */
  readonly resume: (
    reason: string,
    by: string,
    seen: readonly string[],
  ) => Promise<Result<{ readonly state: RiskState; readonly reason: string }>>;
  /** Can still be approved. */
  readonly plans: () => Promise<Result<readonly WaitingPlan[]>>;
  /** A person agrees to a plan as they saw it: how it stands afterwards, or what is in the way. */
  readonly approve: (
    wish: Pick<ApproveBody, "id" | "digest" | "by"> & { readonly signature: string | undefined },
  ) => Promise<Result<{ readonly by: string; readonly ready: boolean; readonly text: string }>>;
  /** A person says no to it: who did and what that means, or what is in the way. */
  readonly decline: (
    wish: Pick<DeclineBody, "id" | "digest" | "by" | "reason"> & { readonly signature: string | undefined },
  ) => Promise<Result<{ readonly by: string; readonly text: string }>>;
};

export type Operation = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly body: z.ZodType | undefined;
  readonly answer: z.ZodType;
  /** Besides 200 and what every operation may answer. */
  readonly failures: Readonly<Record<number, string>>;
  readonly act: (parts: ApiParts, request: IncomingMessage) => Reply | Promise<Reply>;
};

const BY = "api";

export const OPERATIONS: readonly Operation[] = [
  reading(
    "status",
    "How the bot stands: state and way out, equity, holdings, limits, feeds, budget",
    statusSchema,
    (model) => model.status(),
  ),
  reading("orders", "What is open, and the last decisions with what became of them", orders, (model) => {
    const { at, open, decisions } = model.status();
    return { at, open, decisions };
  }),
  reading("fills", "The last fills, newest last", fills, (model) => ({ at: model.status().at, fills: model.fills() })),
  reading("balances", "What is held of each asset, and the parts of it", balances, (model) => {
    const { at, equity, holdings } = model.status();
    return { at, currency: equity.currency, holdings };
  }),
  {
    method: "GET",
    path: "/api/plans",
    id: "plans",
    summary: "Plans that wait for an approval, to the letter, and who has approved them",
    body: undefined,
    answer: plans,
    failures: { 500: "the journal cannot be read" },
    async act({ model, plans }) {
      return replyOf(await plans(), (waiting) => ({ at: model.status().at, plans: waiting }), 500);
    },
  },
  {
    ...acting("halt", "Stops everything that moves money, until a person resumes", haltBody, stopped),
    failures: { 500: "stopped, but the stop could not be written down: a restart would not know it" },
    act: ({ halt }, request) =>
      withBody(request, haltBody, HALT_RULE, ({ reason }) => {
        const shown = printable(reason);
        const trouble = halt(shown, BY);
        return trouble === undefined
          ? json(200, { state: "HALTED", reason: shown })
          : json(500, { state: "HALTED", error: trouble });
      }),
  },
  {
    ...acting(
      "resume",
      "Takes a stop back; it does not heal the cause, and a stop of the bot's own may stand beneath it",
      resumeBody,
      resumed,
    ),
    failures: { 409: "not resumed: the error says what stands in the way" },
    act: ({ resume }, request) =>
      withBody(request, resumeBody, RESUME_RULE, async ({ reason, seen }) => {
        const shown = printable(reason);
        return replyOf(await resume(shown, BY, seen), ({ state, reason: why }) => ({ state, reason: why }));
      }),
  },
  {
    ...acting("heartbeat", "Sending is still wanted, where `risk.heartbeatMsMax` asks for it", heartbeatBody, beaten),
    failures: { 409: "not heard: the bot does not trade yet" },
    act: ({ heartbeat, model }, request) =>
      withBody(request, heartbeatBody, HEARTBEAT_RULE, ({ by }) => {
        const trouble = heartbeat(printable(by));
        return trouble === undefined ? json(200, { at: model.status().at }) : json(409, { error: trouble });
      }),
  },
  {
    ...acting("approve", "A person agrees to a plan exactly as they saw it, before it expires", approveBody, approved),
    failures: { 409: "not approved: the error says what stands in the way" },
    act: ({ approve }, request) =>
      withBody(request, approveBody, APPROVE_RULE, async ({ id, digest, by, signature }) => {
        const agreed = await approve({ id, digest, by, signature });
        return replyOf(agreed, ({ by: person, ready, text }) => ({ id, by: person, ready, text }));
      }),
  },
  {
    ...acting("decline", "A person says no to a plan that is not begun; one no is enough", declineBody, declined),
    failures: { 409: "not declined: the error says what stands in the way" },
    act: ({ decline }, request) =>
      withBody(request, declineBody, DECLINE_RULE, async ({ id, digest, by, reason, signature }) => {
        const refused = await decline({ id, digest, by, reason, signature });
        return replyOf(refused, ({ by: person, text }) => ({ id, by: person, text }));
      }),
  },
];

function reading(
  id: string,
  summary: string,
  answer: z.ZodType,
  read: (model: ApiParts["model"]) => unknown,
): Operation {
  const act: Operation["act"] = ({ model }) => json(200, read(model));
  return { method: "GET", path: `/api/${id}`, id, summary, body: undefined, answer, failures: {}, act };
}

function acting(id: string, summary: string, body: z.ZodType, answer: z.ZodType) {
  return { method: "POST", path: `/api/${id}`, id, summary, body, answer } as const;
}

function replyOf<T>(result: Result<T>, shown: (value: T) => unknown, failure: 409 | 500 = 409): Reply {
  return result.ok ? json(200, shown(result.value)) : json(failure, { error: printable(result.error, 500) });
}

async function withBody<T>(
  request: IncomingMessage,
  schema: z.ZodType<T>,
  rule: string,
  act: (body: T) => Reply | Promise<Reply>,
): Promise<Reply> {
  const body = await readJson(request);
  if (!body.ok) return json(body.error.status, { error: body.error.message });
  const parsed = schema.safeParse(body.value);
  return parsed.success ? act(parsed.data) : json(400, { error: rule });
}

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

const BYTES_MAX = 4_096;

export type BodyProblem = { readonly status: 400 | 413 | 415; readonly message: string };

async function readJson(request: IncomingMessage): Promise<Result<unknown, BodyProblem>> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refused(415, "content type must be application/json");
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection has to live on for the answer when the body is given up.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) return refused(413, `body must have at most ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    return ok(JSON.parse(text));
  } catch {
    return refused(400, "body must be JSON");
  }
}

function refused(status: BodyProblem["status"], message: string): { readonly ok: false; readonly error: BodyProblem } {
  return err({ status, message });
}
