// What a wire call is: where it goes, what it sends, and the schema of its answer. Everything that calls share (slot,
// nonce, signature, sending, classification) is elsewhere, once.

import type { Result } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import type { CallBody, CallFields } from "../call-body.ts";
import type { MoneyKind } from "../port.ts";
import type { Profile } from "../profile.ts";
import type { VenueError } from "../refusals.ts";
import type { Shape } from "../shape.ts";

/** Relative to the base address; everything under /private is signed. */
export type CallPath = `/client/${string}` | `/private/${string}`;

export type ReadEndpoint<T> = {
  readonly path: CallPath;
  readonly fields: CallFields;
  readonly answer: Shape<T>;
};

/** The answer to a request that moves money, as far as its body says. */
export type Receipt<T> =
  | { readonly kind: "accepted"; readonly value: T }
  /** Refused by a status of its own: `rejected` of a rail. */
  | { readonly kind: "rejected"; readonly message: string }
  /** An error, and nothing that happened; whether it is a refusal depends on its code. */
  | { readonly kind: "refused"; readonly error: VenueError }
  /** The body contradicts itself or the request: nothing may be assumed, and new orders must stop. */
  | { readonly kind: "contradiction"; readonly message: string }
  /** The body does not say what happened. */
  | { readonly kind: "unclear"; readonly message: string };

export type MoneyEndpoint<T> = {
  readonly kind: MoneyKind;
  readonly path: `/private/${string}`;
  /** `at` is the time of the slot, for calls that carry one. */
  body(profile: Profile, at: Millis): Result<CallBody>;
  readonly answer: Shape<Receipt<T>>;
};
