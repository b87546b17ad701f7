// The control API, one entry per operation: address, request, response and action. The server answers from this list,
// and the OpenAPI document is generated from it. Bodies are JSON of bounded size; a cross-site form cannot send that
// content type. Amounts are exact texts, times are UTC milliseconds, unknown values are left out.

import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { Scope } from "../../domain/bearer-token.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { complaintsOf } from "../../domain/schema-complaint.ts";
import type { RiskState } from "../../domain/step.ts";
import {
  amount,
  decisionSchema,
  fillSchema,
  holdingSchema,
  moment,
  RISK_STATES,
  statusSchema,
  submissionSchema,
} from "../status.ts";
import type { ReadModel } from "./model/read-model.ts";
import { json, type Reply } from "./reply.ts";

export type ApiParts = {
  /** The holder of the request's token, the author of what it does. */
  readonly token: string;
  readonly model: Pick<ReadModel, "status" | "fills">;
  /** Stops everything permanently; returns the problem if part of it failed. */
  readonly halt: (reason: string, by: string) => string | undefined;
  /** Confirms that the operator still wants the bot to send; returns the problem if it was not accepted. */
  readonly heartbeat: (by: string) => string | undefined;
  /** Lifts the stops that the person saw, named by their reasons; returns the state afterwards, or the obstacle. */
  readonly resume: (
    reason: string,
    by: string,
    seen: readonly string[],
  ) => Promise<Result<{ readonly state: RiskState; readonly reason: string }>>;
  /** Plans that can still be approved. */
  readonly plans: () => Promise<Result<readonly WaitingPlan[]>>;
  /** Approves a plan as the person saw it; returns its status afterwards, or the obstacle. */
  readonly approve: (
    wish: Wish<typeof approveBody>,
    token: string,
  ) => Promise<Result<Omit<z.output<typeof approved>, "id">>>;
  /** Declines a plan; returns the name of the person and the consequence, or the obstacle. */
  readonly decline: (
    wish: Wish<typeof declineBody>,
    token: string,
  ) => Promise<Result<Omit<z.output<typeof declined>, "id">>>;
};

type Wish<B extends z.ZodType> = Omit<z.output<B>, "confirm">;

type Failure = { readonly status: 409 | 500; readonly description: string; readonly state?: RiskState };

type Operation<B = unknown> = {
  readonly id: string;
  readonly summary: string;
  /** Absent for read-only operations. */
  readonly body?: z.ZodType<B>;
  readonly answer: z.ZodType;
  /** By default `read` for read-only operations, `approve` for all others. */
  readonly scope?: Scope;
  /** In addition to the failures that every operation may return. */
  readonly failure?: Failure;
  readonly act: (parts: ApiParts, body: B) => Result<unknown> | Promise<Result<unknown>>;
};

const reason = z.string().trim().min(1).max(200).meta({ description: "for the journal" });
const person = z.string().trim().min(1).max(64);
const planId = z.string().min(1).max(64);
const planDigest = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
const state = z.enum(RISK_STATES);

const seen = z.array(z.string()).min(1).max(32).meta({
  description: "the reason of every stop in the standing that the person saw; one more than these is not resumed",
});

const approveBody = answerBody("approve");
const declineBody = answerBody("decline").extend({ reason });

function answerBody<T extends "approve" | "decline">(answer: T) {
  return z.strictObject({
    id: planId,
    digest: planDigest.meta({ description: "of the plan that the person saw" }),
    by: z.string().min(1).max(64).meta({ description: "the person's name, which is the token's" }),
    confirm: z.literal(answer),
  });
}

const declined = z.object({ id: z.string(), by: z.string(), text: z.string() });
const approved = declined.extend({ ready: z.boolean().meta({ description: "enough people have approved it" }) });

const backTo = amount
  .optional()
  .meta({ description: "its target, which a holding that has left its band is brought back to" });
const holdingAfter = z.object({
  holding: z.string(),
  now: amount,
  after: amount,
  low: amount.optional(),
  high: amount.optional(),
  backTo,
  missingNow: amount,
  missingAfter: amount,
});
const waitingPlan = z.object({
  id: planId,
  digest: planDigest.meta({ description: "SHA-256 of `pegbot plan`, content, expiresAt and persons, a line each" }),
  content: z.string().meta({ description: "to the letter, JSON: steps, prices, amounts, cost" }),
  expiresAt: moment,
  persons: z.number().int().meta({ description: "how many different people must approve it" }),
  at: moment,
  by: z.string(),
  approvals: z.array(z.object({ by: z.string(), at: moment })),
  holdings: z.array(holdingAfter).meta({
    description:
      "by the books now, with what is bound and on its way: what each holding has, would have after the plan, and how far it is outside its band",
  }),
});
export type WaitingPlan = z.output<typeof waitingPlan>;

