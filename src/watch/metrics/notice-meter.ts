// Messages to people, and what became of them.

import { oneOf, type Shelf } from "./closed.ts";

const CHANNELS = ["webhook", "telegram", "email"] as const;
const OUTCOMES = ["sent", "failed", "dropped"] as const;

export interface NoticeMeter {
  /** `dropped`: more than may be sent, or nobody to send it to in time. */
  told(channel: string, outcome: (typeof OUTCOMES)[number]): void;
}

export function createNoticeMeter(shelf: Shelf): NoticeMeter {
  const notices = shelf.counter(["pegbot_notices_total", "messages to people, by channel and what became of them"], {
    channel: [...CHANNELS, "other"],
    outcome: OUTCOMES,
  });
  return { told: (channel, outcome) => notices.inc({ channel: oneOf(CHANNELS, channel), outcome }) };
}
