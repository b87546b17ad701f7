// Damaged requests against the page and the control API, over real sockets. Whatever arrives: no error escapes, the token is in
// no answer, and nothing is done or shown below /api for a request that does not carry the token and name the bot's own address.

import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Random } from "../../../src/domain/random.ts";
import { ok } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { FRESH } from "../../../src/risk/trading-state.ts";
import { startServer } from "../../../src/watch/dashboard/server.ts";
import { mutated } from "../../support/answer-mutation.ts";
import { damagedBytes, fuzz, oneOf } from "../../support/fuzz.ts";
import { askAt, authorised, partsWith, TOKEN } from "./stage.ts";

const AT_ONCE = 16;
const DIGEST = "ab".repeat(32);
const CONTROLS: Readonly<Record<string, object>> = {
  "/api/halt": { reason: "looks odd" },
  "/api/heartbeat": { by: "watchdog" },
  "/api/resume": { reason: "looked at it", confirm: "resume", seen: ["by hand"] },
  "/api/approve": { id: "R-1", digest: DIGEST, by: "ben", confirm: "approve" },
  "/api/decline": { id: "R-1", digest: DIGEST, by: "ben", reason: "too dear", confirm: "decline" },
};
const LOOKS = ["/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/history?from=0&of=x", "/nothing"];
const READS = ["/api/status", "/api/orders", "/api/balances", "/api/fills", "/api/plans"];
const WRONG_TOKENS = ["", TOKEN.slice(1), `${TOKEN}5`, TOKEN.replaceAll("5", "6"), "null", "\u00e9".repeat(64)];
const EVIL = "evil.example";

type Wish = { method: string; path: string; headers: [name: string, value: string][]; body: string };

function wished(port: number, random: Random): Wish {
  const path = oneOf([...Object.keys(CONTROLS), ...Object.keys(CONTROLS), ...READS, ...LOOKS], random);
  const good = CONTROLS[path];
  const body = good === undefined ? "" : random.next() < 0.5 ? JSON.stringify(good) : mutated(good, random);
  return {
    method: good === undefined ? "GET" : "POST",
    path,
    headers: [
      ["Host", `127.0.0.1:${port}`],
      ["Authorization", `Bearer ${TOKEN}`],
      ["Content-Type", "application/json"],
      ...(good === undefined ? [] : [["Content-Length", `${Buffer.byteLength(body)}`] as [string, string]]),
    ],
    body,
  };
}

/** One damage of what a request says. */
const DAMAGES: readonly ((wish: Wish, random: Random) => void)[] = [
  ({ headers }, random) => void headers.splice(random.integer(0, headers.length - 1), 1),
  (wish, random) => set(wish, "Authorization", `Bearer ${oneOf(WRONG_TOKENS, random)}`),
  (wish, random) => set(wish, "Authorization", oneOf([TOKEN, `Basic ${TOKEN}`, `Bearer  ${TOKEN}`, "Bearer"], random)),
  (wish, random) => set(wish, "Host", oneOf([EVIL, `${EVIL}:80`, "", `127.0.0.1@${EVIL}`, "127.0.0.1"], random)),
  ({ headers }, random) => void headers.push(["Origin", oneOf([`http://${EVIL}`, "null", "", "file://"], random)]),
  (wish, random) =>
    set(
      wish,
      "Content-Type",
      oneOf(["text/plain", "", "application/json; charset=utf-7", "multipart/form-data"], random),
    ),
  (wish, random) =>
    set(wish, "Content-Length", oneOf(["0", "-1", "1e3", "99999999999999999999", "5, 6", "+7"], random)),
  ({ headers }, random) =>
    void headers.push(["Transfer-Encoding", oneOf(["chunked", "chunked, gzip", "xchunked"], random)]),
  ({ headers }, random) => void headers.push(oneOf(headers, random)),
  ({ headers }, random) =>
    void headers.push([oneOf(["X-Forwarded-For", "Via", "X-Http-Method-Override"], random), EVIL]),
  ({ headers }) => void headers.push(["Expect", "100-continue"]),
  ({ headers }) =>
    void headers.push(
      ["Upgrade", "websocket"],
      ["Connection", "Upgrade"],
      ["Sec-WebSocket-Version", "13"],
      ["Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="],
    ),
  ({ headers }, random) => void headers.push([`X-${"a".repeat(random.integer(1, 20_000))}`, "b"]),
  (wish, random) => {
    wish.method = oneOf(["GET", "POST", "HEAD", "PUT", "TRACE", "OPTIONS", "CONNECT", "PRI", "post", ""], random);
  },
  (wish, random) => {
    const forms = [
      `/${wish.path}`,
      `${wish.path}/`,
      `/.${wish.path}`,
      `/x/..${wish.path}`,
      `${wish.path}?${"q".repeat(9_000)}`,
    ];
    const others = [
      `http://${EVIL}${wish.path}`,
      wish.path.toUpperCase(),
      `${wish.path}%00`,
      encodeURIComponent(wish.path),
      "*",
    ];
    wish.path = oneOf([...forms, ...others, "/../../../../etc/passwd", "/%2e%2e/package.json", "//"], random);
  },
  (wish, random) => {
    wish.body = oneOf(
      ["", "{}", "[]", "null", wish.body.repeat(50), `${wish.body}\r\n\r\nGET /api/status HTTP/1.1\r\n\r\n`],
      random,
    );
  },
];

