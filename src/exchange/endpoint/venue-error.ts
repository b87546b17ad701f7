// How the venue says no: flat {code, status, message}, or nested under `error`; on success `error` is absent, null or an
// object of nulls. An empty text, `false` and the like are none of these: they do not say that there was no error.

import { isGoodCode, type VenueError } from "../refusals.ts";
import { type Decoder, optional, prose, record, time, word } from "../wire/decoder.ts";
import { JsonNumber } from "../wire/json.ts";
import type { Receipt } from "./endpoint.ts";

/** Kept apart from a missing one: an empty message is not known to mean success. */
const message: Decoder<string | undefined> = (json, problems) => (json === "" ? "" : prose(json, problems));

/** The status that a body states, as it stands: nothing that cannot be read may pass for one that agrees. */
const innerStatus: Decoder<string | undefined> = (json) => {
  if (json === undefined || json === null) return undefined;
  if (json instanceof JsonNumber) return json.text;
  return typeof json === "string" ? json : "unreadable";
};

/** Each of them counts: a body that states two must not be judged by one. */
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

function uncoded(message: string | undefined): VenueError {
  return { code: undefined, message, isNested: true, inner: [] };
}

function statusesOf({ status, status_code, http_status }: Statuses): readonly string[] {
  return [status, status_code, http_status].filter((one) => one !== undefined);
}

/** The fields by which any answer may carry an error, next to its own. */
export const errorFields = {
  error: errorField,
  code: optional(word),
  message: prose,
  result: optional(word),
  timestamp: time,
  ...statuses,
} as const;

type ErrorFields = Statuses & Record<"code" | "message", string | undefined> & { error: VenueError | undefined };

/** Nested or flat; undefined when the answer carries none. */
export function errorOf(body: ErrorFields): VenueError | undefined {
  const { error, code, message } = body;
  const stated = statusesOf(body);
  if (error !== undefined) return { ...error, secondCode: code, inner: [...error.inner, ...stated] };
  return code === undefined ? undefined : { code, message, isNested: false, inner: stated };
}

const envelope = record(errorFields);

/** Any body, looked at for an error alone; undefined when it has none in a known form. */
export const errorBody: Decoder<VenueError | undefined> = (json, problems) => {
  const body = envelope(json, problems);
  const { message } = body;
  return errorOf(body) ?? (message === undefined ? undefined : uncoded(message));
};

/** The answer 200 to a read, looked at for what speaks against it. A flat code may be part of a good answer, if it says so. */
export const objection: Decoder<VenueError | undefined> = (json, problems) => {
  const body = envelope(json, problems);
  const { error, code, result } = body;
  if (error !== undefined || (code !== undefined && !isGoodCode(code))) return errorOf(body);
  return isGoodResult(result) ? undefined : uncoded(`result is ${result}`);
};

/** Absent, ok or success. */
export function isGoodResult(result: string | undefined): boolean {
  return result === undefined || result === "ok" || result === "success";
}

/** An answer with an error: it refuses if the interface names it, unless it also says that something happened. */
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

/** An amount that says that something moved. */
export function isMoved(amount: string | undefined): boolean {
  return amount !== undefined && !/^0(?:\.0+)?$/.test(amount);
}

/** An answer 200 without an error whose result is no word for success. */
export function failedResult(result: string | undefined, landed: boolean): Receipt<never> {
  return { kind: landed ? "contradiction" : "unclear", message: `result must be ok or success, was ${result}` };
}
