// N04, and N05 under TLS: a certificate that is not in order means that no byte of the request leaves, and nothing in
// the environment changes that.

import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, connect, createServer } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { selfSigned } from "../support/certificate.ts";
import { always, faultServer, type Script } from "../support/fault-server.ts";
import { untilItHolds } from "../support/until-it-holds.ts";
import { codeOf, filledEnvelope, handTimers, order, paying, reading, wired } from "../support/wire.ts";

const day = 86_400_000;
const now = Date.now();
const current = { from: new Date(now - day), to: new Date(now + day) };
const good = selfSigned({ names: ["localhost", "127.0.0.1"], ...current });
const filling: Script = always((line) => line.json(200, filledEnvelope));

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Not sent, by the code `tls`, and no byte of HTTP arrived. */
async function refused(options: {
  certificate: { cert: string; key: string };
  authority?: string;
  host?: string;
  server?: object;
}): Promise<string> {
  const { cert, key } = options.certificate;
  const venue = await faultServer(filling, { cert, key, host: options.host ?? "localhost", ...options.server });
  const { exchange, budget } = wired(
    venue.baseUrl,
    options.authority === undefined ? {} : { authority: options.authority },
  );
  const outcome = await exchange.addOrder(order, paying());
  expect(outcome).toMatchObject({ kind: "not-sent", code: "tls" });
  expect(codeOf(await exchange.balances(reading))).toBe("tls");
  expect(budget.ends).toEqual([{ kind: "unspent" }, { kind: "unspent" }]);
  expect(venue.received()).toBe("");
  exchange.close();
  await venue.close();
  return outcome.kind === "not-sent" ? outcome.reason : "";
}

test("a venue with a certificate that is in order is talked to, by name and by address", async () => {
  for (const host of ["localhost", "127.0.0.1"]) {
    const venue = await faultServer(filling, { ...good, host });
    const { exchange } = wired(venue.baseUrl, { authority: good.cert });
    expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
    exchange.close();
    await venue.close();
  }
});

test("N04 a self-signed certificate that nobody vouches for is refused", async () => {
  expect(await refused({ certificate: good })).toContain("SELF_SIGNED");
});

test("N04 an expired certificate is refused", async () => {
  const old = selfSigned({ names: ["localhost"], from: new Date(now - 9 * day), to: new Date(now - day) });
  expect(await refused({ certificate: old, authority: old.cert })).toContain("EXPIRED");
});

test("N04 a certificate for another name is refused", async () => {
  const other = selfSigned({ names: ["venue.example"], ...current });
  expect(await refused({ certificate: other, authority: other.cert })).toContain("ALTNAME");
  expect(await refused({ certificate: other, authority: other.cert, host: "127.0.0.1" })).toContain("ALTNAME");
});

test("N04 a certificate is checked against the name that was asked for, not against the address that it led to", async () => {
  const ofAddress = selfSigned({ names: ["127.0.0.1"], ...current });
  expect(await refused({ certificate: ofAddress, authority: ofAddress.cert })).toContain("ALTNAME");
  const ofName = selfSigned({ names: ["localhost"], ...current });
  const venue = await faultServer(filling, { ...ofName, host: "localhost", ALPNProtocols: ["h2", "http/1.1"] });
  const { exchange } = wired(venue.baseUrl, { authority: ofName.cert });
  expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
  // And HTTP/1.1 is asked for where the venue would rather speak another.
  expect(venue.lines.map(({ socket }) => (socket as TLSSocket).alpnProtocol)).toEqual(["http/1.1"]);
  exchange.close();
  await venue.close();
});

test("N03 the connection goes to the address that was checked: its name is asked for once", async () => {
  const { lookup } = dns;
  onTestFinished(() => {
    dns.lookup = lookup;
    syncBuiltinESMExports();
  });
  dns.lookup = (async () => [{ address: "127.0.0.1", family: 4 }]) as unknown as typeof lookup;
  syncBuiltinESMExports();
  const host = "venue.invalid";
  const named = selfSigned({ names: [host], ...current });
  const venue = await faultServer(filling, { ...named, host });
  const { exchange } = wired(venue.baseUrl, { authority: named.cert });
  expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
  exchange.close();
  await venue.close();
});

test("N05 up to the last check nothing but the handshake leaves, not even an empty record", async () => {
  // Up to TLS 1.2 a record says what it is in its first byte.
  const venue = await faultServer(filling, { ...good, maxVersion: "TLSv1.2" });
  const passed: Buffer[] = [];
  const way = createServer((near) => {
    const far = connect(Number(venue.baseUrl.port), "127.0.0.1");
    near.on("data", (chunk: Buffer) => passed.push(chunk)).on("error", () => {});
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => void way.listen(0, "127.0.0.1", resolve));
  const base = new URL(venue.baseUrl);
  base.port = String((way.address() as AddressInfo).port);
  const { exchange } = wired(base, { authority: good.cert });
  const refused = await exchange.addOrder(order, paying({ lastCheck: () => "stopped" }));
  expect(refused).toMatchObject({ kind: "not-sent", code: "refused" });
  await venue.lines[0]?.closed;
  const handshake = recordsOf(Buffer.concat(passed));
  // 20: change of cipher, 21: alert, 22: handshake
  expect(new Set(handshake)).toEqual(new Set([20, 22]));
  expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
  const all = recordsOf(Buffer.concat(passed));
  // 23: data, of an order that is sent
  expect(all.filter((kind) => kind === 23).length).toBeGreaterThan(0);
  exchange.close();
  way.close();
  await venue.close();
});

/** The kinds of TLS records, in order. */
function recordsOf(bytes: Buffer): readonly number[] {
  const kinds: number[] = [];
  for (let at = 0; at < bytes.length; at += 5 + bytes.readUInt16BE(at + 3)) kinds.push(bytes.readUInt8(at));
  return kinds;
}

test("N04 a downgrade below TLS 1.2 is refused", async () => {
  const server = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" };
  await refused({ certificate: good, authority: good.cert, server });
});

test("N04 NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch verification off", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  expect(await refused({ certificate: good })).toContain("SELF_SIGNED");
});

test("N05 a reset during the handshake is not sent", async () => {
  const venue = await faultServer(async (line) => {
    await line.bytes(1);
    line.reset();
  });
  const { exchange } = wired(new URL(venue.baseUrl.href.replace("http:", "https:")), { authority: good.cert });
  expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "tls" });
  expect(venue.received()).not.toContain("addOrder");
  await venue.close();
});

test("N08 a handshake that never ends is given up after 5 s, not sent, and its socket destroyed", async () => {
  const timers = handTimers();
  const venue = await faultServer(() => {});
  const { exchange } = wired(new URL(venue.baseUrl.href.replace("http:", "https:")), { timers });
  const sent = exchange.addOrder(order, paying());
  await untilItHolds(() => expect(venue.lines[0]?.received.length ?? 0).toBeGreaterThan(0));
  timers.expire(5_000);
  timers.expire(0);
  expect(await sent).toMatchObject({ kind: "not-sent", code: "connect-timeout" });
  await venue.lines[0]?.closed;
  await venue.close();
});
