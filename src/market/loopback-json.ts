// One question over HTTP to this very machine, answered in JSON, within bounds of time and size. Any other host is
// refused before a byte leaves.

import { request } from "undici";
import { boundedText } from "../domain/bounded-text.ts";
import { isLoopback } from "../domain/loopback.ts";

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 256 * 1024;

export async function readLoopbackJson(url: string, signal: AbortSignal): Promise<unknown> {
  const { hostname } = new URL(url);
  if (!isLoopback(hostname))
    throw new RangeError(`a reference feed of paper mode must be on loopback, was ${hostname}`);
  const bounds = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  const { statusCode, body } = await request(url, { signal, ...bounds });
  const text = await boundedText(body, BYTES_MAX);
  if (statusCode !== 200) throw new Error(`it answered with status ${statusCode}`);
  return JSON.parse(text);
}
