// Errors as data: one table with a row for each error of the service, so that the server only serialises. A refusal
// ends a call with an HTTP status; an order error is part of the envelope of an order that was accepted for processing
// and then killed.

import { err, type Result } from "../../domain/result.ts";

type RefusalCode = keyof typeof REFUSALS;

export type Refusal = {
  readonly status: number;
  readonly code: RefusalCode;
  readonly message: string;
};

export type OrderErrorCode =
  | "fok_not_fillable"
  | "non_marketable_fok_limit_price"
  | "limit_too_far_from_market_price"
  | "invalid_order"
  | "duplicate_clordid";

export type OrderError = { readonly code: OrderErrorCode; readonly message: string };

/** Code -> HTTP status. The interface's table first, then the codes that it leaves out. */
const REFUSALS = {
  bad_request: 400,
  unknown_symbol: 400,
  invalid_order: 400,
  min_amount_below_threshold: 400,
  signature_failure: 401,
  kyb_required: 403,
  agreement_missing: 403,
  external_wallet_not_whitelisted: 403,
  rate_limited: 429,
  unknown_asset: 400,
  not_available: 404,
  not_found: 404,
  invalid_nonce: 400,
  invalid_request_limit: 400,
  bad_gateway: 502,
  service_unavailable: 503,
} as const;

export function refusal(code: RefusalCode, message: string): Refusal {
  return { status: REFUSALS[code], code, message };
}

export function refused(code: RefusalCode, message: string): { readonly ok: false; readonly error: Refusal } {
  return err(refusal(code, message));
}

// The result of a call: a value, or a row of the error table.

export type Answer<T> = Result<T, Refusal>;

/** The fields of a form as received; every value is text. */
export type Form = Readonly<Record<string, string | undefined>>;
