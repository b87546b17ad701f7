// Makes one HTTP request with a text answer, bounded in time and size: to a host over TLS, or to this machine. It
// follows no redirects and uses no proxy from the environment.

import { Agent, request } from "undici";
import { boundedText } from "../domain/bounded-text.ts";
import { isLoopback } from "../domain/loopback.ts";

const TIMEOUT_MS = 5_000;
const BYTES_MAX = 1024 * 1024;

/** Uses separate connections, which process-wide settings do not affect. */
export function createHttpText(): {
  readonly read: (url: string, signal: AbortSignal) => Promise<string>;
  readonly close: () => void;
} {
  const dispatcher = new Agent({
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    connect: { rejectUnauthorized: true, timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  return {
    async read(url, signal) {
      const { protocol, hostname } = new URL(url);
      if (protocol !== "https:" && !isLoopback(hostname))
        throw new RangeError(`a reference feed must be asked over https, was ${protocol}//${hostname}`);
      const { statusCode, body } = await request(url, { signal, dispatcher });
      const text = await boundedText(body, BYTES_MAX);
      if (statusCode !== 200) throw new Error(`it answered with status ${statusCode}`);
      return text;
    },
    close: () => void dispatcher.destroy(),
  };
}
