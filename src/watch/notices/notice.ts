// A message to people: what happened, and what it is about.

import type { Millis } from "../../domain/time.ts";
import type { NEED_KINDS } from "../status.ts";

export type Message = {
  readonly kind: (typeof NEED_KINDS)[number] | "fill" | "resume" | "test";
  readonly urgency: "info" | "warning" | "critical";
  readonly at: Millis;
  readonly title: string;
  readonly text: string;
  /** The matter that waits for a person, and in another message that it is over. */
  readonly about?: string | undefined;
  readonly ends?: string | undefined;
};
