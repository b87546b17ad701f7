// Asks the running bot for its status through its page, whose address is in its file of the runtime folder.

import { X509Certificate } from "node:crypto";
import type { RequestOptions as TlsRequestOptions } from "node:https";
import { isIP } from "node:net";
import { machineTimers } from "../app/system/system-timers.ts";
import { boundedText } from "../domain/bounded-text.ts";
import { errorMessage } from "../domain/error-message.ts";
import { isLoopback } from "../domain/loopback.ts";
import { type Status, statusSchema } from "../watch/status.ts";

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 4 * 1024 * 1024;

type Got = { readonly code: number; readonly text: string };

/** The bot's answer, or why there is none. */
export type Told =
  | { readonly kind: "told"; readonly status: Status }
  | { readonly kind: "silent"; readonly why: string };

/** `token` is undefined if it may not be read. */
export type Access = {
  readonly token: string | undefined;
  readonly tokenFile: string;
  /** Set if the bot serves over https: the configured host and certificate. */
  readonly tls?: { readonly host: string; readonly cert: string } | undefined;
};

export async function askBot(page: string, access: Access, timeoutMs = TIMEOUT_MS): Promise<Told> {
  try {
    const answer = await get(new URL("api/status", page), access, timeoutMs);
    if (answer.code === 401)
      return { kind: "silent", why: `${page} does not take the token in ${access.tokenFile}${TOKEN}` };
    if (answer.code !== 200) return { kind: "silent", why: `${page} answers with ${answer.code}` };
    return { kind: "told", status: statusSchema.parse(JSON.parse(answer.text)) };
  } catch (error) {
    const tls = page.startsWith("https:") ? "; server.tls.certFile of this configuration must be its certificate" : "";
    const isLate = error instanceof Error && error.name === "AbortError";
    return { kind: "silent", why: `${page} does not answer: ${isLate ? LATE : errorMessage(error)}${tls}` };
  }
}

const TOKEN = ": ask as the user whom the bot runs as";
const LATE =
  "nothing came in time; if that lasts it is stopped (SIGSTOP, a debugger, a frozen container), and kill -CONT lets it go on, or it computes without end, and only kill -KILL ends it";

/** The token is sent only to this machine, or to a server with the certificate. */
async function get(url: URL, { token, tls }: Access, timeoutMs: number): Promise<Got> {
  const isPlain = url.protocol === "http:";
  if (isPlain && !isLoopback(url.hostname)) throw new Error("its address is not one of this machine");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const secured = isPlain || tls === undefined ? {} : throughItsDoor(url, tls);
  // An `import` of node:http also builds its WebSocket, which takes a tenth of a second; TLS is loaded only if it is
  // used.
  const http = isPlain ? process.getBuiltinModule("node:http") : process.getBuiltinModule("node:https");
  const late = new AbortController();
  const cancel = machineTimers.after(timeoutMs, () => late.abort());
  try {
    return await new Promise((resolve, reject) => {
      const asked = http.request(url, { ...secured, headers, signal: late.signal }, (response) => {
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

/** Connects to this machine, wherever the host name resolves to elsewhere, and accepts the configured certificate. */
function throughItsDoor({ hostname }: URL, { host, cert }: NonNullable<Access["tls"]>): TlsRequestOptions {
  const { checkServerIdentity, getCACertificates } = process.getBuiltinModule("node:tls");
  const own = new X509Certificate(cert);
  return {
    hostname: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host,
    servername: isIP(hostname) === 0 ? hostname : "",
    ca: [...getCACertificates("default"), cert],
    // The bot's certificate is enough, whichever authority signed it.
    allowPartialTrustChain: true,
    checkServerIdentity: (name, shown) => (shown.raw.equals(own.raw) ? undefined : checkServerIdentity(name, shown)),
  };
}
