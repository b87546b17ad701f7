// The sockets of the page: one HTTP or HTTPS server, at both addresses of `localhost`, with a connection limit for each
// class. Connections that have shown the token are a separate class, and so are watching pages: no number of other
// connections takes their places.

import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Server as TlsServer } from "node:tls";
import type { Exposure } from "../../domain/exposure.ts";
import { invariant } from "../../domain/invariant.ts";
import { isLoopback } from "../../domain/loopback.ts";

/** Idle connections are closed even when no other connection needs the place. */
export type Patience = {
  /** The time within which a whole request must arrive. */
  readonly silentMsMax: number;
  /**
   * The longest time without a byte in either direction; otherwise a client that does not read its answer would keep
   * the connection for ever.
   */
  readonly stalledMsMax: number;
  /**
   * How often idle connections are searched for; Node's default of 30 s would keep the kill switch blocked for too
   * long.
   */
  readonly lookEveryMs: number;
};

const TLS = { minVersion: "TLSv1.2" } as const;
const PATIENCE: Patience = { silentMsMax: 5_000, stalledMsMax: 10_000, lookEveryMs: 1_000 };

/** The limit for all connections at one address, unless the process may open few files. */
const CONNECTIONS_MAX = 512;
/** Reserved for what is no connection of the page: journal, ledger, venue, feeds, kill file. */
const OTHER_FILES = 64;

export type ListenerParts = Pick<Exposure, "host" | "tls"> & {
  /** 0 takes a free port. */
  readonly port: number;
  readonly trouble: (error: unknown) => void;
  readonly patience?: Patience;
};

export type Listener = {
  readonly port: number;
  /** A warning for the person who opens the page. */
  readonly warning: string | undefined;
  /** Takes another certificate for new connections; throws if its key is another one's. */
  renew(tls: Exposure["tls"]): void;
  close(): Promise<void>;
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** `admit`: the connection has shown the token, or watches; from now on it is in the trusted class. */
export async function openListener(
  parts: ListenerParts,
  answerAt: (port: number, admit: (socket: Socket) => void) => Answer,
): Promise<Listener> {
  const server = serverOf(parts);
  const filesMax = openFilesMax();
  const most = Math.max(4, Math.min(CONNECTIONS_MAX, Math.floor((filesMax - OTHER_FILES) / 2)));
  const few = `this process may open ${filesMax} files, so the page takes ${most} connections: allow 1024 or more (ulimit -n, LimitNOFILE= in a unit)`;
  server.maxConnections = most;
  server.timeout = (parts.patience ?? PATIENCE).stalledMsMax;
  const anonymous = new Map<string, Socket>();
  server.on("connection", (socket) => {
    const name = nameOf(socket);
    anonymous.set(name, socket);
    socket.once("close", () => anonymous.get(name) === socket && anonymous.delete(name));
    // The rest is reserved for connections with the token and for watching pages. One more closes the oldest, so that a new
    // connection, which may bring the token, always gets in.
    const [oldest] = anonymous.size > most / 2 ? anonymous : [];
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
    warning: other.warning ?? (filesMax < 1024 ? few : undefined),
    renew: (tls) => (server as unknown as TlsServer).setSecureContext({ ...tls, ...TLS }),
    async close() {
      other.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Unlimited where the system does not tell; the runtime has raised it to the hard limit already. */
function openFilesMax(): number {
  try {
    return Number(
      /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Number.POSITIVE_INFINITY,
    );
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * With TLS the socket of a request differs from that of the connection, but the addresses of both ends are the same.
 */
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
  // An `import` of node:http also loads its WebSocket, which takes a tenth of a second. TLS is loaded only when it is
  // used.
  return tls === undefined
    ? process.getBuiltinModule("node:http").createServer(limits)
    : process.getBuiltinModule("node:https").createServer({ ...limits, ...tls, ...TLS, handshakeTimeout: silentMsMax });
}

function listen(server: Server, { host, port, trouble }: ListenerParts): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      // A failed connection must not stop the bot.
      server.on("error", trouble);
      const { address, port: taken } = server.address() as AddressInfo;
      // The hosts file of the machine decides what `localhost` resolves to.
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
 * Some programs resolve `localhost` to 127.0.0.1 and others to [::1]; browsers try the second first. A port that the
 * bot holds at one address is free at the other, where any user of the machine could serve a page that asks for the
 * token.
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
