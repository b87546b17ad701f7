// The life of a request, shared by all calls: slot, recheck, nonce, body, signature, the durable record if money moves,
// connection, last check, one write, answer, end of the slot. The slot ends exactly once, whatever happens.

import { createHash } from "node:crypto";
import type { Result } from "../domain/result.ts";
import { type Clock, type Millis, millis } from "../domain/time.ts";
import type { Budget, Slot } from "./budget/budget.ts";
import type { SlotEnd } from "./budget/pacing.ts";
import type { CallBody, CallPath } from "./endpoint/endpoint.ts";
import type { Signer } from "./key/signer.ts";
import type { Failure, MoneyWant, Nonce } from "./port.ts";
import type { Profile } from "./profile.ts";
import type { Answer, Observation } from "./wire/http-attempt.ts";
import type { Transport } from "./wire/transport.ts";

export type CallParts = {
  readonly clock: Clock;
  readonly budget: Budget;
  readonly transport: Transport;
  readonly signer: Signer;
  readonly profile: Profile;
  readonly userAgent: string;
};

export type Call = {
  readonly path: CallPath;
  readonly method: "GET" | "POST";
  /** Called once, at the slot; both the signed text and the sent body come from the result. */
  body(at: Millis): Result<CallBody | undefined>;
  /** The hooks of a request that moves money. */
  readonly money: MoneyWant | undefined;
  /** Shadow: the public read that leaves in its place, with neither body nor signature. */
  readonly look?: CallPath;
};

export type Called<V> = {
  readonly verdict: V;
  readonly nonce: Nonce | undefined;
  readonly answer: Answer | undefined;
};

/** The part of a verdict that the budget needs: a rate-limit answer must be known before the next slot opens. */
type Verdict = { readonly kind: string; readonly failure?: Failure };

/**
 * From the slot to the socket by the wall clock; longer than connecting may take. The lease has the same limit by the
 * monotonic clock, which stops on some systems while they sleep.
 */
const PREPARE_MS_MAX = 8_000;

/** Spends a slot that was already granted. */
export async function callWith<V extends Verdict>(
  parts: CallParts,
  slot: Slot,
  call: Call,
  classify: (observation: Observation) => V,
): Promise<Called<V>> {
  let end: SlotEnd = { kind: "unspent" };
  try {
    const began = parts.clock.now();
    const prepared = prepare(parts, slot, call);
    const { nonce } = prepared;
    if (prepared.kind === "stopped")
      return { verdict: classify({ ...prepared, kind: "not-sent" }), nonce, answer: undefined };
    // Until the observation shows otherwise, the request may have been sent.
    end = { kind: "abandoned" };
    const written =
      call.look === undefined
        ? { method: call.method, path: call.path, headers: prepared.headers, body: prepared.body?.sent }
        : { method: "GET" as const, path: call.look, headers: commonHeaders(parts, undefined), body: undefined };
    const observation = await parts.transport.send({
      ...written,
      fresh: call.money !== undefined,
      gate: () => {
        const elapsed = parts.clock.now() - began;
        if (elapsed > PREPARE_MS_MAX) return `the machine stood still for ${elapsed} ms between slot and socket`;
        // The lease first, because reading it takes time: the kill switch must be checked last.
        return slot.held() ? call.money?.lastCheck(prepared.body?.sent) : "the slot was lost";
      },
    });
    const verdict = classify(observation);
    end = endOf(observation, verdict.failure?.code === "rate-limited", call.path);
    const answer = observation.kind === "answer" ? observation.answer : undefined;
    if (answer?.at !== undefined) parts.budget.observe(answer.at, answer.receivedAt);
    return { verdict, nonce, answer };
  } finally {
    slot.end(end);
  }
}

type Prepared =
  | { readonly kind: "ready"; readonly headers: Headers; readonly body: CallBody | undefined; readonly nonce?: Nonce }
  | { readonly kind: "stopped"; readonly code: string; readonly message: string; readonly nonce?: Nonce };
type Headers = Record<string, string>;

function prepare(parts: CallParts, slot: Slot, call: Call): Prepared {
  const { clock, signer, profile } = parts;
  const now = clock.now();
  const outdated = call.money?.recheck(now);
  if (outdated !== undefined) return { kind: "stopped", code: "outdated", message: outdated };
  const drawn = call.path.startsWith("/private/") ? slot.nonce() : undefined;
  if (drawn?.ok === false) return { kind: "stopped", code: "no-nonce", message: drawn.error };
  const nonce = drawn?.value;
  // A nonce is within seconds of the venue's clock, whatever ours is.
  const made = call.body(nonce === undefined ? now : millis(nonce));
  if (!made.ok) return { kind: "stopped", code: "invalid", message: made.error, ...(nonce && { nonce }) };
  const body = made.value;
  const headers = commonHeaders(parts, body);
  if (nonce === undefined) return { kind: "ready", headers, body };
  headers["x-app-nonce"] = String(nonce);
  if (call.look === undefined)
    headers["x-app-signed-data"] = signer.sign({ path: call.path, body: body?.signed ?? "", nonce }, profile);
  const unrecorded = call.money === undefined ? undefined : recordSending(parts, call.money, nonce, body);
  return unrecorded === undefined
    ? { kind: "ready", headers, body, nonce }
    : { kind: "stopped", code: "not-recorded", message: unrecorded, nonce };
}

function commonHeaders({ userAgent, signer }: CallParts, body: CallBody | undefined): Headers {
  return {
    "user-agent": userAgent,
    "x-app-public-key": signer.publicKey,
    accept: "application/json",
    "accept-encoding": "identity",
    ...(body === undefined ? {} : { "content-type": body.contentType }),
  };
}

/** Returns a reason if the record is not on disk; nothing may be sent then. */
function recordSending(
  { transport }: CallParts,
  money: MoneyWant,
  nonce: Nonce,
  body: CallBody | undefined,
): string | undefined {
  const digest = createHash("sha256")
    .update(body?.sent ?? "")
    .digest("hex");
  try {
    money.sending({ nonce, digest, host: transport.host });
    return undefined;
  } catch (error) {
    return `the record of sending could not be written: ${error instanceof Error ? error.message : "unknown error"}`;
  }
}

function endOf(observation: Observation, rateLimited: boolean, path: CallPath): SlotEnd {
  switch (observation.kind) {
    case "not-sent":
      return { kind: "unspent" };
    case "broken":
      return { kind: "abandoned" };
    case "answer": {
      const { status, retryAfterMs: ms } = observation.answer;
      const call = path.slice(path.lastIndexOf("/") + 1);
      const isPause = ms !== undefined && (status === 429 || status === 503);
      return { kind: "answered", rateLimited, retryAfter: isPause ? { ms, status, call } : undefined };
    }
  }
}
