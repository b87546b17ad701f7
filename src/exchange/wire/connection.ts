// Opens a connection: the name is resolved once, and the connection goes to the first address (in paper mode
// only if all are loopback), or through the tunnel of a proxy. Certificates are always verified and decide. No byte of a request is sent here.

import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { BlockList, connect as connectPlain, isIP, isIPv6, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Timers } from "../../domain/time.ts";

export type ConnectionSettings = {
  readonly reach: Reach;
  /** An HTTP proxy: it gets host and port of the venue, and nothing of a request before its tunnel stands. */
  readonly proxy?: URL | undefined;
  /** Resolving, connecting and the TLS handshake together. */
  readonly connectMsMax: number;
  /** Certificates of a private authority, to trust instead of the runtime's (`venue.authority`). */
  readonly authority?: string;
};

/** The reason for a failed connection, as a stable code. */
export class ConnectionFailure extends Error {
  readonly code: "dns" | "address-refused" | "connect" | "connect-timeout" | "proxy" | "tls";

  constructor(code: ConnectionFailure["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export async function openConnection(url: URL, timers: Timers, settings: ConnectionSettings): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = url.protocol === "https:";
  const port = Number(url.port || (secure ? 443 : 80));
  const { reach, proxy } = settings;
  if (reach !== "loopback" && !secure) throw new ConnectionFailure("address-refused", "live mode must use https");
  let socket: Socket | undefined;
  let late = false;
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => {
    late = true;
    socket?.destroy();
    reject(new ConnectionFailure("connect-timeout", `no connection within ${settings.connectMsMax} ms`));
  };
  let cancel = timers.after(settings.connectMsMax, () => {
    // A process that was suspended runs its timers before its sockets; the extra turn lets data that arrived meanwhile
    // count.
    cancel = timers.after(0, giveUp);
  });
  async function open(): Promise<Socket> {
    const address = proxy === undefined ? await resolve(host, reach) : await resolveProxy(proxy, host, reach);
    // The caller has given up: a name that resolves now must not be connected to.
    if (late) throw new ConnectionFailure("connect-timeout", "resolved too late");
    const dialled = proxy === undefined ? port : Number(proxy.port || 80);
    socket = connectPlain({ host: address, port: dialled, noDelay: true, autoSelectFamily: false });
    await established(socket, proxy === undefined ? "connect" : "proxy");
    if (proxy !== undefined) await tunnelled(socket, `${url.hostname}:${port}`);
    if (secure) {
      socket = tlsOver(socket, proxy === undefined ? address : host, host, settings.authority);
      await established(socket, "tls");
    }
    await warmUp(socket);
    return socket;
  }
  const opening = open();
  opening.catch(() => {});
  try {
    return await Promise.race([opening, timedOut]);
  } finally {
    cancel();
  }
}

async function resolve(host: string, reach: Reach): Promise<string> {
  const addresses = isIP(host) ? [host] : await lookedUp(host);
  for (const address of addresses) {
    const refusal = refuseAddress(address, reach);
    if (refusal !== undefined) throw new ConnectionFailure("address-refused", `${host}: ${refusal}`);
  }
  const [first] = addresses;
  if (first === undefined) throw new ConnectionFailure("dns", `${host} has no address`);
  return first;
}

/** The proxy resolves the venue's name where it leads out of this network. */
async function resolveProxy({ hostname }: URL, host: string, reach: Reach): Promise<string> {
  if (reach === "loopback") await resolve(host, reach);
  return resolve(hostname.replace(/^\[|\]$/g, ""), reach);
}

const TUNNEL_BYTES_MAX = 8_192;

/** Asks the proxy for a tunnel. Bytes after its answer are refused: the venue never speaks first. */
async function tunnelled(socket: Socket, to: string): Promise<void> {
  const fail = (why: string): ConnectionFailure => {
    socket.destroy();
    return new ConnectionFailure("proxy", `the proxy ${why}; no tunnel to ${to}`);
  };
  socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const chunk: Buffer | null = socket.read();
    if (chunk !== null) head += chunk.toString("latin1");
    else if (!socket.readable) throw fail("closed the connection");
    else await Promise.race([once(socket, "readable"), once(socket, "close")]).catch(() => {});
    if (head.length > TUNNEL_BYTES_MAX) throw fail(`answered with more than ${TUNNEL_BYTES_MAX} bytes`);
  }
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1];
  if (status === undefined || !status.startsWith("2")) throw fail(`answered ${status ?? "without HTTP"}`);
  if (head.indexOf("\r\n\r\n") !== head.length - 4) throw fail("sent bytes after its answer");
}

async function lookedUp(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true, order: "ipv4first" })).map((entry) => entry.address);
  } catch (error) {
    throw new ConnectionFailure("dns", `${host} cannot be resolved (${codeOf(error)})`);
  }
}

function tlsOver(socket: Socket, address: string, host: string, authority: string | undefined): Socket {
  return connectTls({
    socket,
    host: address,
    // A literal address is checked against the certificate as an address; SNI must not carry one.
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
    ...(authority === undefined ? {} : { ca: authority }),
  });
}

const STEPS = { connect: "connection", proxy: "connection to the proxy", tls: "TLS" } as const;

async function established(socket: Socket, step: "connect" | "proxy" | "tls"): Promise<void> {
  try {
    await once(socket, step === "tls" ? "secureConnect" : "connect");
    // A reset before the next owner listens must not become an uncaught error; it shows as a closed socket.
    socket.on("error", () => {});
  } catch (error) {
    socket.destroy();
    throw new ConnectionFailure(step, `${STEPS[step]} failed (${codeOf(error)})`);
  }
}

/**
 * The runtime compiles its write path on first use, which would fall between the last check and the write. Empty writes
 * trigger it earlier: with one part and with two, as requests have. No byte leaves, not even under TLS.
 */
async function warmUp(socket: Socket): Promise<void> {
  const emptyWrite = () => new Promise<unknown>((done) => socket.write("", "latin1", done));
  for (const parts of [1, 2]) {
    socket.cork();
    const written = Array.from({ length: parts }, emptyWrite);
    socket.uncork();
    const [error] = (await Promise.all(written)).filter((each) => each instanceof Error);
    if (error !== undefined) throw new ConnectionFailure("connect", `connection failed (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : error instanceof Error ? error.message : "unknown";
}

/** `anywhere`: any host that its certificate names. */
export type Reach = "loopback" | "anywhere";

/** An IPv4 rule also covers the address in IPv6 form (::ffff:127.0.0.1), which BlockList recognises. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** The reason to refuse the address, or undefined. */
export function refuseAddress(address: string, reach: Reach): string | undefined {
  if (reach === "anywhere" || loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4")) return undefined;
  return `paper mode reaches loopback addresses only, was ${address}`;
}
