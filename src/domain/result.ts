// A value or the reason why there is none. Refusals and parse errors are results, so that a caller cannot ignore them;
// `unwrap` is for literals and tests, where an error is our own mistake.

import { invariant } from "./invariant.ts";

export type Result<T, E = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

export function unwrap<T>(result: Result<T, unknown>): T {
  invariant(result.ok, result.ok ? "" : String(result.error));
  return result.value;
}
