// A TCP server that speaks just enough HTTP to misbehave in every way: each connection runs a script that reads requests
// and writes whatever bytes it likes. It records what arrived, so that "no byte" and "sent once" can be asserted.

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export class Line {
  readonly socket: Socket;
  /** Bytes that arrived on this connection. */
  received = Buffer.alloc(0);
  readonly closed: Promise<void>;
  private taken = 0;
  private wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    socket.once("close", () => this.wake());
  }

  /** The next complete request; never ends when the client goes away before. */
  async request(): Promise<SeenRequest> {
    for (;;) {
      const found = parsed(this.received.subarray(this.taken));
      if (found !== undefined) {
        this.taken += found.length;
        return found.request;
      }
      await this.more();
    }
  }

  /** At least so many bytes have arrived. */
  async bytes(count: number): Promise<void> {
    while (this.received.length < count) await this.more();
  }

  /** As it stands, no framing added. */
  raw(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  answer(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): void {
    this.raw(Buffer.concat([Buffer.from(head(status, Buffer.byteLength(body), headers)), Buffer.from(body)]));
  }

  json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.answer(status, JSON.stringify(body), headers);
  }

  /** RST, not FIN. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

export function head(status: number, length: number, headers: Readonly<Record<string, string>> = {}): string {
  const all = { "content-type": "application/json", "content-length": String(length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n`;
}

export type Script = (line: Line, index: number) => void | Promise<void>;

export type FaultServer = {
  readonly baseUrl: URL;
  readonly lines: readonly Line[];
  /** Every byte of every connection, as text. */
  received(): string;
  /** Requests that arrived in full. */
  requests(): readonly SeenRequest[];
  close(): Promise<void>;
};

export async function faultServer(script: Script, tls?: TlsOptions & { host?: string }): Promise<FaultServer> {
  const lines: Line[] = [];
  const run = (socket: Socket): void => {
    const line = new Line(socket);
    lines.push(line);
    Promise.resolve(script(line, lines.length - 1)).catch(() => socket.destroy());
  };
  const server: Server = tls === undefined ? createServer(run) : createTlsServer(tls, run);
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const scheme = tls === undefined ? "http" : "https";
  return {
    baseUrl: new URL(`${scheme}://${tls?.host ?? "127.0.0.1"}:${port}/api/v1/`),
    lines,
    received: () => lines.map((line) => line.received.toString("latin1")).join(""),
    requests: () => lines.flatMap((line) => allOf(line.received)),
    async close() {
      for (const line of lines) line.socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers every request on every connection the same way. */
export function always(answer: (line: Line, request: SeenRequest) => void): Script {
  return async (line) => {
    for (;;) answer(line, await line.request());
  };
}

function allOf(bytes: Buffer): readonly SeenRequest[] {
  const found = parsed(bytes);
  return found === undefined ? [] : [found.request, ...allOf(bytes.subarray(found.length))];
}

function parsed(bytes: Buffer): { request: SeenRequest; length: number } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...rest] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(
    rest.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const size = Number(headers["content-length"] ?? 0);
  if (bytes.length < end + 4 + size) return undefined;
  const body = bytes.subarray(end + 4, end + 4 + size).toString("utf8");
  return { request: { method, path, headers, body }, length: end + 4 + size };
}
