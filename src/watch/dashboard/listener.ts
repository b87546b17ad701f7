// The sockets of the page: one server of HTTP or HTTPS, at both addresses of `localhost`, with a limit of connections for each class. A
// connection that has shown the token is in a class of its own, and so is a page that watches: no number of others takes their places.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Exposure } from "../../domain/exposure.ts";
import { invariant } from "../../domain/invariant.ts";
import { isLoopback } from "../../domain/loopback.ts";

/** An idle connection is closed, also where no other wants its place. */
export type Patience = {
  /** How long a whole request may take to arrive. */
  readonly silentMsMax: number;
  /** Without a byte either way: a client that does not read its answer would keep the connection for ever. */
  readonly stalledMsMax: number;
  /** How often idle connections are looked for; Node's 30 s would leave the switch busy for long. */
  readonly lookEveryMs: number;
};

const PATIENCE: Patience = { silentMsMax: 5_000, stalledMsMax: 10_000, lookEveryMs: 1_000 };

/** Without the token. One more closes the oldest, so that a new one, which may bring the token, always gets in. */
const ANONYMOUS_MAX = 256;
/** All together; the difference is for those with the token and for pages that watch. */
const CONNECTIONS_MAX = 512;

export type ListenerParts = Pick<Exposure, "host" | "tls"> & {
  /** 0 takes a free one. */
  readonly port: number;
  readonly trouble: (error: unknown) => void;
  readonly patience?: Patience;
};

export type Listener = {
  readonly port: number;
  /** What a person should know before trusting the page. */
  readonly warning: string | undefined;
  close(): Promise<void>;
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** `admit`: this connection has shown the token, or watches; it is in the trusted class from now on. */
export async function openListener(
  parts: ListenerParts,
  answerAt: (port: number, admit: (socket: Socket) => void) => Answer,
): Promise<Listener> {
  const server = serverOf(parts);
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = (parts.patience ?? PATIENCE).stalledMsMax;
  const anonymous = new Map<string, Socket>();
  server.on("connection", (socket) => {
    const name = nameOf(socket);
    anonymous.set(name, socket);
    socket.once("close", () => anonymous.get(name) === socket && anonymous.delete(name));
    const [oldest] = anonymous.size > ANONYMOUS_MAX ? anonymous : [];
    if (oldest === undefined) return;
    anonymous.delete(oldest[0]);
    oldest[1].destroy();
  });
  const port = await listen(server, parts);
  server.on(
    "request",
    answerAt(port, (socket) => anonymous.delete(nameOf(socket))),
  );
  const other = await openOther(server);
  return {
    port,
    warning: other.warning,
    async close() {
      other.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** With TLS a request has another socket than the connection: both its ends are the same. */
function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

function serverOf({ tls, patience = PATIENCE }: ListenerParts): Server {
  const { silentMsMax, lookEveryMs } = patience;
  const limits = {
    requestTimeout: silentMsMax,
    headersTimeout: silentMsMax,
    keepAliveTimeout: silentMsMax,
    connectionsCheckingInterval: lookEveryMs,
  };
  // An `import` of node:http also loads its WebSocket, a tenth of a second; TLS is loaded only where it is used.
  return tls === undefined
    ? process.getBuiltinModule("node:http").createServer(limits)
    : process
        .getBuiltinModule("node:https")
        .createServer({ ...limits, ...tls, minVersion: "TLSv1.2", handshakeTimeout: silentMsMax });
}

function listen(server: Server, { host, port, trouble }: ListenerParts): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      // A connection that cannot be taken is no reason to stop the bot.
      server.on("error", trouble);
      const { address, port: taken } = server.address() as AddressInfo;
      // `localhost` is what the machine's own list of names says it is.
      invariant(
        isLoopback(address) === isLoopback(host),
        `the server must listen on a loopback address, was ${address}`,
      );
      resolve(taken);
    });
  });
}

const OTHER: Readonly<Record<string, string>> = { "127.0.0.1": "::1", "::1": "127.0.0.1" };

/**
 * `localhost` is 127.0.0.1 to one program and [::1] to another; browsers try the second first. A port that the bot has at one of them is
 * free at the other, where any user of the machine could show a page of his own that asks for the token.
 */
async function openOther(server: Server): Promise<{ readonly warning: string | undefined; close(): void }> {
  const { address, port } = server.address() as AddressInfo;
  const host = OTHER[address];
  const nothing = { warning: undefined, close: () => undefined };
  if (host === undefined) return nothing;
  const door = createServer((socket) => void server.emit("connection", socket));
  door.maxConnections = server.maxConnections;
  return await new Promise((resolve) => {
    door.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code !== "EADDRINUSE") return resolve(nothing);
      const warning = `port ${port} of ${host} belongs to another program: what a browser shows for localhost may be that one; use ${address} alone, and give the token to no other page`;
      resolve({ ...nothing, warning });
    });
    door.listen({ host, port, ipv6Only: true }, () => {
      door.on("error", (error) => server.emit("error", error));
      resolve({ warning: undefined, close: () => void door.close() });
    });
  });
}
