// An egress proxy: requests reach the venue through its tunnel, and without a tunnel nothing was sent.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { selfSigned } from "../support/certificate.ts";
import { always, faultServer, type Script } from "../support/fault-server.ts";
import { codeOf, filledEnvelope, handTimers, order, paying, reading, wired } from "../support/wire.ts";

const day = 86_400_000;
const span = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
const filling: Script = always((line) => line.json(200, filledEnvelope));

type Proxy = { readonly url: URL; readonly asked: string[]; readonly passed: Buffer[] };

/** A small real proxy: it opens a tunnel to any port of this machine, or answers otherwise. */
async function proxyThat(answer: (near: Socket, tunnel: () => void) => void): Promise<Proxy> {
  const [asked, passed, open]: [string[], Buffer[], Set<Socket>] = [[], [], new Set()];
  const server = createServer((near) => {
    open.add(near.on("error", () => {}));
    near.once("data", (head: Buffer) => {
      const text = head.toString("latin1");
      asked.push(text);
      const port = Number(/^CONNECT [^ ]*:(\d+) /.exec(text)?.[1]);
      answer(near, () => {
        const far = connect(port, "127.0.0.1", () => {
          // In two pieces: an answer may come so.
          near.write("HTTP/1.1 200 Conn");
          setImmediate(() => near.write("ection established\r\nVia: test\r\n\r\n"));
          near.on("data", (chunk: Buffer) => passed.push(chunk));
          near.pipe(far).pipe(near);
        });
        open.add(far.on("error", () => {}).on("close", () => near.destroy()));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), asked, passed };
}

const tunnelling = () => proxyThat((_near, tunnel) => tunnel());

test.each([false, true])(
  "orders and reads go through the tunnel (TLS: %s), each order on a connection of its own",
  async (isSecure) => {
    const certificate = selfSigned({ names: ["localhost"], ...span });
    const venue = await faultServer(filling, isSecure ? { ...certificate, host: "localhost" } : undefined);
    const proxy = await tunnelling();
    const { exchange } = wired(venue.baseUrl, { proxy: proxy.url, authority: certificate.cert });
    expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
    expect((await exchange.addOrder(order, paying())).kind).toBe("accepted");
    const to = `${venue.baseUrl.hostname}:${venue.baseUrl.port}`;
    expect(proxy.asked).toEqual(Array(2).fill(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`));
    expect(venue.requests().map(({ path }) => path)).toEqual(Array(2).fill("/api/v1/private/addOrder"));
    // What the proxy can read of a request under TLS is nothing.
    expect(Buffer.concat(proxy.passed).includes("addOrder")).toBe(!isSecure);
    exchange.close();
    await venue.close();
  },
);

test.each([
  ["refuses", (near: Socket) => near.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"), "answered 403"],
  ["cannot reach the venue", (near: Socket) => near.end("HTTP/1.0 502 Bad Gateway\r\n\r\n<html>"), "answered 502"],
  ["closes", (near: Socket) => near.end(), "closed the connection"],
  ["speaks for the venue", (near: Socket) => near.end("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"), "bytes after"],
  ["never ends its answer", (near: Socket) => near.end(`HTTP/1.1 200 OK\r\n${"x".repeat(9_000)}`), "more than 8192"],
])("nothing was sent where the proxy %s", async (_what, answer, why) => {
  const venue = await faultServer(filling);
  const proxy = await proxyThat(answer);
  const { exchange, budget } = wired(venue.baseUrl, { proxy: proxy.url });
  const outcome = await exchange.addOrder(order, paying());
  expect(outcome).toMatchObject({ kind: "not-sent", code: "proxy", reason: expect.stringContaining(why) });
  expect(codeOf(await exchange.balances(reading))).toBe("proxy");
  expect(proxy.asked).toHaveLength(2);
  expect(budget.ends).toEqual([{ kind: "unspent" }, { kind: "unspent" }]);
  expect(venue.lines).toHaveLength(0);
  await venue.close();
});

test("a proxy that is not there, or does not answer in time, sent nothing", async () => {
  const gone = await faultServer(() => {});
  await gone.close();
  const { exchange } = wired(gone.baseUrl, { proxy: new URL(gone.baseUrl.origin) });
  expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "proxy" });
  const timers = handTimers();
  const proxy = await proxyThat(() => timers.expire(5_000) ?? timers.expire(0));
  const silent = wired(new URL("http://127.0.0.1:9/api/v1/"), { proxy: proxy.url, timers }).exchange;
  expect(await silent.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "connect-timeout" });
});

test("a certificate is checked through the tunnel, and the last check holds the request back", async () => {
  const other = selfSigned({ names: ["venue.example"], ...span });
  const venue = await faultServer(filling, { ...other, host: "localhost" });
  const proxy = await tunnelling();
  const { exchange } = wired(venue.baseUrl, { proxy: proxy.url, authority: other.cert });
  expect(await exchange.addOrder(order, paying())).toMatchObject({ kind: "not-sent", code: "tls" });
  await venue.close();
  const plain = await faultServer(filling);
  const halted = wired(plain.baseUrl, { proxy: proxy.url }).exchange;
  const stopped = await halted.addOrder(order, paying({ lastCheck: () => "stopped" }));
  expect(stopped).toMatchObject({ kind: "not-sent", code: "refused" });
  expect(plain.received()).toBe("");
  await plain.close();
});
