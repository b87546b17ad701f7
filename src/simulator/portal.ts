// The actions of people at the real service, as JSON calls next to the API. Input is strict: unknown fields, wrong
// types and unknown keys are refused with code, status and message.

import { z } from "zod";
import type { Asset, PairSymbol } from "../domain/asset.ts";
import { jsonOf } from "../domain/json-of.ts";
import { Price, Quantity } from "../domain/money/money.ts";
import type { ClientOrderId } from "../domain/order.ts";
import { ok, type Result } from "../domain/result.ts";
import { complaintsOf } from "../domain/schema-complaint.ts";
import type { Moment, Pair } from "./core/record.ts";
import type { Answer } from "./core/refusal.ts";
import { MINT_HOLDS, RAIL_HOLDS } from "./core/settlement.ts";
import { amount, type FaultPlan, faultsSchema } from "./fault.ts";
import { type ApiRequest, BODY_BYTES_MAX, type ErrorBody, errorReply, json, type Reply } from "./http/request.ts";
import type { RequestLog } from "./http/request-log.ts";
import { parsePublicKey } from "./http/signature.ts";
import type { Action, VenueWriter } from "./venue-writer.ts";

export const PORTAL_PREFIX = "/portal/";

type PortalParts = {
  readonly writer: VenueWriter;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
};
export type PortalAnswer = Result<unknown, ErrorBody>;
type Post = { readonly input: z.ZodType; readonly act: (input: never, parts: PortalParts) => Promise<PortalAnswer> };

export async function answerPortal(request: ApiRequest, parts: PortalParts): Promise<Reply> {
  const answer = await route(request, parts);
  if (answer.ok) return json(answer.value);
  const { code, message } = answer.error;
  // The core reports an unknown key as a failed signature, but portal calls are not signed.
  const isUnknownKey = code === "signature_failure";
  return errorReply(isUnknownKey ? { status: 404, code: "not_found", message } : answer.error, "contract");
}

async function route({ method, path, query, ...request }: ApiRequest, parts: PortalParts): Promise<PortalAnswer> {
  const name = path.slice(PORTAL_PREFIX.length);
  const read = Object.hasOwn(reads, name) ? reads[name] : undefined;
  const post = Object.hasOwn(posts, name) ? posts[name as keyof typeof posts] : undefined;
  if (read === undefined && post === undefined) return refuse(404, "not_found", `no such portal route: ${name}`);
  if (method === "GET" && read) return read(query, parts);
  if (method !== "POST" || !post) return refuse(405, "method_not_allowed", `${method} is not for this`);
  const input = readInput(request);
  return input.ok ? doPortal(name, input.value, parts) : input;
}

/** One POST of the portal. */
export async function doPortal(name: string, value: unknown, parts: PortalParts): Promise<PortalAnswer> {
  if (!Object.hasOwn(posts, name)) return refuse(404, "not_found", `no such portal route: ${name}`);
  const { input, act }: Post = posts[name as keyof typeof posts];
  const parsed = input.safeParse(value);
  if (parsed.success) return act(parsed.data as never, parts);
  const wrong = complaintsOf(parsed.error.issues, value, (path) => path.join(".") || "the body");
  return refuse(400, "bad_request", wrong.join("; "));
}

function readInput({ body, headers }: Pick<ApiRequest, "body" | "headers">): PortalAnswer {
  if (body === undefined) return refuse(413, "body_too_large", `body must be at most ${BODY_BYTES_MAX} bytes`);
  // A page of another origin cannot send this content type without a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return refuse(400, "bad_request", "content type must be application/json");
  const value = jsonOf(body.toString("utf8"));
  return value === undefined ? refuse(400, "bad_request", "body must be JSON") : ok(value);
}

const reads: Readonly<Record<string, (query: URLSearchParams, parts: PortalParts) => PortalAnswer>> = {
  "": () => ok({ routes: [...Object.keys(reads), ...Object.keys(posts)].filter((name) => name !== "").sort() }),
  ledger: (query, { writer }) => {
    const key = query.get("publicKey") ?? undefined;
    if (key !== undefined && !writer.venue.knows(key)) return refuse(404, "not_found", "public key is not registered");
    return ok({ postings: writer.venue.ledger(key) });
  },
  requests: (query, { log }) => {
    const seen = log.of(query.get("publicKey") ?? undefined);
    const requests = seen.map(({ arrivedAt, arrivedMono: monotonicMs, ...rest }) => ({
      arrivedAt: new Date(arrivedAt).toISOString(),
      monotonicMs,
      ...rest,
    }));
    return ok({ requests });
  },
  faults: (_query, { faults }) => ok(faultsOf(faults)),
  clock: (_query, { writer }) => ok(times(writer.moment())),
};

const publicKey = z.string().min(1).max(400);
const text = z.string().min(1).max(200);
const asset = text.transform((name) => name as Asset);
const symbol = z
  .string()
  .regex(/^[A-Z0-9]{2,12}\/[A-Z0-9]{2,12}$/, "symbol must look like BASE/QUOTE")
  .transform((text) => text as PairSymbol);
