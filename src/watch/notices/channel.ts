// A channel for notices, and the most common one: a JSON object posted to an address that the user configures.
// Redirects are not followed, certificates are always checked, and errors never contain the address, which is often a
// secret.

import { Agent, request } from "undici";
import { boundedText } from "../../domain/bounded-text.ts";
import { jsonOf } from "../../domain/json-of.ts";
import type { Message } from "./notice.ts";

/** Why a channel could not deliver a message. */
export type Refusal = {
  readonly reason: string;
  /** A retry cannot succeed. */
  readonly isFinal: boolean;
  readonly retryAfterMs?: number | undefined;
};

export interface Channel {
  readonly name: "webhook" | "telegram";
  /** Undefined when the service accepted the message. May throw; may hang, in which case the signal aborts it. */
  send(message: Message, signal: AbortSignal): Promise<Refusal | undefined>;
  close(): void;
}

/** Statuses after which a retry can succeed. */
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

const BYTES_MAX = 64 * 1024;

export type JsonAnswer = { readonly status: number; readonly body: unknown; readonly retryAfterMs: number | undefined };

export function createJsonPost(patienceMs = 10_000, bytesMax = BYTES_MAX) {
  const agent = new Agent({
    connect: { rejectUnauthorized: true, timeout: patienceMs },
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    connections: 2,
  });
  return {
    async post(url: string, body: unknown, signal: AbortSignal): Promise<JsonAnswer> {
      const headers = { "content-type": "application/json", accept: "application/json" };
      const answer = await request(url, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        signal,
        dispatcher: agent,
      });
      const text = await boundedText(answer.body, bytesMax);
      const seconds = Number(answer.headers["retry-after"]);
      const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : undefined;
      return { status: answer.statusCode, body: jsonOf(text), retryAfterMs };
    },
    close: () => void agent.destroy().catch(() => {}),
  };
}
