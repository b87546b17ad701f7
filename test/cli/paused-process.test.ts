// A bot whose venue answers an order with 503 and a Retry-After of an hour: everything says the pause and its cause, and
// after a minute one request asks again. A minute of their clock is twelve seconds of ours.

import { expect, test } from "vitest";
import { TEST_MS_MAX } from "../support/patience.ts";
import { botStage, eventually, said } from "./bot-stage.ts";

const PAUSED = /paused by the venue until \d\d:\d\d:\d\d \(503 with Retry-After 3600 to addOrder\)/;

test("a Retry-After of an hour is told everywhere, and after a minute the unknown outcome has the first request", {
  timeout: TEST_MS_MAX,
}, async () => {
  const stage = await botStage();
  const bot = stage.run();
  const page = await said(bot, /(?<=listening on )\S+(?=: )/);
  await eventually(async () => (await stage.orders()) > 0, "the bot trades");
  const rule = { fault: "status", status: 503, executes: true, retryAfterSeconds: 3_600, on: "addOrder", times: 1 };
  await stage.portal("faults", { rules: [rule] });
  // Asked again and again, each for itself: a busy machine may need seconds for one of them.
  const seen = async (what: string, look: () => Promise<string>, pattern: RegExp): Promise<string> => {
    let match: string | undefined;
    await eventually(async () => {
      match = pattern.exec(await look())?.[0];
      return match !== undefined;
    }, `${what} has the pause`);
    return match ?? "";
  };
  const get = (path: string) => async () => {
    const answer = await fetch(new URL(path, page));
    return `${answer.status} ${await answer.text()}`;
  };
  const [told, shown, ready] = await Promise.all([
    said(bot, PAUSED),
    seen("status", async () => (await stage.ask("status", "--json")).stdout, /[\s\S]*paused by the venue[\s\S]*/),
    seen("readiness", get("/readyz"), new RegExp(`^503 [\\s\\S]*${PAUSED.source}`)),
    seen("the metrics", get("/metrics"), /^pegbot_venue_paused 1$/m),
    seen("the metrics", get("/metrics"), /^pegbot_venue_paused_until_timestamp_seconds \d+/m),
  ]);
  expect(ready).toContain(told);
  const status = JSON.parse(shown);
  expect(status.unready).toContain(told);
  expect(status.budget.paused).toMatchObject({ status: 503, ms: 3_600_000, call: "addOrder" });

  await said(bot, /the pause is over: the venue is asked again/);
  const orders = await stage.orders();
  await eventually(async () => (await stage.orders()) > orders, "it trades again");
  const requests = (await stage.requests()).map(({ path, arrivedAt }) => ({ path, at: Date.parse(arrivedAt) }));
  const rests = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? at));
  const longest = Math.max(...rests);
  expect(longest).toBeGreaterThanOrEqual(60_000);
  expect(longest).toBeLessThan(600_000);
  const [pausing, probe] = requests.slice(rests.indexOf(longest)).map(({ path }) => path);
  expect([pausing, probe]).toEqual([
    expect.stringMatching(/\/addOrder$/),
    expect.stringMatching(/query(Orders|Trades)$/),
  ]);
});