const quantity = amount.transform((text) => Quantity.of(text));
const limit = amount.refine((text) => Price.parse(text).ok, "must be above zero").transform((text) => Price.of(text));
const listing = {
  status: text.optional(),
  quantityDecimals: z.int().min(0).max(8).optional(),
  priceDecimals: z.int().min(0).max(10).optional(),
  quantityMin: quantity.optional(),
  feeBps: z.number().optional(),
};
const hold = { held: z.boolean(), reason: z.enum([...MINT_HOLDS, ...RAIL_HOLDS]).optional() };
const YEAR_MS = 366 * 86_400_000;

export const posts = {
  keys: on({ publicKey }, async ({ publicKey: key }, { writer }) => {
    const parsed = parsePublicKey(key);
    if (!parsed.ok) return refuse(400, "bad_request", parsed.error);
    const done = await writer.perform((venue) => venue.registerKey(key));
    return done.ok ? ok({ publicKey: key, curve: parsed.value.curve }) : done;
  }),
  kyb: does({ publicKey, cleared: z.boolean() }, ({ publicKey: key, cleared }, venue) => venue.clearKyb(key, cleared)),
  agreements: does(
    { publicKey, product: z.enum(["issuance", "conversion"]), signed: z.boolean() },
    ({ publicKey: key, product, signed }, venue) => venue.signAgreement(key, product, signed),
  ),
  credits: does({ publicKey, asset, amount: quantity }, ({ publicKey: key, asset, amount }, venue, at) =>
    venue.credit(key, asset, amount, at),
  ),
  addresses: does(
    {
      ...{ publicKey, asset, blockchain: text, address: text, label: text, confirmed: z.boolean() },
      travelRule: z.strictObject({ originator: text, beneficiary: text }).nullable().optional(),
    },
    ({ publicKey: key, confirmed, travelRule, ...address }, venue) => {
      // Travel Rule data that the body omits count as captured; null means that they are missing.
      const captured = { originator: address.label, beneficiary: address.label };
      const status = confirmed ? "Confirmed" : "Unconfirmed";
      const rule = travelRule === undefined ? captured : (travelRule ?? undefined);
      return venue.whitelist(key, { ...address, status, travelRule: rule });
    },
  ),
  holds: does(
    z.union([z.strictObject({ requestid: text, ...hold }), z.strictObject({ railid: text, ...hold })]),
    ({ held, reason, ...named }, venue, at) =>
      venue.hold("requestid" in named ? named.requestid : named.railid, held, at, reason),
  ),
  payments: on({ railid: text, amount: quantity }, async ({ railid, amount }, { writer }) => {
    const paid = await writer.perform((venue, at) => venue.pay(railid, amount, at));
    return paid.ok ? ok({ railid, paymentid: paid.value.paymentId, status: paid.value.status }) : paid;
  }),
  // What the body omits is absent, not undefined.
  pairs: does({ symbol, ...listing }, ({ symbol, ...changed }, venue) =>
    venue.setPair(symbol, changed as Partial<Pair>),
  ),
  orders: does(
    { publicKey, symbol, side: z.enum(["buy", "sell"]), quantity, limit },
    ({ publicKey: key, ...order }, venue, at) =>
      venue.placeOrder(key, { clientOrderId: "portal" as ClientOrderId, ...order }, at),
  ),
  clock: on({ advanceMs: z.int().min(0).max(YEAR_MS) }, async ({ advanceMs }, { writer }) =>
    ok(times(await writer.advance(advanceMs))),
  ),
  faults: on(faultsSchema, async ({ rules }, { faults }) => {
    faults.set(rules);
    return ok(faultsOf(faults));
  }),
} satisfies Readonly<Record<string, Post>>;

type Input = z.ZodRawShape | z.ZodType;
type Read<I extends Input> = I extends z.ZodType ? z.output<I> : z.output<z.ZodObject<Extract<I, z.ZodRawShape>>>;

/** Ties the action of a route to the type of its input. */
function on<const I extends Input>(input: I, act: (input: Read<I>, parts: PortalParts) => Promise<PortalAnswer>): Post {
  return { input: input instanceof z.ZodType ? input : z.strictObject(input), act };
}

/** Performs one action at the venue and answers with the input. */
function does<const I extends Input>(
  input: I,
  act: (input: Read<I>, ...where: Parameters<Action<unknown>>) => Answer<unknown>,
): Post {
  return on(input, async (given, { writer }) => {
    const done = await writer.perform((venue, at) => act(given, venue, at));
    return done.ok ? ok(given) : done;
  });
}

function faultsOf(faults: FaultPlan): unknown {
  return { rules: faults.list().map(({ rule, seen, struck }) => ({ ...rule, seen, struck })) };
}

function times({ venue, settlement }: Moment): unknown {
  return { now: new Date(venue).toISOString(), settlement: new Date(settlement).toISOString() };
}

function refuse(status: number, code: string, message: string): { readonly ok: false; readonly error: ErrorBody } {
  return { ok: false, error: { status, code, message } };
}
