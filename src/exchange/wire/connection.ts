// Opens a connection: the name is resolved once, every address is checked, and the connection goes to a checked
// address. Certificates are always verified. Nothing is sent here, so a failure means that no byte left.

import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { BlockList, connect as connectPlain, isIP, isIPv6, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Timers } from "../../domain/time.ts";

export type ConnectionSettings = {
  readonly reach: Reach;
  /** Resolving, connecting and the TLS handshake together. */
  readonly connectMsMax: number;
  /** Certificates to trust instead of the runtime's, for tests with a private authority. */
  readonly authority?: string;
};

/** The reason for a failed connection, as a stable code. */
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
  const port = Number(url.port || (secure ? 443 : 80));
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
    // A process that was suspended runs its timers before its sockets; the extra turn lets data that arrived meanwhile
    // count.
    cancel = timers.after(0, giveUp);
  });
  async function open(): Promise<Socket> {
    const address = await resolve(host, settings.reach);
    // The caller has given up: a name that resolves now must not be connected to.
    if (late) throw new ConnectionFailure("connect-timeout", "resolved too late");
    socket = connectPlain({ host: address, port, noDelay: true, autoSelectFamily: false });
    await established(socket, "connect");
    if (secure) {
      socket = tlsOver(socket, address, host, settings.authority);
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

async function established(socket: Socket, step: "connect" | "tls"): Promise<void> {
  try {
    await once(socket, step === "tls" ? "secureConnect" : "connect");
    // A reset before the next owner listens must not become an uncaught error; it shows as a closed socket.
    socket.on("error", () => {});
  } catch (error) {
    socket.destroy();
    throw new ConnectionFailure(step, `${step === "tls" ? "TLS" : "connection"} failed (${codeOf(error)})`);
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

/** The reason to refuse the address, or undefined. */
export function refuseAddress(address: string, reach: Reach): string | undefined {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (reach === "loopback")
    return loopback.check(address, family) ? undefined : `paper mode reaches loopback addresses only, was ${address}`;
  return special.check(address, family)
    ? `live mode must not reach loopback, private or special addresses, was ${address}`
    : undefined;
}

/** An IPv4 rule also covers the address in IPv6 form (::ffff:10.0.0.1), which BlockList recognises. */
function listOf(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIPv6(net) ? "ipv6" : "ipv4");
  return list;
}
