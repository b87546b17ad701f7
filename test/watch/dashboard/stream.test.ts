// Live data over a real connection, with seconds that pass when the test says so.

import { get, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import { type DashboardServer, startServer } from "../../../src/watch/dashboard/server.ts";
import type { Status } from "../../../src/watch/status.ts";
import { until } from "../../support/program.ts";
import { authorised, modelWith, partsWith, statusAt, T0 } from "./stage.ts";

let server: DashboardServer;
let status: Status;
let looks: number;
let troubles: unknown[];
let failure: Error | undefined;
let due: (() => void)[];
let isRevoked: boolean;

beforeEach(async () => {
  status = statusAt();
  looks = 0;
  troubles = [];
  failure = undefined;
  due = [];
  isRevoked = false;
  const timers = {
    after(_: number, run: () => void) {
      due.push(run);
      return () => void due.splice(due.indexOf(run), 1);
    },
  };
  const model = modelWith(() => {
    looks++;
    if (failure !== undefined) throw failure;
    return status;
  });
  const holderOf = (given?: string) => (isRevoked ? undefined : partsWith().holderOf(given));
  server = await startServer(partsWith({ timers, model, holderOf, trouble: (error) => troubles.push(error) }));
});
afterEach(() => server.close());

function second(): void {
  status = { ...status, at: millis(status.at + 1_000) };
  for (const run of due.splice(0)) run();
}

type Viewer = {
  readonly response: IncomingMessage;
  readonly events: { name: string; data: Record<string, unknown> }[];
};

function view(headers: OutgoingHttpHeaders = {}, path = "/stream"): Promise<Viewer> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port: server.port, path, agent: false, headers }, (response) => {
      const viewer: Viewer = { response, events: [] };
      let waiting = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        const parts = (waiting + text).split("\n\n");
        waiting = parts.pop() ?? "";
        for (const part of parts) {
          const [, name = "", data = "null"] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
          viewer.events.push({ name, data: JSON.parse(data) });
        }
      });
      resolve(viewer);
    }).on("error", reject);
  });
}

test("a page begins with everything, then hears what each second brought", async () => {
  second();
  const { events, response } = await view();
  await until(() => events.length === 1, "the snapshot");
  expect(response.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(events[0]).toMatchObject({ name: "snapshot", data: { boot: "boot-1", status: { pid: 4711 } } });
  second();
  await until(() => events.length === 2, "a tick");
  expect(events[1]).toMatchObject({ name: "tick", data: { points: [{ time: T0 / 1_000 + 2 }] } });
});

test("the bot is looked at once a second, however many watch", async () => {
  const viewers = await Promise.all(Array.from({ length: 5 }, () => view()));
  second();
  await until(() => viewers.every(({ events }) => events.length === 2), "a tick for all");
  const before = looks;
  second();
  await until(() => viewers.every(({ events }) => events.length === 3), "a tick for all");
  expect(looks - before).toBe(1);
});

test("too many pages are told so, who has the token finds a place, and the switch still answers", async () => {
  const viewers = await Promise.all(Array.from({ length: 17 }, () => view()));
  await until(() => viewers.every(({ events }) => events.length === 1), "an answer for all");
  const full = viewers.filter(({ events }) => events[0]?.name === "full");
  // A page that gave a token learns by it that the token is none.
  expect(full.map(({ events }) => events[0]?.data)).toEqual([{ isKnown: false }]);
  const known = await view({ authorization: authorised.authorization });
  await until(() => known.events.length === 1, "a place for who has the token");
  expect(known.events[0]?.name).toBe("snapshot");
  viewers[0]?.response.destroy();
  const health = await fetch(`${server.url}healthz`);
  expect(health.status).toBe(200);
});

test("a page whose token was revoked is let go with the next second, and one without a token stays", async () => {
  const [known, anonymous] = [await view({ authorization: authorised.authorization }), await view()];
  await until(() => known.events.length + anonymous.events.length === 2, "two snapshots");
  const gone = new Promise((resolve) => known.response.on("error", () => undefined).once("close", resolve));
  isRevoked = true;
  second();
  await gone;
  await until(() => anonymous.events.length === 2, "a tick");
  expect(known.events).toHaveLength(1);
});

test("a page that does not read gets what waited as one when it does, the newest of all, and holds no memory until then", async () => {
  const slow = await view();
  slow.response.pause();
  // A megabyte a second into a connection that nobody reads.
  const decisions = statusAt().decisions;
  const notes = Array.from({ length: 3_000 }, () => ({ at: T0, text: "x".repeat(390) }));
  for (let count = 0; count < 40; count++) {
    status = { ...status, notes: notes.map((note) => ({ ...note })), decisions: [...decisions] };
    second();
    await new Promise((later) => setTimeout(later, 5));
  }
  slow.response.resume();
  await until(() => (slow.events.at(-1)?.data.status as Status | undefined)?.at === status.at, "the newest second");
  expect(slow.events.length).toBeLessThan(30);
  expect(pointsOf(slow)).toHaveLength(40);
});

test("a page that says what has arrived is sent nothing before: then what it missed, once and as of now", async () => {
  const page = await view({}, "/stream?viewer=0123456789abcdef");
  await until(() => page.events.length === 1, "the snapshot");
  status = { ...status, notes: [{ at: T0, text: "one" }] };
  for (let count = 0; count < 5; count++) second();
  await fetch(`${server.url}heard?viewer=another0name`);
  expect(page.events.filter(({ name }) => name !== "")).toHaveLength(1);
  expect((await fetch(`${server.url}heard?viewer=0123456789abcdef`)).status).toBe(200);
  await until(() => page.events.some(({ name }) => name === "tick"), "what was missed");
  expect(page.events.at(-1)?.data.status).toMatchObject({ at: T0 + 5_000, notes: [{ text: "one" }] });
  expect(pointsOf(page)).toHaveLength(5);
  expect((await fetch(`${server.url}heard`)).status).toBe(400);
});

/** The seconds on the finest line, of all ticks. */
function pointsOf({ events }: Viewer): unknown[] {
  return events.flatMap(({ name, data }) => {
    if (name !== "tick") return [];
    return (data.points as { readonly tier: number }[]).filter(({ tier }) => tier === 0);
  });
}
