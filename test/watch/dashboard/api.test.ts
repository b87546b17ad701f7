// The control API against its own published document: every operation of it is a real one, every real one is in it, and what
// is answered has the shape that it says.

import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { secret } from "../../../src/domain/redact.ts";
import { err, ok } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { WaitingPlan } from "../../../src/operation/plan.ts";
import { FRESH } from "../../../src/risk/trading-state.ts";
import { type DashboardServer, startServer } from "../../../src/watch/dashboard/server.ts";
import type { Status } from "../../../src/watch/status.ts";
import { type Answered, type Asked, askAt, authorised, modelWith, partsWith, statusAt, T0 } from "./stage.ts";

type Media = { readonly content?: { readonly "application/json": { readonly schema: object } } };
type Described = { readonly requestBody?: Media; readonly responses: Readonly<Record<string, Media>> };
type Document = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

const DIGEST = "ab".repeat(32);
const PLAN: WaitingPlan = {
  id: "R-ababababab",
  digest: DIGEST,
  content: '{"cost":"2.5","steps":[{"name":"sell \u202e<b>VCHF/CHF"}]}',
  expiresAt: millis(T0 + 600_000),
  persons: 2,
  at: T0,
  by: "bot",
  approvals: [{ by: "anna", at: T0 }],
  holdings: [{ holding: "VCHF", now: "1", after: "2", low: "2", missingNow: "1", missingAfter: "0" }],
};

let server: DashboardServer;
let asked: string[];
const PROPOSED = { id: "R-1", digest: "d", content: "{}", expiresAt: T0, persons: 1, next: "a person approves it" };
let obstacle: string | undefined;
let status: Status;

beforeEach(async () => {
  asked = [];
  obstacle = undefined;
  status = statusAt();
  const model = modelWith(() => status);
  server = await startServer(
    partsWith({
      model,
      halt(reason, by) {
        asked.push(`halt by ${by}: ${reason}`);
        return obstacle;
      },
      async heartbeat(by) {
        asked.push(`heartbeat by ${by}`);
        return obstacle === undefined ? ok(T0) : err(obstacle);
      },
      async resume(reason, by, seen) {
        asked.push(`resume by ${by}: ${reason}, seen ${seen.join(" and ")}`);
        return obstacle === undefined ? ok({ ...FRESH, reason }) : err(obstacle);
      },
      propose: async () => (obstacle === undefined ? ok(PROPOSED) : err(obstacle)),
      plans: async () => (obstacle === undefined ? ok({ at: T0, plans: [PLAN] }) : err(obstacle)),
      async approve({ id, digest, by }) {
        asked.push(`approve ${id} by ${by}: ${digest === DIGEST}`);
        return obstacle === undefined
          ? ok({ by, ready: false, text: "1 of 2 people have approved it" })
          : err(obstacle);
      },
      async decline({ id, digest, by, reason }) {
        asked.push(`decline ${id} by ${by}: ${reason}, ${digest === DIGEST}`);
        return obstacle === undefined ? ok({ by, text: "it is not carried out" }) : err(obstacle);
      },
    }),
  );
});
afterEach(() => server.close());

const ask = (path: string, what: Asked = {}): Promise<Answered> =>
  askAt(server.port, path, { headers: authorised, ...what });

const BODIES: Readonly<Record<string, string>> = {
  "/api/halt": '{"reason":"looks odd"}',
  "/api/heartbeat": '{"by":"watchdog"}',
  "/api/resume": '{"reason":"looked at it","confirm":"resume","seen":["by hand"]}',
  "/api/approve": `{"id":"${PLAN.id}","digest":"${DIGEST}","by":"ben","confirm":"approve"}`,
  "/api/propose": '{"mint":{"asset":"VCHF","chain":"ETH","quantity":"100"},"reason":"less"}',
  "/api/decline": `{"id":"${PLAN.id}","digest":"${DIGEST}","by":"ben","reason":"too dear","confirm":"decline"}`,
};

