// What only the running bot knows, asked of its own page: whether it is ready and why not, which feed is wrong, what is frozen,
// and what it is worth now. The page is named in the key's ledger; a bot that does not answer is said to be just that.

import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { z } from "zod";
import { boundedText } from "../../../domain/bounded-text.ts";
import { isLoopback } from "../../../domain/loopback.ts";
import { millis } from "../../../domain/time.ts";
import { systemTimers } from "../../system-timers.ts";
import type { Told } from "./status-report.ts";

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 4 * 1024 * 1024;

type Got = { readonly code: number; readonly text: string };

const answered = z.object({
  at: z.number().transform(millis),
  equity: z.object({ now: z.string().optional() }),
  feeds: z.array(z.object({ name: z.string(), trouble: z.string().optional() })),
  frozen: z.string().optional(),
});

export async function askBot(
  page: string | undefined,
  token: string | undefined,
  timeoutMs = TIMEOUT_MS,
): Promise<Told> {
  if (page === undefined) return { kind: "silent", why: "it has not named its page" };
  try {
    const ready = await get(new URL("readyz", page), token, timeoutMs);
    const status = await get(new URL("api/status", page), token, timeoutMs);
    if (![200, 503].includes(ready.code) || status.code !== 200)
      return { kind: "silent", why: `${page} answers with ${ready.code} and ${status.code}` };
    const { at, equity, feeds, frozen } = answered.parse(JSON.parse(status.text));
    const [, ...reasons] = ready.code === 200 ? [] : ready.text.split("\n").filter((line) => line !== "");
    const troubles = feeds.flatMap(({ name, trouble }) => (trouble === undefined ? [] : [{ feed: name, trouble }]));
    return { kind: "told", at, unready: reasons, troubles, frozen, equity: equity.now };
  } catch (error) {
    return { kind: "silent", why: `${page} does not answer: ${whyOf(error)}` };
  }
}

/** The token goes to this machine, or to whoever has the certificate. */
async function get(url: URL, token: string | undefined, timeoutMs: number): Promise<Got> {
  const isPlain = url.protocol === "http:";
  if (isPlain && !isLoopback(url.hostname)) throw new Error("its address is not one of this machine");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const late = new AbortController();
  const cancel = systemTimers.after(timeoutMs, () => late.abort());
  try {
    return await new Promise((resolve, reject) => {
      const asked = (isPlain ? plainRequest : tlsRequest)(url, { headers, signal: late.signal }, (response) => {
        const code = response.statusCode ?? 0;
        boundedText(response, BYTES_MAX).then((text) => resolve({ code, text }), reject);
      });
      asked.on("error", reject);
      asked.end();
    });
  } finally {
    cancel();
  }
}

function whyOf(error: unknown): string {
  if (error instanceof Error && error.name === "AbortError") return "nothing came in time";
  return error instanceof Error ? error.message || error.name : String(error);
}
