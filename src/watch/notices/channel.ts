// A channel for notices, and the most common one: a JSON object posted to an address that the user configures.
// Redirects are not followed, certificates are always checked, and errors never contain the address, which is often a
// secret.

import type { Transporter } from "nodemailer";
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
  readonly name: "webhook" | "telegram" | "email";
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

// Notices by e-mail over SMTP, encrypted and with a checked certificate unless the server is on this machine.

export type EmailSettings = {
  readonly host: string;
  readonly port: number;
  readonly security: "tls" | "starttls" | "none";
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: string;
  readonly to: readonly string[];
};

const PATIENCE_MS = 10_000;

export function createEmail({ from, to, ...server }: EmailSettings): Channel {
  let opened: Transporter | undefined;
  return {
    name: "email",
    async send({ title, text, urgency, at }) {
      const date = new Date(at);
      const priority = urgency === "critical" ? "high" : "normal";
      const subject = `[${urgency}] ${title}`;
      try {
        opened ??= await open(server);
        await opened.sendMail({ from, to: [...to], subject, text: `${text}\n`, date, priority });
        return undefined;
      } catch (error) {
        return refusalOf(error);
      }
    },
    close: () => opened?.close(),
  };
}

/** The library is loaded with the first mail, so that it does not slow down the start. */
async function open({ host, port, security, login }: Omit<EmailSettings, "from" | "to">): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: "TLSv1.2", rejectUnauthorized: true },
  });
}

function refusalOf(error: unknown) {
  const { message, code, responseCode = 0 } = error as { message?: string; code?: string; responseCode?: number };
  // SMTP 5xx answers are final, and so is a refused login.
  const isFinal = (responseCode >= 500 && responseCode < 600) || code === "EAUTH";
  return { reason: `the mail server refused: ${message ?? String(error)}`, isFinal };
}
