// Requests without the token have a limit a second, all together; requests with it have none.

import { expect, test } from "vitest";
import { startServer } from "../../../src/watch/dashboard/server.ts";
import { handTime } from "../../support/hand-time.ts";
import { askAt, authorised, partsWith } from "./stage.ts";

test("of more than 300 requests a second without the token the rest get 503, and the token is always answered", async () => {
  const time = handTime(0);
  let scrapes = 0;
  const metrics = async () => ({ type: "text/plain", text: `${++scrapes}\n` });
  const server = await startServer(partsWith({ timers: time.timers, metrics }));
  for (let round = 0; round < 10; round++) {
    const asked = Array.from({ length: 30 }, () => askAt(server.port, "/metrics"));
    // One scrape for all within a quarter of a second.
    for (const { status, text } of await Promise.all(asked)) expect([status, text]).toEqual([200, "1\n"]);
  }
  const refused = await askAt(server.port, "/healthz");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
  expect((await askAt(server.port, "/api/status", { headers: authorised })).status).toBe(200);
  await time.pass(1_000);
  expect(await askAt(server.port, "/metrics")).toMatchObject({ status: 200, text: "2\n" });
  await server.close();
  expect(time.waiting()).toEqual([]);
});
