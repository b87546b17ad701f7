// The forms of the venue's errors: flat {code, status, message}, or nested under `error`; on success `error` is absent,
// null or an object of nulls. An empty text, `false` and the like are neither, so they do not count as success.

import { isGoodCode, type VenueError } from "../refusals.ts";
import { type Decoder, optional, prose, record, time, word } from "../wire/decoder.ts";
import { JsonNumber, JsonObject } from "../wire/json.ts";
import type { Receipt } from "./endpoint.ts";

/** Distinguished from a missing message: an empty one does not prove success. */
const message: Decoder<string | undefined> = (json, problems) => (json === "" ? "" : prose(json, problems));

/** The status stated in a body, verbatim: an unreadable one must not pass for one that agrees. */
const innerStatus: Decoder<string | undefined> = (json) => {
  if (json === undefined || json === null) return undefined;
  if (json instanceof JsonNumber) return json.text;
  return typeof json === "string" ? json : "unreadable";
};

/** All of them count: a body that states two statuses must not be judged by one. */
const statuses = { status: innerStatus, status_code: innerStatus, http_status: innerStatus } as const;
type Statuses = Record<keyof typeof statuses, string | undefined>;

const body = record({ code: optional(word), message, ...statuses });

/** The value of an `error` field. */
const errorField: Decoder<VenueError | undefined> = (json, problems) => {
  if (json === undefined || json === null) return undefined;
  if (typeof json === "string" || typeof json === "boolean" || json instanceof JsonNumber)
    return uncoded(typeof json === "string" ? prose(json, problems) : undefined);
  const stated = body(json, problems);
  const { code, message } = stated;
  const isClean = code === undefined && message === undefined;
  return isClean ? undefined : { code, message, isNested: true, inner: statusesOf(stated) };
};

export function uncoded(message: string | undefined): VenueError {
  return { code: undefined, message, isNested: true, inner: [] };
}

function statusesOf({ status, status_code, http_status }: Statuses): readonly string[] {
  return [status, status_code, http_status].filter((one) => one !== undefined);
}

/** Some venues say only `success: false`. */
const failure: Decoder<false | undefined> = (json) => (json === false || json === "false" ? false : undefined);

/** The error fields that any answer may carry next to its own. */
export const errorFields = {
  error: errorField,
  code: optional(word),
  message: prose,
  result: optional(word),
  timestamp: time,
  success: failure,
  ok: failure,
  ...statuses,
} as const;

type ErrorFields = Statuses &
  Record<"code" | "message", string | undefined> & {
    error: VenueError | undefined;
    success?: false | undefined;
    ok?: false | undefined;
  };

/** Nested or flat; undefined if the answer carries no error. */
export function errorOf(body: ErrorFields): VenueError | undefined {
  const { error, code, message } = body;
  const stated = statusesOf(body);
  if (error !== undefined) return { ...error, secondCode: code, inner: [...error.inner, ...stated] };
  if (code !== undefined) return { code, message, isNested: false, inner: stated };
  return body.success === false || body.ok === false ? uncoded(message ?? "success is false") : undefined;
}

const envelope = record(errorFields);
/** In the answer to a read, `result` may hold the rows. */
const resultOfRead: Decoder<string | undefined> = (json, problems) => {
  const holdsRows = Array.isArray(json) || (json instanceof JsonObject && json.values.some(Array.isArray));
  return holdsRows ? undefined : optional(word)(json, problems);
};

/** Words of failure next to rows, which would pass for "nothing happened" if the list is empty. */
const hasSome: Decoder<boolean> = (json) => Array.isArray(json) && json.length > 0;
const BAD_STATUS = /^(?:error|fail.*|[45]\d\d)$/i;

const readEnvelope = record({ ...errorFields, result: resultOfRead, errors: hasSome });

/** Decodes only the error of a body; undefined if it has none in a known form. */
export const errorBody: Decoder<VenueError | undefined> = (json, problems) => {
  const body = envelope(json, problems);
  const { message } = body;
  return errorOf(body) ?? (message === undefined ? undefined : uncoded(message));
};

/** The error in a 200 answer to a read, if any. A flat code may be part of a good answer if its value means success. */
export const objection: Decoder<VenueError | undefined> = (json, problems) => {
  if (Array.isArray(json)) return undefined;
  const body = readEnvelope(json, problems);
  const { error, code, result, success, ok, errors: hasErrors, message } = body;
  const isGood = code === undefined || isGoodCode(code);
  if (error !== undefined || !isGood || success === false || ok === false) return errorOf(body);
  const bad = statusesOf(body).find((status) => BAD_STATUS.test(status));
  if (hasErrors || bad !== undefined) return uncoded(message ?? (hasErrors ? "it lists errors" : `status is ${bad}`));
  return isGoodResult(result) ? undefined : uncoded(`result is ${result}`);
};

/** Absent, ok or success. */
export function isGoodResult(result: string | undefined): boolean {
  return result === undefined || /^(ok|success)$/i.test(result);
}

/** An answer with an error: a refusal if the interface names its code, unless the answer also reports execution. */
export function refused(
  error: VenueError,
  { result, contradiction }: { readonly result: string | undefined; readonly contradiction: string | undefined },
): Receipt<never> {
  if (contradiction !== undefined) return { kind: "contradiction", message: contradiction };
  if (error.code === undefined) return { kind: "unclear", message: "the error has no code" };
  if (!isGoodResult(result) && result !== "error")
    return { kind: "unclear", message: `the result of an error must be error, ok or success, was ${result}` };
  return { kind: "refused", error };
}

/** Whether the amount shows that money moved. */
export function isMoved(amount: string | undefined): boolean {
  return amount !== undefined && !/^0(?:\.0+)?$/.test(amount);
}

/** A 200 answer without an error whose result does not mean success. */
export function failedResult(result: string | undefined, landed: boolean): Receipt<never> {
  return { kind: landed ? "contradiction" : "unclear", message: `result must be ok or success, was ${result}` };
}