async function documentOf(): Promise<Document> {
  const answer = await askAt(server.port, "/openapi.json");
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as Document;
}

function expectShape(media: Media | undefined, { text }: Answered, what: string): void {
  const schema = media?.content?.["application/json"].schema;
  expect(schema, what).toBeDefined();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const fits = ajv.compile(schema as object);
  expect(fits(JSON.parse(text)), `${what}: ${text}: ${ajv.errorsText(fits.errors)}`).toBe(true);
}

describe("the published document", () => {
  test("names the operations that there are: each answers as it says, with and without the token", async () => {
    const { openapi, paths } = await documentOf();
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths).sort()).toEqual([
      "/api/approve",
      "/api/balances",
      "/api/decline",
      "/api/fills",
      "/api/halt",
      "/api/heartbeat",
      "/api/orders",
      "/api/plans",
      "/api/propose",
      "/api/resume",
      "/api/status",
    ]);
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const what = { method: method.toUpperCase(), ...(BODIES[path] === undefined ? {} : { body: BODIES[path] }) };
        const done = await ask(path, what);
        expect(done.status, path).toBe(200);
        expectShape(responses[200], done, path);
        const locked = await ask(path, { ...what, headers: { "content-type": "application/json" } });
        expect(locked.status, path).toBe(401);
        expectShape(responses[401], locked, path);
        expect((await ask(path, { method: "DELETE" })).status, path).toBe(405);
      }
  });

  test("describes the refusals of what acts, and they are as it says", async () => {
    const { paths } = await documentOf();
    for (const path of Object.keys(BODIES)) {
      const { requestBody, responses = {} } = paths[path]?.post ?? {};
      expect(requestBody, path).toBeDefined();
      const refusals: [string, Asked][] = [
        ["400", { body: "{}" }],
        ["413", { body: JSON.stringify({ reason: "x".repeat(5_000) }) }],
        ["415", { body: "reason=x", headers: { ...authorised, "content-type": "application/x-www-form-urlencoded" } }],
      ];
      for (const [code, what] of refusals) {
        const answer = await ask(path, { method: "POST", ...what });
        expect(String(answer.status), path).toBe(code);
        expectShape(responses[code], answer, `${path} ${code}`);
      }
      obstacle = "not today";
      const failed = await ask(path, { method: "POST", body: BODIES[path] ?? "" });
      expect(["409", "500"]).toContain(String(failed.status));
      expectShape(responses[String(failed.status)], failed, path);
      obstacle = undefined;
    }
  });

  test("is all there is: nothing else below /api answers, token or not", async () => {
    for (const path of ["/api/", "/api/approve/", "/api/status/", "/api/order"]) {
      expect((await ask(path)).status, path).toBe(404);
      expect((await askAt(server.port, path)).status, path).toBe(401);
    }
  });
});

describe("POST /api/resume", () => {
  const resume = (body: object): Promise<Answered> =>
    ask("/api/resume", { method: "POST", body: JSON.stringify(body) });

  test("takes a stop back with a reason and the confirming word", async () => {
    const { status: code, text } = await resume({ reason: "looked at it", confirm: "resume", seen: ["by hand"] });
    expect([code, JSON.parse(text)]).toMatchObject([200, { state: "ACTIVE", reason: "looked at it" }]);
    expect(asked).toEqual(["resume by api:owner: looked at it, seen by hand"]);
  });

  test.each([
    { reason: "x" },
    { reason: "x", confirm: "resume", seen: [] },
    { reason: "x", confirm: "yes", seen: ["by hand"] },
  ])("with %j gets 400 and does nothing", async (body) => {
    expect((await resume(body)).status).toBe(400);
    expect(asked).toEqual([]);
  });
});

