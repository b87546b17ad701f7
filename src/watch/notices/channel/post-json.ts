// One JSON request and its answer, within bounds. No redirects, certificates are always checked, and what went wrong is said
// without the address, which is often a secret.

import { Agent, request } from "undici";
import { boundedText } from "../../../domain/bounded-text.ts";
import { jsonOf } from "../../../domain/json-of.ts";

const BYTES_MAX = 64 * 1024;

export type JsonAnswer = { readonly status: number; readonly body: unknown; readonly retryAfterMs: number | undefined };

export interface JsonPost {
  post(url: string, body: unknown, signal: AbortSignal): Promise<JsonAnswer>;
  close(): void;
}

export function createJsonPost(patienceMs = 10_000, bytesMax = BYTES_MAX): JsonPost {
  const agent = new Agent({
    connect: { rejectUnauthorized: true, timeout: patienceMs },
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    connections: 2,
  });
  return {
    async post(url, body, signal) {
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
