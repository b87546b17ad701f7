// What an observation means, by the venue's code, then by the status, then by the shape. For a request that moves money
// an answer is definite only when it is one of the few that cannot mean anything else; all others are doubt.

import { printable } from "../domain/outside-text.ts";
import type { Answer, Observation } from "./attempt.ts";
import type { Receipt } from "./endpoint/endpoint.ts";
import { errorBody, objection } from "./endpoint/venue-error.ts";
import { type Json, type JsonProblem, listLimits, parseJson } from "./json.ts";
import type { Failure } from "./port.ts";
import { type Notes, type Read, read, type Shape } from "./shape.ts";

export type ReadVerdict<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "failed"; readonly failure: Failure };

export type MoneyVerdict<T> =
  | { readonly kind: "accepted"; readonly value: T }
  | { readonly kind: "rejected"; readonly failure: Failure }
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string }
  | { readonly kind: "doubt"; readonly failure: Failure; readonly halt: boolean };

export function classifyRead<T>(observation: Observation, shape: Shape<T>, notes: Notes): ReadVerdict<T> {
  if (observation.kind !== "answer") return { kind: "failed", failure: unanswered(observation) };
  const { answer } = observation;
  const body = parseJson(answer.body, listLimits);
  if (answer.status !== 200) return { kind: "failed", failure: ofRead(refusal(answer, body).failure) };
  if (!body.ok) return { kind: "failed", failure: unreadable(answer, body.error) };
  // First, and also when it cannot be read: an empty list beside an error would pass for "nothing happened".
  const against = read(objection, body.value, noNotes());
  if (!against.ok) return { kind: "failed", failure: misshapen(answer, against.error) };
  if (against.value !== undefined) return { kind: "failed", failure: said(answer.status, against.value) };
  const value = read(shape, body.value, notes);
  return value.ok ? { kind: "read", value: value.value } : { kind: "failed", failure: misshapen(answer, value.error) };
}

export function classifyMoney<T>(observation: Observation, shape: Shape<Receipt<T>>, notes: Notes): MoneyVerdict<T> {
  if (observation.kind === "not-sent") return { kind: "not-sent", code: observation.code, reason: observation.message };
  if (observation.kind === "broken") return doubt(unanswered(observation), observation.code === "two-answers");
  const { answer } = observation;
  const body = parseJson(answer.body);
  if (answer.status !== 200) {
    const { failure, documented } = refusal(answer, body);
    if (!body.ok || !documented || (answer.status !== 400 && answer.status !== 403)) return doubt(failure);
    // The body must agree: one that also shows a fill or an id is no refusal.
    const receipt = read(shape, body.value, notes);
    if (receipt.ok && receipt.value.kind === "contradiction") return judged(receipt.value, answer);
    return receipt.ok && receipt.value.kind === "rejected" ? rejected(failure) : doubt(failure);
  }
  if (!body.ok) return doubt(unreadable(answer, body.error));
  const receipt = read(shape, body.value, notes);
  return receipt.ok ? judged(receipt.value, answer) : doubt(misshapen(answer, receipt.error));
}

function judged<T>(receipt: Receipt<T>, answer: Answer): MoneyVerdict<T> {
  switch (receipt.kind) {
    case "accepted":
      return receipt;
    case "rejected": {
      const { venueCode, message } = receipt;
      return rejected(said(answer.status, { code: venueCode, message }));
    }
    case "contradiction":
      return doubt(failureOf("contradiction", answer.status, receipt.message), true);
    case "unclear":
      return doubt(failureOf("unclear", answer.status, receipt.message));
  }
}

/** These say that the request was not looked at, and are said of requests that landed too (a copy, a second arrival). */
const AMBIGUOUS: ReadonlySet<string> = new Set(["unauthorized", "rate-limited"]);

/** So does an unknown code that speaks of a copy, of a request still under way, or of trouble on the venue's own side. */
const LANDED = /duplicat|already|pending|processing|progress|timed?[ _-]?out|internal|unavailable/i;

function rejected(failure: Failure): MoneyVerdict<never> {
  const ambiguous =
    AMBIGUOUS.has(failure.code) || (failure.code === "unknown-code" && LANDED.test(failure.venueCode ?? ""));
  return ambiguous ? doubt(failure) : { kind: "rejected", failure };
}

