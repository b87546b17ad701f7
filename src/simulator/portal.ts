// What people do by hand at the real service, as JSON calls beside the API. Input is strict: unknown fields, wrong types
// and unknown keys are refused with code, status and message.

import { z } from "zod";
import { ok, type Result } from "../domain/result.ts";
import { complaintsOf } from "../domain/schema-complaint.ts";
import type { Moment } from "./core/record.ts";
import { type FaultPlan, faultsSchema } from "./fault.ts";
import { type ApiRequest, BODY_BYTES_MAX, type ErrorBody, errorReply, json, type Reply } from "./http/request.ts";
import type { RequestLog } from "./http/request-log.ts";
import { parsePublicKey } from "./http/signature.ts";
import type { AddressText } from "./operation.ts";
import type { VenueWriter } from "./venue-writer.ts";

export const PORTAL_PREFIX = "/portal/";

type PortalParts = { readonly writer: VenueWriter; readonly faults: FaultPlan; readonly log: RequestLog };
type PortalAnswer = Result<unknown, ErrorBody>;
type Post = (input: never, parts: PortalParts) => Promise<PortalAnswer>;

export async function answerPortal(request: ApiRequest, parts: PortalParts): Promise<Reply> {
  const answer = await route(request, parts);
  if (answer.ok) return json(answer.value);
  // The core's word for a stranger is a failed signature; nothing is signed here.
  const stranger = answer.error.code === "signature_failure";
  return errorReply(
    stranger ? { status: 404, code: "not_found", message: answer.error.message } : answer.error,
    "contract",
  );
}

async function route(request: ApiRequest, parts: PortalParts): Promise<PortalAnswer> {
  const name = request.path.slice(PORTAL_PREFIX.length);
  const read = Object.hasOwn(reads, name) ? reads[name] : undefined;
  const post = Object.hasOwn(posts, name) ? posts[name as PortalInput] : undefined;
  if (read === undefined && post === undefined) return refuse(404, "not_found", `no such portal route: ${name}`);
  if (request.method === "GET" && read) return read(request.query, parts);
  if (request.method !== "POST" || !post) return refuse(405, "method_not_allowed", `${request.method} is not for this`);
  const input = readInput(request, portalInput[name as PortalInput]);
  return input.ok ? post(input.value as never, parts) : input;
}

function readInput<S extends z.ZodType>(request: ApiRequest, schema: S): Result<z.output<S>, ErrorBody> {
  if (request.body === undefined) return refuse(413, "body_too_large", `body must be at most ${BODY_BYTES_MAX} bytes`);
  // A page of another origin cannot send this type without asking first.
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? ""))
    return refuse(400, "bad_request", "content type must be application/json");
  let value: unknown;
  try {
    value = JSON.parse(request.body.toString("utf8"));
  } catch {
    return refuse(400, "bad_request", "body must be JSON");
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? ok(parsed.data) : refuse(400, "bad_request", wrongOf(parsed.error.issues, value));
}

function wrongOf(issues: z.core.$ZodIssue[], body: unknown): string {
  return complaintsOf(issues, body, (path) => path.join(".") || "the body").join("; ");
}

const reads: Readonly<Record<string, (query: URLSearchParams, parts: PortalParts) => PortalAnswer>> = {
  "": () => ok({ routes: [...Object.keys(reads), ...Object.keys(posts)].filter((name) => name !== "").sort() }),
  ledger: (query, { writer }) => {
    const key = query.get("publicKey") ?? undefined;
    if (key !== undefined && !writer.venue.knows(key)) return refuse(404, "not_found", "public key is not registered");
    return ok({ postings: writer.venue.ledger(key) });
  },
  requests: (query, { log }) =>
    ok({
      requests: log.of(query.get("publicKey") ?? undefined).map(({ arrivedAt, arrivedMono, ...rest }) => ({
        arrivedAt: new Date(arrivedAt).toISOString(),
        monotonicMs: arrivedMono,
        ...rest,
      })),
    }),
  faults: (_query, { faults }) => ok(faultsOf(faults)),
  clock: (_query, { writer }) => ok(times(writer.moment())),
};

