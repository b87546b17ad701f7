// Classifies an observation by the venue's code, then by the status, then by the shape. For a request that moves money
// an answer is definite only if the interface names it as a success or a refusal; any other answer is a doubt.

import { printable } from "../domain/sanitise.ts";
import type { MoneyEndpoint } from "./endpoint/endpoint.ts";
import { errorBody, objection } from "./endpoint/venue-error.ts";
import type { Failure, MoneyKind, Unread } from "./port.ts";
import { isGoodCode, isRefusal, isUncontradicted, nameOf, type VenueError } from "./refusals.ts";
import { type Decoder, type Read, read } from "./wire/decoder.ts";
import type { Answer, Observation } from "./wire/http-attempt.ts";
import { type Json, type JsonProblem, listLimits, parseJson } from "./wire/json.ts";

export type ReadVerdict<T> =
  /** `problems`: the rows that were left out, with reasons. */
  | { readonly kind: "read"; readonly value: T; readonly problems?: readonly Unread[] }
  | { readonly kind: "failed"; readonly failure: Failure };

export type MoneyVerdict<T> =
  | { readonly kind: "accepted"; readonly value: T }
  | { readonly kind: "rejected"; readonly failure: Failure }
  | { readonly kind: "not-sent"; readonly code: string; readonly reason: string }
  | { readonly kind: "doubt"; readonly failure: Failure; readonly halt: boolean };

export function classifyRead<T>(observation: Observation, shape: Decoder<T>): ReadVerdict<T> {
  if (observation.kind !== "answer") return { kind: "failed", failure: unanswered(observation) };
  const { answer } = observation;
  const body = parseJson(answer.body, listLimits);
  if (answer.status !== 200) return { kind: "failed", failure: ofRead(refusal(answer, body)) };
  if (!body.ok) return { kind: "failed", failure: unreadable(answer, body.error) };
  // First, and even if it cannot be decoded: an empty list with an error would pass for "nothing happened".
  const against = read(objection, body.value);
  if (!against.ok) return { kind: "failed", failure: misshapen(answer, against.error) };
  if (against.value !== undefined) return { kind: "failed", failure: said(answer.status, against.value) };
  const problems: Unread[] = [];
  const value = read(shape, body.value, problems);
  if (!value.ok) return { kind: "failed", failure: misshapen(answer, value.error) };
  return { kind: "read", value: value.value, ...(problems.length > 0 && { problems }) };
}

/** `further`: the profile's additional refusal codes. */
export function classifyMoney<T>(
  observation: Observation,
  { kind, answer: shape }: Pick<MoneyEndpoint<T>, "kind" | "answer">,
  further: readonly string[] = [],
): MoneyVerdict<T> {
  if (observation.kind === "not-sent") return { kind: "not-sent", code: observation.code, reason: observation.message };
  if (observation.kind === "broken") return doubt(unanswered(observation), observation.code === "two-answers");
  const { answer } = observation;
  const { status } = answer;
  const body = parseJson(answer.body);
  const receipt = body.ok ? read(shape, body.value) : undefined;
  const value = receipt?.ok === true ? receipt.value : undefined;
  if (value?.kind === "refused")
    return refusedAs(kind, status, value.error, value.isUnsure === true ? undefined : further);
  if (!TELLING.has(status)) return doubt({ ...refusal(answer, body), code: codeOfStatus(status) });
  if (value?.kind === "contradiction") return doubt(failureOf("contradiction", status, value.message), true);
  if (status !== 200) return doubt(refusal(answer, body));
  if (!body.ok) return doubt(unreadable(answer, body.error));
  if (receipt?.ok === false) return doubt(misshapen(answer, receipt.error));
  if (value?.kind === "accepted") return value;
  if (value?.kind === "rejected") return rejectedRail(value.message);
  return doubt(failureOf("unclear", status, value?.message ?? ""));
}

/** A rail with the status `rejected`. */
export function rejectedRail(message: string): MoneyVerdict<never> {
  return { kind: "rejected", failure: said(200, { code: undefined, message }) };
}

