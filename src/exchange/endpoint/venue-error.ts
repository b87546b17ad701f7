// How the venue says no: flat {code, status, message}, or nested under `error`; on success `error` is absent, null or an
// object of nulls. An empty text, `false` and the like are none of these: they do not say that there was no error.

import { JsonNumber } from "../json.ts";
import { ignored, optional, prose, record, type Shape, time, word } from "../shape.ts";
import type { Receipt } from "./endpoint.ts";

export type VenueError = {
  /** Verbatim; undefined when the venue gave a message alone. */
  readonly code: string | undefined;
  readonly message: string | undefined;
};

/** Kept apart from a missing one: an empty message is not known to mean success. */
const message: Shape<string | undefined> = (json, notes) => (json === "" ? "" : prose(json, notes));

const body = record({ code: optional(word), message, status: ignored });

/** The value of an `error` field. */
const errorField: Shape<VenueError | undefined> = (json, notes) => {
  if (json === undefined || json === null) return undefined;
  if (typeof json === "string" || typeof json === "boolean" || json instanceof JsonNumber)
    return { code: undefined, message: typeof json === "string" ? prose(json, notes) : undefined };
  const { code, message } = body(json, notes);
  return code === undefined && message === undefined ? undefined : { code, message };
};

/** The fields by which any answer may carry an error, beside its own. */
export const errorFields = {
  error: errorField,
  code: optional(word),
  message: prose,
  result: optional(word),
  timestamp: time,
} as const;

type ErrorFields = { error: VenueError | undefined; code: string | undefined; message: string | undefined };

/** Nested or flat; undefined when the answer carries none. */
export function errorOf({ error, code, message }: ErrorFields): VenueError | undefined {
  return error ?? (code === undefined ? undefined : { code, message });
}

const envelope = record({ ...errorFields, status: ignored });

/** Any body, looked at for an error alone; undefined when it has none in a known form. */
export const errorBody: Shape<VenueError | undefined> = (json, notes) => {
  const { error, code, message } = envelope(json, notes);
  return error ?? (code === undefined && message === undefined ? undefined : { code, message });
};

/** The answer 200 to a read, looked at for what speaks against it. A flat code may be part of a good answer, if it says so. */
export const objection: Shape<VenueError | undefined> = (json, notes) => {
  const { error, code, message, result } = envelope(json, notes);
  if (error !== undefined) return error;
  if (code !== undefined && !isGoodCode(code)) return { code, message };
  return isGoodResult(result) ? undefined : { code: undefined, message: `result is ${result}` };
};

/** Absent, or a word for success. */
export function isGoodResult(result: string | undefined): boolean {
  return result === undefined || result === "ok" || result === "success";
}

/** Elsewhere these codes mean success: what comes with one was not refused for certain. */
function isGoodCode(code: string): boolean {
  return /^(?:0+|2[0-9]{2}|ok|success)$/i.test(code);
}

/** An answer 200 with an error: a rejection, unless it also says that something happened. */
export function refused(error: VenueError, contradiction: string | undefined): Receipt<never> {
  if (contradiction !== undefined) return { kind: "contradiction", message: contradiction };
  if (error.code === undefined) return { kind: "unclear", message: "the error has no code" };
  if (isGoodCode(error.code)) return { kind: "unclear", message: `the error's code is ${error.code}` };
  return { kind: "rejected", venueCode: error.code, message: error.message ?? "" };
}

/** An answer 200 without an error whose result is no word for success. */
export function failedResult(result: string | undefined, landed: boolean): Receipt<never> {
  return { kind: landed ? "contradiction" : "unclear", message: `result must be ok or success, was ${result}` };
}