describe("POST /api/heartbeat", () => {
  test("hands on who says so, and needs a name", async () => {
    const beat = (body: object): Promise<Answered> =>
      ask("/api/heartbeat", { method: "POST", body: JSON.stringify(body) });
    expect((await beat({ by: "  " })).status).toBe(400);
    expect(asked).toEqual([]);
    expect(JSON.parse((await beat({ by: "watchdog \u001b[2J" })).text)).toEqual({ at: T0 });
    expect(asked).toEqual(["heartbeat by watchdog \\x1b[2J (api:owner)"]);
  });
});

describe("GET /api/plans", () => {
  test("shows plans that wait to the letter, so that a signer can compute the digest", async () => {
    const { text } = await ask("/api/plans");
    expect(text).not.toMatch(/\u202e/);
    expect(JSON.parse(text)).toEqual({ at: T0, plans: [PLAN] });
  });
});

describe("POST /api/approve", () => {
  const wish = { id: PLAN.id, digest: DIGEST, by: "ben", confirm: "approve" };
  const approve = (body: object): Promise<Answered> =>
    ask("/api/approve", { method: "POST", body: JSON.stringify(body) });

  test("hands on plan, digest and person, and says how the plan stands afterwards", async () => {
    const { status: code, text } = await approve(wish);
    expect([code, JSON.parse(text)]).toEqual([
      200,
      { id: PLAN.id, by: "ben", ready: false, text: "1 of 2 people have approved it" },
    ]);
    expect(asked).toEqual(["approve R-ababababab by ben: true"]);
  });

  test.each([{ confirm: "yes" }, { digest: undefined }, { by: "" }, { signature: "MEQ=" }])(
    "with %j gets 400 and does nothing",
    async (change) => {
      expect((await approve({ ...wish, ...change })).status).toBe(400);
      expect(asked).toEqual([]);
    },
  );
});

describe("POST /api/decline", () => {
  const wish = { id: PLAN.id, digest: DIGEST, by: "ben", reason: "too dear", confirm: "decline" };
  const decline = (body: object): Promise<Answered> =>
    ask("/api/decline", { method: "POST", body: JSON.stringify(body) });

  test("hands on plan, digest, person and reason, or says what stands in the way", async () => {
    const { status: code, text } = await decline(wish);
    expect([code, JSON.parse(text)]).toEqual([200, { id: PLAN.id, by: "ben", text: "it is not carried out" }]);
    expect(asked).toEqual(["decline R-ababababab by ben: too dear, true"]);
    obstacle = "it was begun before: a plan is used once";
    const refused = await decline(wish);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([409, { error: obstacle }]);
  });
});

test("no answer repeats a secret of the bot, and neither does what it records", async () => {
  const text = secret("pasted-by-mistake");
  const { text: said } = await ask("/api/halt", { method: "POST", body: JSON.stringify({ reason: `see ${text}` }) });
  expect([said, asked]).toEqual(['{"state":"HALTED","reason":"see ***"}\n', ["halt by api:owner: see ***"]]);
  status = statusAt({ strategy: text });
  expect((await ask("/api/status")).text).toContain('"strategy":"***"');
});

test.each([
  ["read", [200, 403, 403, 403, 403, 403]],
  ["halt", [200, 200, 200, 403, 403, 403]],
  ["approve", [200, 200, 200, 200, 200, 200]],
] as const)("a token with the scope %s does what it says, and the rest is refused by name", async (scope, statuses) => {
  const other = await startServer(partsWith({ holderOf: () => ({ name: "ops", scope }) }));
  onTestFinished(() => other.close());
  const asks = ["/api/status", "/api/halt", "/api/heartbeat", "/api/resume", "/api/approve", "/api/decline"];
  const answers = await Promise.all(
    asks.map((path) => {
      const body = BODIES[path];
      return askAt(other.port, path, { headers: authorised, ...(body && { method: "POST", body }) });
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  const refused = answers.filter(({ status }) => status === 403).map(({ text }) => JSON.parse(text).error);
  const needs = ["halt", "halt", "approve", "approve", "approve"].slice(-refused.length);
  expect(refused).toEqual(
    needs.map((need) => `the token of ops has the scope ${scope}, this needs ${need}`).slice(0, refused.length),
  );
});
