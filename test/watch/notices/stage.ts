// Virtual time for outboxes, and loopback servers that speak as the services do.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsHttpServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import { type Clock, millis } from "../../../src/domain/time.ts";
import type { Message } from "../../../src/watch/notices/notice.ts";
import { type Certificate, selfSigned } from "../../support/certificate.ts";
import { createVirtualTime } from "../../support/virtual-time.ts";

export const START = millis(Date.UTC(2026, 10, 15, 8));

export function message(change: Partial<Message> = {}): Message {
  return { kind: "fill", urgency: "info", at: START, title: "pegbot test: fill", text: "buy 1", ...change };
}

export type VirtualStage = {
  readonly clock: Clock;
  readonly timers: ReturnType<ReturnType<typeof createVirtualTime>["timers"]>;
  /** Time passes, and everything that follows from it happens. */
  pass(ms: number): Promise<void>;
  /** Timers that are set. */
  pending(): number;
};

export function virtualStage(): VirtualStage {
  const time = createVirtualTime(START);
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await turn();
  };
  return {
    clock: time.clock,
    timers: time.timers("notice"),
    pending: () => time.pending("notice"),
    async pass(ms) {
      const until = time.clock.monotonic() + ms;
      await settle();
      while (time.step(until) !== undefined) await settle();
      await settle();
    },
  };
}

export type Heard = { readonly method: string; readonly path: string; readonly type: string; readonly body: string };
type Answer = { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> } | "hang";

/** Answers one after the other as told, the last again and again. */
export function httpServer(...answers: readonly Answer[]): Promise<{ url: string; heard: Heard[] }> {
  return served(answers, undefined);
}

/** With a certificate that nobody vouches for. */
export function strangeServer(): Promise<{ url: string; heard: Heard[] }> {
  return served([{ status: 200, body: '{"ok":true}' }], strangeCertificate());
}

export function strangeCertificate(): Certificate {
  const dayMs = 86_400_000;
  const now = Date.now();
  return selfSigned({ names: ["127.0.0.1"], from: new Date(now - dayMs), to: new Date(now + dayMs) });
}

async function served(answers: readonly Answer[], tls: Certificate | undefined) {
  const heard: Heard[] = [];
  const hear = (request: IncomingMessage, response: ServerResponse): void => {
    void textOf(request).then((body) => {
      const answer = answers[Math.min(heard.length, answers.length - 1)] ?? { status: 200 };
      const { method = "", url: path = "", headers } = request;
      heard.push({ method, path, type: headers["content-type"] ?? "", body });
      if (answer === "hang") return;
      response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
      response.end(answer.body ?? "{}");
    });
  };
  const server = tls === undefined ? createServer(hear) : createTlsHttpServer(tls, hear);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const scheme = tls === undefined ? "http" : "https";
  return { url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

export type Mail = { readonly from: string; readonly to: readonly string[]; readonly data: string };
type MailSetting = {
  readonly refuse?: string;
  readonly login?: boolean;
  readonly silent?: boolean;
  readonly tls?: Certificate;
};

/** SMTP as RFC 5321 has it, as far as a message needs it. */
export async function mailServer(setting: MailSetting = {}): Promise<{ port: number; mails: Mail[]; lines: string[] }> {
  const mails: Mail[] = [];
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const meet = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (setting.silent) return;
    converse(socket, setting, mails, lines);
  };
  const server = setting.tls === undefined ? createTcpServer(meet) : createTlsServer(setting.tls, meet);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, mails, lines };
}

function converse(socket: Socket, { refuse, login = false }: MailSetting, mails: Mail[], lines: string[]): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let from = "";
  let to: string[] = [];
  let data: string[] | undefined;
  let rest = "";
  say("220 mail.test ESMTP");
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\r\n");
    rest = parts.pop() ?? "";
    for (const line of parts) hear(line);
  });

  function hear(line: string): void {
    if (data === undefined) {
      lines.push(line);
      for (const answer of answersTo(line)) say(answer);
      if (/^QUIT/i.test(line)) socket.end();
    } else if (line === ".") {
      mails.push({ from, to, data: data.join("\n") });
      data = undefined;
      say("250 2.0.0 queued");
    } else data.push(line.replace(/^\.\./, "."));
  }

  function answersTo(line: string): readonly string[] {
    const [, address = ""] = /<(.*)>/.exec(line) ?? [];
    switch (line.slice(0, 4).toUpperCase()) {
      case "EHLO":
        return ["250-mail.test", login ? "250 AUTH PLAIN" : "250 SIZE 1000000"];
      case "AUTH":
        return [line.includes(Buffer.from("\0bot\0right").toString("base64")) ? "235 ok" : `535 5.7.8 no: ${line}`];
      case "MAIL":
        from = address;
        to = [];
        return [refuse ?? "250 ok"];
      case "RCPT":
        to = [...to, address];
        return ["250 ok"];
      case "DATA":
        data = [];
        return ["354 go on"];
      case "STAR":
        return ["502 5.5.1 no encryption here"];
      case "QUIT":
        return ["221 bye"];
      default:
        return ["250 ok"];
    }
  }
}
