// What the running bot answers over HTTP, and to whom.

import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openToken, tokenHolders, tokenPath } from "../../../src/app/key/control-token.ts";
import { digestOf } from "../../../src/domain/bearer-token.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { type DashboardServer, type ServerParts, startServer } from "../../../src/watch/dashboard/server.ts";
import { until } from "../../support/program.ts";
import { type Answered, type Asked, askAt, authorised, partsWith, TOKEN } from "./stage.ts";

let server: DashboardServer;
let halts: string[];
let reasons: string[];
let denied: string[];
let problem: string | undefined;

const parts: ServerParts = partsWith({
  unready: () => reasons,
  denied: (path) => void denied.push(path),
  halt: (reason, by) => {
    halts.push(`${by}: ${reason}`);
    return problem;
  },
});

beforeEach(async () => {
  halts = [];
  reasons = [];
  denied = [];
  problem = undefined;
  server = await startServer(parts);
});
afterEach(() => server.close());

const ask = (path: string, asked: Asked = {}): Promise<Answered> => askAt(server.port, path, asked);

function halt(headers: OutgoingHttpHeaders = authorised, body = '{"reason": "too fast"}'): Promise<Answered> {
  return ask("/api/halt", { method: "POST", headers, body });
}

describe("anybody on this machine", () => {
  test("learns that the bot lives, and whether it is ready or why not", async () => {
    expect(await ask("/healthz")).toMatchObject({ status: 200, text: "alive\n" });
    expect(await ask("/readyz")).toMatchObject({ status: 200, text: "ready\n" });
    reasons = ["HALTED: too fast; way out: pegbot resume", "journal cannot be written"];
    const answer = await ask("/readyz");
    expect(answer).toMatchObject({ status: 503, text: `not ready\n${reasons.join("\n")}\n` });
    expect((await ask("/healthz")).status).toBe(200);
  });

  test("finds nothing else, by no other method", async () => {
    expect((await ask("/page")).status).toBe(404);
    expect((await ask("/dashboard/page/../../server.ts")).status).toBe(404);
    expect((await ask("/healthz/../api/halt")).status).toBe(404);
    expect(await ask("/healthz", { method: "POST" })).toMatchObject({ status: 405, headers: { allow: "GET" } });
    expect((await ask("/api/halt", { headers: authorised })).status).toBe(405);
  });
});

describe("a request from elsewhere", () => {
  const PATHS = ["/", "/data", "/openapi.json", "/healthz", "/readyz", "/metrics", "/api/halt", "/api/status"];
  test.each(["evil.example:80", "localhost", "127.0.0.1.evil.example"])(
    "by the name %s gets 403 everywhere, token or not",
    async (host) => {
      for (const path of PATHS) expect((await ask(path, { headers: { ...authorised, host } })).status, path).toBe(403);
      expect((await halt({ ...authorised, host })).status).toBe(403);
      expect(halts).toEqual([]);
    },
  );

  test.each(["http://evil.example", "null", ""])("of the page %s gets 403", async (origin) => {
    expect((await halt({ ...authorised, origin })).status).toBe(403);
    expect((await ask("/metrics", { headers: { origin } })).status).toBe(403);
    expect(halts).toEqual([]);
  });

  test("by each name of this machine and from the bot's own page is let in", async () => {
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
      const host = `${name}:${server.port}`;
      expect((await halt({ ...authorised, host, origin: `http://${host}` })).status, name).toBe(200);
    }
  });

  test("allows no page of another site to read an answer", async () => {
    for (const answer of [await ask("/metrics"), await halt()]) {
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
      expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
    }
  });
});

