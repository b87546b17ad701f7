// Opening a connection: the name is resolved once, every address is checked, and the connection goes to an address that
// was checked. Certificates are always verified. Nothing is sent here: whatever fails, fails with no byte out.

import { lookup } from "node:dns/promises";
import { BlockList, connect as connectPlain, isIP, isIPv6, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Timers } from "../../domain/time.ts";

export type ConnectionSettings = {
  readonly reach: Reach;
  /** Resolving, connecting and TLS together. */
  readonly connectMsMax: number;
  /** Certificates to trust instead of the runtime's own, for tests against a private authority. */
  readonly authority?: string;
};

/** Why there is no connection, as a stable code. */
export class ConnectionFailure extends Error {
  readonly code: "dns" | "address-refused" | "connect" | "connect-timeout" | "tls";

  constructor(code: ConnectionFailure["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export async function openConnection(url: URL, timers: Timers, settings: ConnectionSettings): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = url.protocol === "https:";
  if (settings.reach === "public" && !secure)
    throw new ConnectionFailure("address-refused", "live mode must use https");
  let socket: Socket | undefined;
  let late = false;
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => {
    late = true;
    socket?.destroy();
    reject(new ConnectionFailure("connect-timeout", `no connection within ${settings.connectMsMax} ms`));
  };
  let cancel = timers.after(settings.connectMsMax, () => {
    // A process that stood still hears its timers before its sockets: what came meanwhile counts.
    cancel = timers.after(0, giveUp);
  });
  async function open(): Promise<Socket> {
    const address = await resolve(host, settings.reach);
    // Nobody waits any more: a name that resolves now must not be dialled.
    if (late) throw new ConnectionFailure("connect-timeout", "resolved too late");
    socket = secure ? dialTls(address, host, url, settings.authority) : dialPlain(address, url);
    await established(socket, secure);
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

async function lookedUp(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true, order: "ipv4first" })).map((entry) => entry.address);
  } catch (error) {
    throw new ConnectionFailure("dns", `${host} cannot be resolved (${codeOf(error)})`);
  }
}

function dialPlain(address: string, url: URL): Socket {
  return connectPlain({ host: address, port: Number(url.port || 80), noDelay: true, autoSelectFamily: false });
}

function dialTls(address: string, host: string, url: URL, authority: string | undefined): Socket {
  return connectTls({
    host: address,
    port: Number(url.port || 443),
    // A literal address is checked against the certificate as an address; SNI must not carry one.
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    // Said out loud, so that NODE_TLS_REJECT_UNAUTHORIZED has no say.
    rejectUnauthorized: true,
    ...(authority === undefined ? {} : { ca: authority }),
  });
}

function established(socket: Socket, secure: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let connected = false;
    const fail = (error: unknown): void => {
      socket.destroy();
      reject(
        connected
          ? new ConnectionFailure("tls", `TLS failed (${codeOf(error)})`)
          : new ConnectionFailure("connect", `connection failed (${codeOf(error)})`),
      );
    };
    const closed = (): void => fail(new Error("closed"));
    socket.once("connect", () => {
      connected = true;
      if (!secure) done();
    });
    socket.once("secureConnect", () => done());
    socket.once("error", fail);
    socket.once("close", closed);
    const done = (): void => {
      // A reset before the next owner listens must not become an uncaught error; it shows as a closed socket.
      socket.on("error", () => {});
      socket.off("error", fail);
      socket.off("close", closed);
      resolve();
    };
  });
}

/**
 * The runtime compiles its way to the kernel when it is first taken, which would come between the last check and the
 * write. Empty writes take it before: one part, and two, as requests have. Not a byte leaves, under TLS neither.
 */
async function warmUp(socket: Socket): Promise<void> {
  await nothingWritten(socket, 1);
  await nothingWritten(socket, 2);
}

async function nothingWritten(socket: Socket, parts: number): Promise<void> {
  socket.cork();
  const written = Array.from({ length: parts }, () => emptyWrite(socket));
  socket.uncork();
  await Promise.all(written);
}

function emptyWrite(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write("", "latin1", (error) => {
      if (error) reject(new ConnectionFailure("connect", `connection failed (${codeOf(error)})`));
      else resolve();
    });
  });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : error instanceof Error ? error.message : "unknown";
}

export type Reach = "loopback" | "public";

const loopback = listOf([
  ["127.0.0.0", 8],
  ["::1", 128],
]);

const special = listOf([
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
]);

/** A reason to refuse, or undefined. */
export function refuseAddress(address: string, reach: Reach): string | undefined {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (reach === "loopback")
    return loopback.check(address, family) ? undefined : `paper mode reaches loopback addresses only, was ${address}`;
  return special.check(address, family)
    ? `live mode must not reach loopback, private or special addresses, was ${address}`
    : undefined;
}

/** An IPv4 rule also covers the address written as IPv6 (::ffff:10.0.0.1): the list sees through that form. */
function listOf(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIPv6(net) ? "ipv6" : "ipv4");
  return list;
}
