// The budget of one key: a slot for each request, one at a time, across every process of the host. Whoever wants to send
// takes a slot here first; nothing else in the program may reach the venue.

import type { Result } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import type { Nonce, Want } from "../port.ts";

export interface Budget {
  /** Waits until a slot is open and this want is the best one; or says why it never will be. */
  take(want: Want): Promise<Result<Slot>>;
  /**
   * As take, then send, which must end the slot. Reads with the same `key` that still wait share one request and its
   * outcome; one that has already begun is never joined, so an answer is always younger than the question.
   */
  share<T>(want: Want, send: (slot: Slot) => Promise<T>): Promise<Result<T>>;
  /** The venue's clock, as read from an answer: nonces stay below it plus a margin. */
  observe(venueTime: Millis, receivedAt: Millis): void;
  /** Until a Date of the venue was seen since this machine started: nonces are refused, so an unsigned call comes first. */
  needsVenueTime(): boolean;
  close(): void;
}

export interface Slot {
  /** Draws the key's next nonce, durable before it returns. */
  nonce(): Result<Nonce>;
  /** Is the slot still ours? Part of the last check before the socket. */
  held(): boolean;
  /** Exactly once: how the request ended. The next slot opens from here. */
  end(end: SlotEnd): void;
}

export type SlotEnd =
  | { readonly kind: "answered"; readonly rateLimited: boolean; readonly retryAfterMs: number | undefined }
  /** We gave up waiting; the answer may still be on its way. */
  | { readonly kind: "abandoned" }
  /** Nothing was sent. */
  | { readonly kind: "unspent" };
