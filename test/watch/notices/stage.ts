// Virtual time for outboxes, and loopback servers that speak as the services do.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsHttpServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
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

/** With a certificate that is not trusted. */
export function strangeServer(): Promise<{ url: string; heard: Heard[] }> {
  return served([{ status: 200, body: '{"ok":true}' }], strangeCertificate());
}

function strangeCertificate(): Certificate {
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
