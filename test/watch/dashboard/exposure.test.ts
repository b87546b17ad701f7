// Who can reach the server: this machine only, unless the wish, a certificate and names are given; then nobody sees anything
// without the token.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverExposure } from "../../../src/app/bot/serve-bot.ts";
import { exposureProblem } from "../../../src/domain/exposure.ts";
import { type DashboardServer, startServer } from "../../../src/watch/dashboard/server.ts";
import { mistakesOf } from "../../config/complete.ts";
import { selfSigned } from "../../support/certificate.ts";
import { askAt, partsWith, TOKEN } from "./stage.ts";

const DAY_MS = 86_400_000;
const from = new Date(Date.now() - DAY_MS);
const tls = selfSigned({ names: ["bot.example"], from, to: new Date(Date.now() + DAY_MS) });
const names = ["bot.example"];

describe("a server that others could reach", () => {
  test.each<[string, object]>([
    ["a certificate alone", { tls }],
    ["no name to be asked for by", { reads: "token", tls }],
    ["no certificate", { names }],
    ["reads that are open to all", { reads: "open", tls, names }],
  ])("does not start with %s", async (_, given) => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1"]) {
      expect(exposureProblem({ host, ...given })).toMatch(
        /^server\.host must be a loopback address, was .*needs server\./,
      );
      await expect(startServer(partsWith({ host, ...given }))).rejects.toThrow(/must be a loopback address/);
    }
  });

  test("is refused in the configuration already, with what is missing", () => {
    const host = "server: { host: 0.0.0.0 }";
    expect(mistakesOf(host).join("\n")).toContain(
      "also needs server.tls with a certificate and its key and server.names",
    );
    const complete = "server: { host: 0.0.0.0, tls: { certFile: c.pem, keyFile: k.pem }, names: [bot.example] }";
    expect(mistakesOf(complete)).toEqual([]);
  });

  test("takes its key from a file that nobody else can read", () => {
    const folder = mkdtempSync(join(tmpdir(), "pegbot-tls-"));
    const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const server = { host: "0.0.0.0", port: 0, names, tls: { certFile, keyFile } };
    writeFileSync(certFile, tls.cert);
    writeFileSync(keyFile, tls.key, { mode: 0o644 });
    expect(serverExposure(server)).toMatchObject({ ok: false, error: expect.stringContaining("mode 0600") });
    rmSync(keyFile);
    writeFileSync(keyFile, tls.key, { mode: 0o600 });
    expect(serverExposure(server)).toEqual({ ok: true, value: { host: "0.0.0.0", names, tls } });
    rmSync(certFile);
    expect(serverExposure(server)).toMatchObject({ ok: false, error: expect.stringContaining("ENOENT") });
    rmSync(folder, { recursive: true });
  });
});

describe.each(["0.0.0.0", "127.0.0.1"])("with certificate, names and tokens, at %s,", (host) => {
  let server: DashboardServer;
  beforeAll(async () => {
    server = await startServer(partsWith({ host, ...(host === "0.0.0.0" ? {} : { reads: "token" }), tls, names }));
  });
  afterAll(() => server.close());

  function ask(path: string, headers: OutgoingHttpHeaders = {}): Promise<number> {
    const host = `bot.example:${server.port}`;
    const options = {
      host: "127.0.0.1",
      servername: "bot.example",
      port: server.port,
      path,
      agent: false,
      ca: tls.cert,
    };
    return new Promise((resolve, reject) => {
      request({ ...options, headers: { host, ...headers } }, (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      })
        .on("error", reject)
        .end();
    });
  }

  test("it speaks https under its name", async () => {
    expect(server.url).toBe(`https://bot.example:${server.port}/`);
    expect(await ask("/")).toBe(200);
    expect(await ask("/healthz")).toBe(200);
    await expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow();
  });

  test("nothing that shows something answers without the token", async () => {
    for (const path of ["/data", "/metrics", "/readyz", "/api/status", "/nothing"]) {
      expect(await ask(path), path).toBe(401);
      expect(await ask(path, { authorization: `Bearer ${TOKEN.slice(1)}6` }), path).toBe(401);
    }
    for (const path of ["/data", "/metrics", "/readyz", "/api/status"])
      expect(await ask(path, { authorization: `Bearer ${TOKEN}` }), path).toBe(200);
  });

  test("another name, another page and plain http as origin are refused, token or not", async () => {
    const authorization = `Bearer ${TOKEN}`;
    expect(await ask("/", { host: "evil.example" })).toBe(403);
    expect(await ask("/metrics", { authorization, host: `evil.example:${server.port}` })).toBe(403);
    const name = `bot.example:${server.port}`;
    expect(await ask("/metrics", { authorization, origin: `http://${name}` })).toBe(403);
    expect(await ask("/metrics", { authorization, origin: `https://${name}` })).toBe(200);
  });
});

test("what another site's page asks for without an origin is refused; a link that a person follows is not", async () => {
  const server = await startServer(partsWith());
  const ask = async (path: string, site: string, mode: string): Promise<number> =>
    (await askAt(server.port, path, { headers: { "sec-fetch-site": site, "sec-fetch-mode": mode } })).status;
  expect(await ask("/uplot.js", "cross-site", "no-cors")).toBe(403);
  expect(await ask("/openapi.json", "same-site", "no-cors")).toBe(403);
  expect(await ask("/", "cross-site", "navigate")).toBe(200);
  expect(await ask("/uplot.js", "same-origin", "no-cors")).toBe(200);
  await server.close();
});

test("what a proxy hands on is refused where all may look, token or not, and needs the token where it is asked for", async () => {
  const [open, closed] = [await startServer(partsWith()), await startServer(partsWith({ reads: "token" }))];
  const ask = async (port: number, path: string, headers: OutgoingHttpHeaders): Promise<number> =>
    (await askAt(port, path, { headers })).status;
  const authorization = `Bearer ${TOKEN}`;
  for (const name of ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "CF-Connecting-IP"]) {
    const handedOn = { [name]: "192.0.2.7" };
    for (const path of ["/", "/metrics", "/readyz", "/data", "/api/status"]) {
      const given = [{}, { authorization }].map((more) => ask(open.port, path, { ...handedOn, ...more }));
      expect([name, path, ...(await Promise.all(given))]).toEqual([name, path, 403, 403]);
    }
    expect(await ask(closed.port, "/metrics", handedOn)).toBe(401);
    expect(await ask(closed.port, "/metrics", { ...handedOn, authorization })).toBe(200);
  }
  const refused = await askAt(open.port, "/metrics", { headers: { Via: "1.1 proxy" } });
  expect(refused.text).toContain("server.reads");
  expect(await ask(open.port, "/metrics", {})).toBe(200);
  await Promise.all([open.close(), closed.close()]);
});
