// A web server on loopback in the hands of a test: answers to GET as the test scripts them, and WebSocket lines that it can
// speak on, break, or leave half-open.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Certificate } from "./certificate.ts";

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export type FeedAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export type ServerLine = {
  /** What the client said, in order. */
  readonly said: string[];
  send(text: string): void;
  /** Bytes as they are, no frame around them. */
  raw(bytes: Buffer): void;
  close(code: number, reason: string): void;
  /** Without a word. */
  cut(): void;
  readonly isCut: boolean;
};

export type FeedServer = {
  readonly port: number;
  /** Paths with their queries, in order. */
  readonly asked: string[];
  answer: FeedAnswer;
  readonly lines: ServerLine[];
  close(): Promise<void>;
};

export async function startFeedServer(certificate?: Certificate): Promise<FeedServer> {
  const asked: string[] = [];
  const lines: ServerLine[] = [];
  const sockets = new Set<Duplex>();
  const server: FeedServer = {
    port: 0,
    asked,
    lines,
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
  http.on("upgrade", (request: IncomingMessage, socket: Duplex) => lines.push(lineOf(request, socket)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return Object.assign(server, { port: (http.address() as AddressInfo).port });
}

function lineOf({ headers }: IncomingMessage, socket: Duplex): ServerLine {
  const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}${MAGIC}`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const said: string[] = [];
  const state = { isCut: false };
  let rest = Buffer.alloc(0);
  socket.on("error", () => undefined);
  for (const event of ["close", "end"])
    socket.on(event, () => {
      state.isCut = true;
      socket.end();
    });
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = frameIn(rest); frame !== undefined; frame = frameIn(rest)) {
      rest = rest.subarray(frame.length);
      if (frame.opcode === 1) said.push(frame.payload.toString());
    }
  });
  return {
    said,
    send: (text) => void socket.write(frameOf(1, Buffer.from(text))),
    raw: (bytes) => void socket.write(bytes),
    close(code, reason) {
      const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
      payload.writeUInt16BE(code);
      payload.write(reason, 2);
      socket.end(frameOf(8, payload));
    },
    cut: () => void socket.destroy(),
    get isCut() {
      return state.isCut;
    },
  };
}

export function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (length >= 65_536) head.writeBigUInt64BE(BigInt(length), 2);
  else if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

type Frame = { readonly opcode: number; readonly payload: Buffer; readonly length: number };

/** A client's frame is masked; short and medium ones are all that clients of ours send. */
function frameIn(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const head = short < 126 ? 2 : 4;
  if (bytes.length < head) return undefined;
  const size = short < 126 ? short : bytes.readUInt16BE(2);
  const length = head + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(head, head + 4);
  const payload = Buffer.from(bytes.subarray(head + 4, length).map((byte, i) => byte ^ (mask[i % 4] as number)));
  return { opcode: (bytes[0] as number) & 0x0f, payload, length };
}