function set({ headers }: Wish, name: string, value: string): void {
  const header = headers.find(([known]) => known === name);
  if (header === undefined) headers.push([name, value]);
  else header[1] = value;
}

function written({ method, path, headers, body }: Wish): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`);
}

function answerTo(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      // A stream has no end.
      if (/^content-type: text\/event-stream/im.test(text)) socket.destroy();
    });
    socket.on("error", () => undefined).once("close", () => resolve(text));
    // Half closed: who waits for more of a request learns that none comes.
    socket.end(bytes);
  });
}

/** Does the request show the token and the bot's own address, as it came over the wire? */
function mayAct(bytes: Buffer, port: number): boolean {
  const [head = ""] = bytes.toString("latin1").split("\r\n\r\n");
  return (
    new RegExp(`^authorization: *bearer +${TOKEN} *$`, "im").test(head) &&
    head.includes(`127.0.0.1:${port}`) &&
    !/^origin:/im.test(head)
  );
}

test("damaged requests: no error escapes, nothing is done and nothing shown without the token", async () => {
  const { seed, count, random } = fuzz("fuzz-http", 500);
  const troubles: unknown[] = [];
  let done: string[] = [];
  const act = (name: string) => {
    done.push(name);
    return undefined;
  };
  const server = await startServer(
    partsWith({
      // A second is 10 ms: the limit of answers without the token is not what is tried here.
      timers: {
        after(ms, run) {
          const timer = setTimeout(run, ms / 100);
          return () => clearTimeout(timer);
        },
      },
      // Who has the token and breaks off in the middle of a body is written to the log.
      trouble: (error) => (error as NodeJS.ErrnoException).code !== "ECONNRESET" && troubles.push(error),
      halt: () => act("halt"),
      heartbeat: async () => ok(millis(act("heartbeat") === undefined ? 1 : 2)),
      resume: async (reason) => ok({ ...FRESH, reason: act("resume") ?? reason }),
      approve: async ({ by }) => ok({ by, ready: true, text: act("approve") ?? "" }),
      decline: async ({ by }) => ok({ by, text: act("decline") ?? "" }),
    }),
  );
  onTestFinished(() => server.close());
  const { port } = server;
  const statuses = new Map<string, number>();
  let acted = 0;
  for (let i = 0; i < count; i += AT_ONCE) {
    const requests = Array.from({ length: Math.min(AT_ONCE, count - i) }, () => {
      const wish = wished(port, random);
      for (let times = random.integer(0, 2); times > 0; times--) oneOf(DAMAGES, random)(wish, random);
      const bytes = written(wish);
      return random.next() < 0.15 ? damagedBytes(bytes, random) : bytes;
    });
    done = [];
    const answers = await Promise.all(requests.map((bytes) => answerTo(port, bytes)));
    acted += done.length;
    const allowed = requests.filter((bytes) => mayAct(bytes, port)).length;
    const told = (bytes: Buffer | undefined, text: string) =>
      `seed ${seed}, batch ${i}: ${bytes?.toString("latin1")}\n${text}`;
    if (done.length > allowed)
      throw new Error(
        `${done.join(", ")} was done for ${allowed} requests with the token: ${requests.map((bytes) => told(bytes, "")).join("")}`,
      );
    for (const [at, text] of answers.entries()) {
      const bytes = requests[at];
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? (text === "" ? "closed" : "nonsense");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const isShown = status === "200" && / \/api\//.test(bytes?.toString("latin1").split("\r\n")[0] ?? "");
      if (!/^(?:closed|[124]\d\d|503)$/.test(status)) throw new Error(`answered ${status}: ${told(bytes, text)}`);
      if (text.includes(TOKEN)) throw new Error(`the token was answered: ${told(bytes, text)}`);
      if (isShown && bytes !== undefined && !mayAct(bytes, port))
        throw new Error(`shown without the token: ${told(bytes, text)}`);
    }
  }
  process.stdout.write(`fuzz-http: ${JSON.stringify(Object.fromEntries(statuses))}, ${acted} acts\n`);
  expect(troubles).toEqual([]);
  // Damage that nothing survives, or that nothing notices, would prove nothing.
  for (const status of ["200", "400", "401", "403", "404", "405"])
    expect(statuses.get(status) ?? 0, status).toBeGreaterThan(0);
  expect(acted).toBeGreaterThan(10);
  const halted = await askAt(port, "/api/halt", {
    method: "POST",
    headers: authorised,
    body: '{"reason":"still there"}',
  });
  expect(halted.status).toBe(200);
});