describe("POST /api/halt", () => {
  test("stops the bot with the reason that was given", async () => {
    const { status, text } = await halt();
    expect([status, JSON.parse(text)]).toEqual([200, { state: "HALTED", reason: "too fast" }]);
    expect(halts).toEqual(["api:owner: too fast"]);
  });

  test("keeps characters that would move a cursor or turn a line around out of the reason and off the page", async () => {
    const body = JSON.stringify({ reason: "a\u001b[2Jb\u202ec" });
    expect(JSON.parse((await halt(authorised, body)).text)).toEqual({ state: "HALTED", reason: "a\\x1b[2Jb\\u202ec" });
    expect(halts).toEqual(["api:owner: a\\x1b[2Jb\\u202ec"]);
    reasons = ["the venue said \u001b[2J\u202e"];
    expect((await ask("/readyz")).text).toBe("not ready\nthe venue said \\x1b[2J\\u202e\n");
  });

  test("is answered at once while somebody takes every connection, says half a request, and comes again when let go", async () => {
    let isOver = false;
    const begun = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
    const open = new Set<Socket>();
    const come = (): void => {
      if (isOver) return;
      const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
      open.add(socket);
      socket.once("close", () => open.delete(socket)).once("close", () => setTimeout(come, 20));
      socket.write(begun);
    };
    for (let count = 0; count < 300; count++) come();
    await until(() => [...open].filter(({ connecting }) => !connecting).length >= 256, "every place to be taken");
    for (let count = 0; count < 5; count++) expect((await halt()).status).toBe(200);
    isOver = true;
    for (const socket of open) socket.destroy();
  });

  test("is not kept from who has the token by those who ask and never read", async () => {
    const asking = `GET /uplot.js HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`;
    const deaf = Array.from({ length: 70 }, () => connect(server.port, "127.0.0.1").on("error", () => undefined));
    for (const socket of deaf) socket.pause().write(asking);
    await Promise.all(deaf.map((socket) => new Promise((open) => socket.once("connect", open))));
    expect((await halt()).status).toBe(200);
    for (const socket of deaf) socket.destroy();
  });

  test("says so when the stop could not be written down", async () => {
    problem = "kill file x.KILL cannot be written: ENOSPC";
    expect(await halt()).toMatchObject({ status: 500, text: `{"state":"HALTED","error":"${problem}"}\n` });
  });

  test.each<[string, OutgoingHttpHeaders]>([
    ["no token", {}],
    ["a wrong token", { authorization: `Bearer ${"6".repeat(64)}` }],
    ["a token that is cut", { authorization: `Bearer ${TOKEN.slice(1)}` }],
    ["another scheme", { authorization: `Basic ${TOKEN}` }],
    ["a cookie instead", { cookie: `token=${TOKEN}` }],
  ])("with %s gets 401 and does nothing", async (_, headers) => {
    const { status, headers: answered } = await halt({ "content-type": "application/json", ...headers });
    expect([status, answered["www-authenticate"]]).toEqual([401, 'Bearer realm="pegbot"']);
    expect((await ask(`/api/halt?token=${TOKEN}`, { method: "POST", body: "{}" })).status).toBe(401);
    expect((await ask("/api/anything", { headers })).status).toBe(401);
    expect(halts).toEqual([]);
    // A wrong token is reported; a missing one, as of a page before it has one, is not.
    expect(denied).toEqual("authorization" in headers ? ["/api/halt", "/api/anything"] : []);
  });

  test.each(["", "[]", "{}", '{"reason": "  "}', '{"reason": 1}'])(
    "with the body %j gets 400 and does nothing",
    async (body) => {
      expect((await halt(authorised, body)).status).toBe(400);
      expect((await halt(authorised, `{"reason": "x", "force": true}`)).status).toBe(400);
      expect((await halt(authorised, JSON.stringify({ reason: "x".repeat(201) }))).status).toBe(400);
      expect(halts).toEqual([]);
    },
  );
});

describe("the token", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pegbot-token-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("has 256 bits, is drawn once, and only its owner can read it", () => {
    const journal = join(folder, "pegbot.db");
    const drawn = openToken(journal);
    expect(drawn).toMatchObject({ ok: true, value: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(openToken(journal)).toEqual(drawn);
    expect(openToken(join(folder, "other.db"))).not.toEqual(drawn);
    expect(statSync(tokenPath(journal)).mode & 0o777).toBe(0o600);
  });

  test("is refused when others may read it, or when it is none", () => {
    const journal = join(folder, "pegbot.db");
    writeFileSync(tokenPath(journal), `${TOKEN}\n`, { mode: 0o644 });
    expect(openToken(journal)).toMatchObject({ ok: false, error: expect.stringContaining("mode 0600") });
    rmSync(tokenPath(journal));
    writeFileSync(tokenPath(journal), "secret\n", { mode: 0o600 });
    expect(openToken(journal)).toMatchObject({ ok: false, error: expect.stringContaining("64 hexadecimal digits") });
  });

  test("of others counts by its line alone; a file that cannot be read takes that one, and never the owner's", () => {
    const [journal, other] = [join(folder, "pegbot.db"), join(folder, "pegbot.db.token.ops")];
    const owner = unwrap(openToken(journal));
    const holderOf = tokenHolders(journal);
    const nameOf = (token: string): string | undefined => holderOf(`Bearer ${token}`)?.name;
    const line = `ops halt ${digestOf("a".repeat(64))}\n`;
    writeFileSync(other, line, { mode: 0o600 });
    expect(holderOf(`Bearer ${"a".repeat(64)}`)).toMatchObject({ name: "ops", scope: "halt" });
    expect(nameOf(digestOf("a".repeat(64)))).toBeUndefined();
    for (const broken of [
      "",
      `ops root ${digestOf("a".repeat(64))}\n`,
      line.replace("ops", "bob"),
      `ops halt ${"a".repeat(64)}\n`,
    ]) {
      writeFileSync(other, broken);
      expect([nameOf("a".repeat(64)), nameOf(""), nameOf(owner)]).toEqual([undefined, undefined, "owner"]);
    }
    writeFileSync(other, line);
    chmodSync(other, 0o644);
    expect(nameOf("a".repeat(64))).toBeUndefined();
    // A file of the owner's that is gone is drawn anew; one that cannot be read leaves the token that was known.
    rmSync(tokenPath(journal));
    const drawn = unwrap(openToken(journal));
    expect([nameOf(owner), nameOf(drawn)]).toEqual([undefined, "owner"]);
    chmodSync(tokenPath(journal), 0o644);
    expect(nameOf(drawn)).toBe("owner");
  });
});
