// A bot whose venue answers an order with 503 and a Retry-After of an hour: everything says the pause and its cause, and
// after a minute one request asks again. A minute of their clock is twelve seconds of ours.

import { expect, test } from "vitest";
import { TEST_MS_MAX } from "../support/patience.ts";
import { botStage, eventually, said } from "./bot-stage.ts";

const PAUSED = /paused by the venue until \d\d:\d\d:\d\d \(503 with Retry-After (3600 to addOrder|59 to \w+)\)/;

test("a Retry-After of an hour is told everywhere, and after a minute the unknown outcome has the first request", {
  timeout: TEST_MS_MAX,
}, async () => {
  const stage = await botStage();
  const bot = stage.run();
  const page = await said(bot, /(?<=listening on )\S+(?=: )/);
  await eventually(async () => (await stage.orders()) > 0, "the bot trades");
  const broken = { fault: "status", status: 503 };
  const hour = { ...broken, on: "addOrder", executes: true, retryAfterSeconds: 3_600, times: 1 };
  await stage.portal("faults", { rules: [hour] });
  expect(await said(bot, PAUSED)).toMatch(/3600 to addOrder/);
  // On a machine so busy that the minute is over before all have looked, one more follows.
  await stage.portal("faults", { rules: [{ ...broken, retryAfterSeconds: 59 }] });
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(new URL(path, page));
    return `${answer.status} ${await answer.text()}`;
  };
  await Promise.all([
    eventually(async () => new RegExp(`^503 [\\s\\S]*${PAUSED.source}`).test(await get("/readyz")), "readiness"),
    eventually(
      async () =>
        /^pegbot_venue_paused 1\n[\s\S]*^pegbot_venue_paused_until_timestamp_seconds 1\d{9}/m.test(
          await get("/metrics"),
        ),
      "the metrics",
    ),
    eventually(async () => {
      const { unready, budget } = JSON.parse((await stage.ask("status", "--json")).stdout);
      return unready?.some((reason: string) => PAUSED.test(reason)) && budget.paused.status === 503;
    }, "status"),
  ]);
  await stage.portal("faults", { rules: [] });
  await said(bot, /the pause is over: the venue is asked again/);
  const orders = await stage.orders();
  await eventually(async () => (await stage.orders()) > orders, "it trades again");
  const requests = await stage.requests();
  const [pausing, probe] = requests.slice(requests.findIndex(({ outcome }) => outcome.includes("http_503")));
  expect(pausing?.path).toMatch(/\/addOrder$/);
  expect(probe?.path).toMatch(/\/query(Orders|Trades)$/);
  expect(Date.parse(probe?.arrivedAt ?? "") - Date.parse(pausing?.arrivedAt ?? "")).toBeGreaterThanOrEqual(60_000);
});
