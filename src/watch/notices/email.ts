// Notices by e-mail over SMTP, encrypted and with a checked certificate unless the server is on this machine.

import type { Transporter } from "nodemailer";
import type { Channel } from "./channel.ts";

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
