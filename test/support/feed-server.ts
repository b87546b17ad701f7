// A web server on loopback in the hands of a test: answers to GET as the test scripts them.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Certificate } from "./certificate.ts";

export type FeedAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export type FeedServer = {
  readonly port: number;
  /** Paths with their queries, in order. */
  readonly asked: string[];
  answer: FeedAnswer;
  close(): Promise<void>;
};

export async function startFeedServer(certificate?: Certificate): Promise<FeedServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server: FeedServer = {
    port: 0,
    asked,
    answer: (_, response) => void response.writeHead(404).end(),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        http.close(() => resolve());
      }),
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(request.url ?? "");
    server.answer(request, response);
  };
  const http = certificate === undefined ? createServer(handle) : createTlsServer(certificate, handle);
  http.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return Object.assign(server, { port: (http.address() as AddressInfo).port });
}
