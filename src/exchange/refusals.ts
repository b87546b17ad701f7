// The codes that the interface names, and which of them definitely refuse a request that moves money. It is an
// allow-list: a refusal is a named code, for this kind of request, under its own HTTP status or in the `error` object
// of a 200, in a body without another status or code. Any other body leaves the outcome unknown.

import type { MoneyKind } from "./port.ts";

export type VenueError = {
  /** Verbatim; undefined if the venue gave only a message. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** The error was under `error`. */
  readonly isNested: boolean;
  /** A flat code next to a nested one. */
  readonly secondCode?: string | undefined;
  /** Every status that the body states. */
  readonly inner: readonly string[];
};

type Named = {
  /** Our stable code for it, listed in docs/guides/requests.md. */
  readonly ours: string;
  readonly statuses: readonly number[];
  /** The requests that it refuses; none if a second copy of a request that landed gets it too. */
  readonly refuses: readonly MoneyKind[];
};

const ANY: readonly MoneyKind[] = ["order", "mint", "rail"];
/** Order errors come in the envelope, "possibly with HTTP 200". */
const ORDER_ERROR = [200, 400];

const TABLE: Readonly<Record<string, Named>> = {
  "bad request": { ours: "bad-request", statuses: [400], refuses: ANY },
  "unknown symbol": { ours: "unknown-symbol", statuses: [400], refuses: ["order"] },
  "invalid order": { ours: "invalid-order", statuses: [400], refuses: ["order"] },
  min_amount_below_threshold: { ours: "below-minimum", statuses: [400], refuses: ["mint"] },
  kyb_required: { ours: "kyb-required", statuses: [403], refuses: ANY },
  agreement_missing: { ours: "agreement-missing", statuses: [403], refuses: ANY },
  external_wallet_not_whitelisted: { ours: "not-whitelisted", statuses: [403], refuses: ["mint", "rail"] },
  "FOK not fillable": { ours: "unfilled", statuses: ORDER_ERROR, refuses: ["order"] },
  // Seen in practice.
  non_marketable_fok_limit_price: { ours: "unfilled", statuses: ORDER_ERROR, refuses: ["order"] },
  limit_too_far_from_market_price: { ours: "price-out-of-band", statuses: ORDER_ERROR, refuses: ["order"] },
  "signature failure": { ours: "unauthorized", statuses: [401], refuses: [] },
  "rate limited": { ours: "rate-limited", statuses: [429], refuses: [] },
  invalid_nonce: { ours: "unauthorized", statuses: [400, 401], refuses: [] },
  invalid_request_limit: { ours: "rate-limited", statuses: [400, 429], refuses: [] },
};

/** A code of the profile's `refusals`. */
const FURTHER: Named = { ours: "unknown-code", statuses: [400, 403, 404], refuses: ANY };

/** Our code for a venue code; undefined if the interface does not name it. */
export function nameOf(code: string): string | undefined {
  return known(code)?.ours;
}

/** `further`: the profile's additional refusal codes. */
export function isRefusal(kind: MoneyKind, status: number, error: VenueError, further: readonly string[]): boolean {
  const { code } = error;
  const named = code === undefined ? undefined : (known(code) ?? furtherOf(code, further));
  if (named === undefined || !named.refuses.includes(kind)) return false;
  const isPlaced = named.statuses.includes(status) || (status === 200 && error.isNested);
  return isPlaced && agrees(status, error, named.statuses);
}

/** Whether the body states no status or code that disagrees with its own code. */
export function isUncontradicted(status: number, error: VenueError): boolean {
  const statuses = error.code === undefined ? undefined : known(error.code)?.statuses;
  return agrees(status, error, statuses ?? [status]);
}

function agrees(status: number, error: VenueError, statuses: readonly number[]): boolean {
  const { code = "", secondCode = code, inner } = error;
  const isOwn = (said: string): boolean => statuses.some((one) => said === String(one));
  return (
    folded(secondCode) === folded(code) &&
    inner.every((said) => isOwn(said) && (status === 200 || said === String(status)))
  );
}

/**
 * Whether a profile may name this code as a refusal: not one that is listed above, nor one that means success
 * elsewhere.
 */
export function isFurtherRefusal(code: string): boolean {
  return known(code) === undefined && !isGoodCode(code);
}

/** Codes that mean success elsewhere: an answer with one is not definitely a refusal. */
export function isGoodCode(code: string): boolean {
  return /^(?:0+|2[0-9]{2}|ok|success)$/i.test(code);
}

function furtherOf(code: string, further: readonly string[]): Named | undefined {
  return further.some((one) => folded(one) === folded(code)) ? FURTHER : undefined;
}

let byFoldedCode: ReadonlyMap<string, Named> | undefined;

function known(code: string): Named | undefined {
  byFoldedCode ??= new Map(Object.entries(TABLE).map(([name, one]) => [folded(name), one]));
  return byFoldedCode.get(folded(code));
}

/** `FOK not fillable`, `fok-not-fillable` and `fokNotFillable` are one code. */
function folded(code: string): string {
  return code.toLowerCase().replace(/[ _-]/g, "");
}
