// Messages to an address of the user's own: one JSON object each, with a field `text` that chat services understand.

import type { Channel } from "./channel.ts";
import { createJsonPost } from "./post-json.ts";

/** Later tries of the same request can end better. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

export function createWebhook(url: string): Channel {
  const http = createJsonPost();
  return {
    name: "webhook",
    async send({ kind, urgency, at, title, text }, signal) {
      const body = { text: `${title}: ${text}`, kind, urgency, at: new Date(at).toISOString(), title, message: text };
      const { status, retryAfterMs } = await http.post(url, body, signal);
      if (status >= 200 && status < 300) return undefined;
      const isFinal = status < 500 && !TEMPORARY.has(status);
      return { reason: `the webhook answered with status ${status}`, isFinal, retryAfterMs };
    },
    close: http.close,
  };
}