const posts: Readonly<Record<PortalInput, Post>> = {
  keys: on<"keys">(async ({ publicKey }, { writer }) => {
    const parsed = parsePublicKey(publicKey);
    if (!parsed.ok) return refuse(400, "bad_request", parsed.error);
    return echo({ publicKey, curve: parsed.value.curve }, await writer.perform({ kind: "register", key: publicKey }));
  }),
  kyb: on<"kyb">(async (input, { writer }) =>
    echo(input, await writer.perform({ kind: "kyb", key: input.publicKey, cleared: input.cleared })),
  ),
  agreements: on<"agreements">(async (input, { writer }) => {
    const { publicKey: key, product, signed } = input;
    return echo(input, await writer.perform({ kind: "agreement", key, product, signed }));
  }),
  credits: on<"credits">(async (input, { writer }) => {
    const { publicKey: key, asset, amount } = input;
    return echo(input, await writer.perform({ kind: "credit", key, asset, amount }));
  }),
  addresses: on<"addresses">(async (input, { writer }) =>
    echo(input, await writer.perform({ kind: "whitelist", key: input.publicKey, address: addressOf(input) })),
  ),
  holds: on<"holds">(async (input, { writer }) => {
    const id = "requestid" in input ? input.requestid : input.railid;
    return echo(input, await writer.perform({ kind: "hold", id, held: input.held }));
  }),
  payments: on<"payments">(async ({ railid, amount }, { writer }) => {
    const paid = await writer.perform({ kind: "pay", railId: railid, amount });
    return paid.ok ? ok({ railid, paymentid: paid.value.paymentId, status: paid.value.status }) : paid;
  }),
  pairs: on<"pairs">(async (input, { writer }) => {
    const { symbol, ...change } = input;
    return echo(input, await writer.perform({ kind: "pair", symbol, change }));
  }),
  clock: on<"clock">(async ({ advanceMs }, { writer }) => ok(times(await writer.advance(advanceMs)))),
  faults: on<"faults">(async ({ rules }, { faults }) => {
    faults.set(rules);
    return ok(faultsOf(faults));
  }),
};

/** Ties a route's function to the type of its own input. */
function on<N extends PortalInput>(
  post: (input: z.output<(typeof portalInput)[N]>, parts: PortalParts) => Promise<PortalAnswer>,
): Post {
  return post as Post;
}

function echo(input: unknown, done: Result<unknown, ErrorBody>): PortalAnswer {
  return done.ok ? ok(input) : done;
}

/** Travel Rule data that nobody mentions are taken as captured; null says that they are missing. */
function addressOf(input: z.output<typeof portalInput.addresses>): AddressText {
  const { asset, blockchain, address, label, confirmed, travelRule } = input;
  const captured = travelRule === undefined ? { originator: label, beneficiary: label } : (travelRule ?? undefined);
  return { asset, blockchain, address, label, status: confirmed ? "Confirmed" : "Unconfirmed", travelRule: captured };
}

function faultsOf(faults: FaultPlan): unknown {
  return { rules: faults.list().map(({ rule, seen, struck }) => ({ ...rule, seen, struck })) };
}

function times(moment: Moment): unknown {
  return { now: new Date(moment.venue).toISOString(), settlement: new Date(moment.settlement).toISOString() };
}

function refuse(status: number, code: string, message: string): { readonly ok: false; readonly error: ErrorBody } {
  return { ok: false, error: { status, code, message } };
}

// The bodies that the portal takes, route by route.

const publicKey = z.string().min(1).max(400);
const text = z.string().min(1).max(200);
const amount = z.string().regex(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/, "must be a plain decimal in quotes");
const YEAR_MS = 366 * 86_400_000;

export const portalInput = {
  keys: z.strictObject({ publicKey }),
  kyb: z.strictObject({ publicKey, cleared: z.boolean() }),
  agreements: z.strictObject({ publicKey, product: z.enum(["issuance", "conversion"]), signed: z.boolean() }),
  credits: z.strictObject({ publicKey, asset: text, amount }),
  addresses: z.strictObject({
    publicKey,
    asset: text,
    blockchain: text,
    address: text,
    label: text,
    confirmed: z.boolean(),
    travelRule: z.strictObject({ originator: text, beneficiary: text }).nullable().optional(),
  }),
  holds: z.union([
    z.strictObject({ requestid: text, held: z.boolean() }),
    z.strictObject({ railid: text, held: z.boolean() }),
  ]),
  payments: z.strictObject({ railid: text, amount }),
  pairs: z.strictObject({
    symbol: text,
    status: text.optional(),
    quantityDecimals: z.int().min(0).max(8).optional(),
    priceDecimals: z.int().min(0).max(10).optional(),
    quantityMin: amount.optional(),
  }),
  clock: z.strictObject({ advanceMs: z.int().min(0).max(YEAR_MS) }),
  faults: faultsSchema,
} as const;

type PortalInput = keyof typeof portalInput;