/** Classifies a refusal from its status and error alone, with the same result as the same answer on the wire. */
export function refusedMoney(kind: MoneyKind, status: number, error: Said, isUnsure = false): MoneyVerdict<never> {
  return refusedAs(kind, status, { ...error, isNested: true, inner: [] }, isUnsure ? undefined : []);
}

function refusedAs(
  kind: MoneyKind,
  status: number,
  error: VenueError,
  further: readonly string[] | undefined,
): MoneyVerdict<never> {
  const failure = said(status, error);
  if (further !== undefined && isRefusal(kind, status, error, further)) return { kind: "rejected", failure };
  // The release of unknown outcomes depends on these two codes, so a body that contradicts its code gets neither.
  if (!TELLING.has(status)) {
    const code = codeOfStatus(status);
    const isClear = !AMBIGUOUS.has(code) || isUncontradicted(status, error);
    return doubt({ ...failure, code: isClear ? code : "unclear" });
  }
  if (AMBIGUOUS.has(failure.code) && isUncontradicted(status, error)) return doubt(failure);
  const { code } = error;
  const isNamed = code !== undefined && nameOf(code) !== undefined;
  const hint = isNamed
    ? `no refusal of ${kind === "order" ? "an" : "a"} ${kind} that the interface names`
    : "not a refusal that the interface names; venue.profile.refusals can name it";
  // An order that an error without amounts refuses is not filled once the next round agrees, whatever the error's name.
  const isOpen = OPEN_WORDS.test(`${code ?? ""} ${error.message ?? ""}`);
  const isUnfilled = kind === "order" && isUncontradicted(status, error) && !isGoodCode(code ?? "") && !isOpen;
  const ours = isUnfilled ? (code === undefined ? "rejected" : "unknown-code") : isNamed ? "unclear" : failure.code;
  return doubt({ ...failure, code: ours, message: `${failure.message} (${hint})` });
}

/** An error that says itself that the outcome is open is no refusal. */
const OPEN_WORDS = /time.?d?.?out|internal|unknown|pending|process|unavailable|duplicate|busy|again|progress/i;

/** These codes mean that the request was not processed, but a second copy of a request that landed gets them too. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["unauthorized", "rate-limited"]);

function refusal(answer: Answer, body: Body): Failure {
  const { status } = answer;
  const error = body.ok ? errorIn(body.value) : undefined;
  if (error?.code !== undefined) return said(status, error);
  if (status === 403 && mentionsRate(error?.message ?? textOf(answer)))
    return failureOf("rate-limited", status, "the venue mentions its rate limit");
  const shown = error?.message === undefined ? "without a readable error" : `: ${error.message}`;
  return failureOf(codeOfStatus(status), status, `status ${status} ${shown}`);
}

type Said = Pick<VenueError, "code" | "message">;

/** The same for a read. */
export function refusedRead(status: number, error: Said): Failure {
  return ofRead(said(status, error));
}

/** A 403 on a read with an unknown code, or with none, counts as `forbidden`. */
function ofRead(failure: Failure): Failure {
  const isForbidden = failure.status === 403 && (failure.code === "unknown-code" || failure.code === "rejected");
  return isForbidden ? { ...failure, code: "forbidden" } : failure;
}

function said(status: number, error: Said): Failure {
  const { code: venueCode, message } = error;
  const known = venueCode === undefined ? undefined : nameOf(venueCode);
  const rate = known === undefined && status === 403 && mentionsRate(`${venueCode ?? ""} ${message ?? ""}`);
  const unknown = venueCode === undefined ? "rejected" : "unknown-code";
  const code = known ?? (rate ? "rate-limited" : TELLING.has(status) ? unknown : codeOfStatus(status));
  const text = [venueCode, message].filter((part) => part !== undefined && part !== "").join(": ");
  return { ...failureOf(code, status, text === "" ? "the venue refused without a message" : text), venueCode };
}

/** Statuses with which the code alone decides. */
const TELLING: ReadonlySet<number> = new Set([200, 400, 403]);

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
  const found = read(errorBody, json);
  return found.ok ? found.value : undefined;
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

const MESSAGE_MAX = 800;

/** Long runs that may be key material are removed: a venue may echo our headers. */
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