/** The venue's codes as far as they are known, the contract's first; spelling with blanks or dashes counts as the same. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ["bad_request", "bad-request"],
  ["unknown_symbol", "unknown-symbol"],
  ["invalid_order", "invalid-order"],
  ["min_amount_below_threshold", "below-minimum"],
  ["signature_failure", "unauthorized"],
  ["kyb_required", "kyb-required"],
  ["agreement_missing", "agreement-missing"],
  ["external_wallet_not_whitelisted", "not-whitelisted"],
  ["rate_limited", "rate-limited"],
  ["fok_not_fillable", "not-fillable"],
  ["invalid_nonce", "unauthorized"],
  ["invalid_request_limit", "rate-limited"],
  ["limit_too_far_from_market_price", "price-out-of-band"],
  ["non_marketable_fok_limit_price", "not-fillable"],
]);

function refusal(answer: Answer, body: Body): { failure: Failure; documented: boolean } {
  const { status } = answer;
  const error = body.ok ? errorIn(body.value) : undefined;
  if (error?.code !== undefined) return { failure: said(answer.status, error), documented: true };
  if (status === 403 && mentionsRate(error?.message ?? textOf(answer)))
    return { failure: failureOf("rate-limited", status, "the venue mentions its rate limit"), documented: false };
  const shown = error?.message === undefined ? "without a readable error" : `: ${error.message}`;
  return { failure: failureOf(codeOfStatus(status), status, `status ${status} ${shown}`), documented: false };
}

type VenueError = { readonly code: string | undefined; readonly message: string | undefined };

/** A refusal by its status and error, where no text was sent: what the same answer would mean on the wire. */
export function refusedRead(status: number, error: VenueError): Failure {
  return ofRead(said(status, error));
}

/** A read refused with a code that nobody knows is refused by its status: whoever may not ask is told so. */
function ofRead(failure: Failure): Failure {
  const isForbidden = failure.status === 403 && (failure.code === "unknown-code" || failure.code === "rejected");
  return isForbidden ? { ...failure, code: "forbidden" } : failure;
}

/** The same for a request that moves money. */
export function refusedMoney(status: number, error: VenueError): MoneyVerdict<never> {
  const failure = said(status, error);
  return UNCODED.has(status) ? rejected(failure) : doubt(failure);
}

function said(status: number, error: VenueError): Failure {
  const { code: venueCode, message } = error;
  const known = venueCode === undefined ? undefined : KNOWN.get(venueCode.toLowerCase().replace(/[ -]/g, "_"));
  const rate = known === undefined && status === 403 && mentionsRate(`${venueCode ?? ""} ${message ?? ""}`);
  const unknown = venueCode === undefined ? "rejected" : "unknown-code";
  const code = known ?? (rate ? "rate-limited" : UNCODED.has(status) ? unknown : codeOfStatus(status));
  const text = [venueCode, message].filter((part) => part !== undefined && part !== "").join(": ");
  return { ...failureOf(code, status, text === "" ? "the venue refused without a word" : text), venueCode };
}

/** Statuses under which the code alone says what is meant. */
const UNCODED: ReadonlySet<number> = new Set([200, 400, 403]);

function codeOfStatus(status: number): string {
  if (status === 400) return "bad-request";
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return "not-found";
  if (status === 429) return "rate-limited";
  if (status >= 300 && status < 400) return "redirect";
  return status >= 500 && status < 600 ? "venue-down" : "unexpected-status";
}

type Body = ReturnType<typeof parseJson>;

function errorIn(json: Json): Read<typeof errorBody> {
  const found = read(errorBody, json, noNotes());
  return found.ok ? found.value : undefined;
}

/** Another reading of the same body has counted its fields. */
function noNotes(): Notes {
  return { unknown: new Map(), problems: [] };
}

function unanswered(observation: Exclude<Observation, { kind: "answer" }>): Failure {
  const status = observation.kind === "broken" ? observation.status : undefined;
  return failureOf(observation.code, status, observation.message);
}

function unreadable(answer: Answer, problem: JsonProblem): Failure {
  const html = /html/i.test(answer.contentType ?? "") || /^\s*</.test(textOf(answer));
  return html
    ? failureOf("html", answer.status, "the answer is a web page")
    : failureOf(problem, answer.status, `the answer is not acceptable JSON: ${problem}`);
}

function misshapen(answer: Answer, problem: string): Failure {
  return failureOf("unreadable", answer.status, problem);
}

function doubt(failure: Failure, halt = false): { kind: "doubt"; failure: Failure; halt: boolean } {
  return { kind: "doubt", failure, halt };
}

const MESSAGE_MAX = 400;

/** Long runs of key material are cut out: a venue may quote our own headers back at us. */
function failureOf(code: string, status: number | undefined, message: string): Failure {
  const shown = printable(message, MESSAGE_MAX).replace(/[A-Za-z0-9+/_=-]{40,}/g, "...");
  return { code, status, venueCode: undefined, message: shown };
}

function textOf(answer: Answer): string {
  return Buffer.from(answer.body.subarray(0, 2_000)).toString("latin1");
}

function mentionsRate(text: string): boolean {
  return /\brate\b|\brate[_-]?limit|too many requests/i.test(text);
}
