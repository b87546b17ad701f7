// How the venue says no: flat {code, status, message}, or nested under `error`; on success `error` is absent, null or an
// object of nulls.

import { JsonNumber } from "../json.ts";
import { ignored, optional, prose, record, type Shape, time, word } from "../shape.ts";
import type { Receipt } from "./endpoint.ts";

export type VenueError = {
  /** Verbatim; undefined when the venue gave a message alone. */
  readonly code: string | undefined;
  readonly message: string | undefined;
};

const body = record({ code: optional(word), message: prose, status: ignored });

/** The value of an `error` field. */
const errorField: Shape<VenueError | undefined> = (json, notes) => {
  if (json === undefined || json === null || json === false || json === "") return undefined;
  if (typeof json === "string" || json === true || json instanceof JsonNumber)
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
export const errorBody: Shape<(VenueError & { readonly nested: boolean }) | undefined> = (json, notes) => {
  const { error, code, message } = envelope(json, notes);
  if (error !== undefined) return { ...error, nested: true };
  return code === undefined && message === undefined ? undefined : { code, message, nested: false };
};

/** An answer 200 with an error: a rejection, unless it also says that something happened. */
export function refused(error: VenueError, contradiction: string | undefined): Receipt<never> {
  if (contradiction !== undefined) return { kind: "contradiction", message: contradiction };
  if (error.code === undefined) return { kind: "unclear", message: "the error has no code" };
  return { kind: "rejected", venueCode: error.code, message: error.message ?? "" };
}