const READINGS: readonly Operation[] = [
  {
    id: "status",
    summary: "How the bot stands: state and way out, equity, holdings, limits, feeds, budget",
    answer: statusSchema,
    act: ({ model }) => ok(model.status()),
  },
  {
    id: "orders",
    summary: "What is open, and the last decisions with what became of them",
    answer: z.object({ at: moment, open: z.array(submissionSchema), decisions: z.array(decisionSchema) }),
    act({ model }) {
      const { at, open, decisions } = model.status();
      return ok({ at, open, decisions });
    },
  },
  {
    id: "fills",
    summary: "The last fills, newest last",
    answer: z.object({ at: moment, fills: z.array(fillSchema) }),
    act: ({ model }) => ok({ at: model.status().at, fills: model.fills() }),
  },
  {
    id: "balances",
    summary: "What is held of each asset, and the parts of it",
    answer: z.object({ at: moment, currency: z.string(), holdings: z.array(holdingSchema) }),
    act({ model }) {
      const { at, equity, holdings } = model.status();
      return ok({ at, currency: equity.currency, holdings });
    },
  },
  {
    id: "plans",
    summary: "Plans that wait for an approval, to the letter, and who has approved them",
    answer: z.object({ at: moment, plans: z.array(waitingPlan) }),
    failure: { status: 500, description: "the journal cannot be read" },
    async act({ model, plans }) {
      const waiting = await plans();
      return waiting.ok ? ok({ at: model.status().at, plans: waiting.value }) : waiting;
    },
  },
];

const ACTIONS: readonly Operation[] = [
  acting({
    id: "halt",
    summary: "Stops everything that moves money, until a person resumes",
    body: z.strictObject({ reason }),
    answer: z.object({ state: z.literal("HALTED"), reason: z.string() }),
    failure: {
      status: 500,
      description: "stopped, but the stop could not be written down: a restart would not know it",
      state: "HALTED",
    },
    scope: "halt",
    act({ halt, token }, body) {
      const reason = printable(body.reason);
      const trouble = halt(reason, `api:${token}`);
      return trouble === undefined ? ok({ state: "HALTED", reason }) : err(trouble);
    },
  }),
  acting({
    id: "resume",
    summary: "Takes a stop back; it does not heal the cause, and a stop of the bot's own may stand beneath it",
    body: z.strictObject({ reason, confirm: z.literal("resume"), seen }),
    answer: z.object({ state, reason: z.string() }),
    failure: { status: 409, description: "not resumed: the error says what stands in the way" },
    act: ({ resume, token }, { reason, seen }) => resume(printable(reason), `api:${token}`, seen),
  }),
  acting({
    id: "heartbeat",
    summary: "Sending is still wanted, where `risk.heartbeatMsMax` asks for it",
    body: z.strictObject({ by: person.meta({ description: "who says so: a name, a watchdog" }) }),
    answer: z.object({ at: moment }),
    failure: { status: 409, description: "not heard: the bot does not trade yet" },
    scope: "halt",
    act({ heartbeat, model, token }, { by }) {
      const trouble = heartbeat(`${printable(by)} (api:${token})`);
      return trouble === undefined ? ok({ at: model.status().at }) : err(trouble);
    },
  }),
  acting({
    id: "approve",
    summary: "A person agrees to a plan exactly as they saw it, before it expires",
    body: approveBody,
    answer: approved,
    failure: { status: 409, description: "not approved: the error says what stands in the way" },
    async act({ approve, token }, { confirm: _, ...plan }) {
      const done = await approve(plan, token);
      return done.ok ? ok({ ...done.value, id: plan.id }) : done;
    },
  }),
  acting({
    id: "decline",
    summary: "A person says no to a plan that is not begun; one no is enough",
    body: declineBody,
    answer: declined,
    failure: { status: 409, description: "not declined: the error says what stands in the way" },
    async act({ decline, token }, { confirm: _, ...plan }) {
      const done = await decline(plan, token);
      return done.ok ? ok({ ...done.value, id: plan.id }) : done;
    },
  }),
];

/** Ties the action of an operation to the type of its body, which `answer` checks. */
function acting<B>(operation: Operation<B> & { readonly body: z.ZodType<B> }): Operation {
  return operation as unknown as Operation;
}

export const OPERATIONS = [...READINGS, ...ACTIONS].map((operation) => ({
  method: operation.body === undefined ? ("GET" as const) : ("POST" as const),
  path: `/api/${operation.id}`,
  scope: operation.scope ?? (operation.body === undefined ? "read" : "approve"),
  operation,
}));

export async function operate({ body, failure, act }: Operation, parts: ApiParts, request: IncomingMessage) {
  const read = body === undefined ? ok(undefined) : await readBody(request, body);
  if (!read.ok) return read.error;
  const done = await act(parts, read.value);
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
const problem = z.object({ error: z.string(), state: state.optional() });

export function apiDocument(version: string): Readonly<Record<string, unknown>> {
  const description =
    "Of a running bot, on its own machine unless it was told otherwise. The owner's token is in the .token file next to the journal; `pegbot token` makes others.";
  return {
    openapi: "3.1.0",
    info: { title: "pegbot control API", version, description },
    security: [{ token: [] }],
    paths: Object.fromEntries(
      OPERATIONS.map(({ path, method, operation }) => [path, { [method.toLowerCase()]: described(operation) }]),
    ),
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

function described({ id, summary, body, answer, failure }: Operation): Readonly<Record<string, unknown>> {
  const failures = {
    ...FAILURES,
    ...(body === undefined ? {} : BODY_FAILURES),
    ...(failure === undefined ? {} : { [failure.status]: failure.description }),
  };
  const refusals = Object.entries(failures).map(([code, description]) => [
    code,
    { description, ...(code === "403" ? {} : { content: content(problem, "output") }) },
  ]);
  return {
    operationId: id,
    summary,
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(body, "input") } }),
    responses: { 200: { description: "done", content: content(answer, "output") }, ...Object.fromEntries(refusals) },
  };
}

function content(schema: z.ZodType, io: "input" | "output"): Readonly<Record<string, unknown>> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { "application/json": { schema: shape } };
}
