// A way to people, and what it says when it could not go it.

import type { Message } from "../notice.ts";

/** What a channel could not do. */
export type Refusal = {
  readonly reason: string;
  /** Asking again changes nothing. */
  readonly isFinal: boolean;
  readonly retryAfterMs?: number | undefined;
};

export interface Channel {
  readonly name: "webhook" | "telegram" | "email";
  /** Undefined when it is on its way to a person. May throw; may hang, then the signal gives up. */
  send(message: Message, signal: AbortSignal): Promise<Refusal | undefined>;
  close(): void;
}
