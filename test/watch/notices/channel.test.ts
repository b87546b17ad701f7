// Channels against servers on loopback that speak the documented formats, and through what goes wrong with them.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Channel } from "../../../src/watch/notices/channel.ts";
import { createWebhook } from "../../../src/watch/notices/channel.ts";
import { createTelegram } from "../../../src/watch/notices/telegram.ts";
import { httpServer, message, strangeServer } from "./stage.ts";

const never = new AbortController().signal;

function opened(channel: Channel): Channel {
  onTestFinished(() => channel.close());
  return channel;
}

describe("the webhook", () => {
  test("gets one JSON object, with a text that chat services show", async () => {
    const { url, heard } = await httpServer({ status: 204, body: "" });
    const hook = opened(createWebhook(`${url}/in?key=1`));
    expect(await hook.send(message({ urgency: "critical" }), never)).toBeUndefined();
    expect(heard[0]).toMatchObject({ method: "POST", path: "/in?key=1", type: "application/json" });
    expect(JSON.parse(heard[0]?.body ?? "")).toEqual({
      text: "pegbot test: fill: buy 1",
      kind: "fill",
      urgency: "critical",
      at: "2026-11-15T08:00:00.000Z",
      title: "pegbot test: fill",
      message: "buy 1",
    });
  });

  test.for<[number, boolean]>([
    [500, false],
    [404, true],
    [302, true],
  ])("status %i is refused for good: %s", async ([status, isFinal]) => {
    const { url, heard } = await httpServer({ status, headers: { location: "/elsewhere", "retry-after": "7" } });
    const refusal = await opened(createWebhook(url)).send(message(), never);
    expect(refusal).toEqual({ reason: `the webhook answered with status ${status}`, isFinal, retryAfterMs: 7_000 });
    expect(heard).toHaveLength(1);
  });

  test("a server that never answers is left when the signal says so; one that is not there is an error", async () => {
    const { url } = await httpServer("hang");
    const abort = new AbortController();
    const sending = opened(createWebhook(url)).send(message(), abort.signal);
    void sleep(50).then(() => abort.abort());
    await expect(sending).rejects.toThrow();
    await expect(opened(createWebhook("http://127.0.0.1:1/")).send(message(), never)).rejects.toThrow();
  });
});

test("nothing is sent to a server whose certificate is not trusted", async () => {
  const { url, heard } = await strangeServer();
  const telegram = createTelegram({ apiRoot: url, token: "123:secret", chatId: "-100" });
  for (const channel of [createWebhook(url), telegram])
    await expect(opened(channel).send(message(), never)).rejects.toThrow(/certificate/);
  expect(heard).toEqual([]);
});

describe("Telegram", () => {
  const settings = { token: "123:secret", chatId: "-100" };
  const taken = { status: 200, body: '{"ok":true,"result":{"message_id":1}}' };

  test("gets sendMessage with chat and text, quietly unless it matters", async () => {
    const { url, heard } = await httpServer(taken);
    const telegram = opened(createTelegram({ apiRoot: `${url}/`, ...settings }));
    expect(await telegram.send(message({ text: "<b>*_x" }), never)).toBeUndefined();
    await telegram.send(message({ urgency: "critical" }), never);
    expect(heard[0]).toMatchObject({ method: "POST", path: "/bot123:secret/sendMessage", type: "application/json" });
    expect(JSON.parse(heard[0]?.body ?? "")).toEqual({
      chat_id: "-100",
      text: "pegbot test: fill: <b>*_x",
      disable_notification: true,
      link_preview_options: { is_disabled: true },
    });
    expect(JSON.parse(heard[1]?.body ?? "")).toMatchObject({ disable_notification: false });
    // It takes 4,096 characters, and refuses more for good.
    await telegram.send(message({ text: "x".repeat(5_000) }), never);
    expect(JSON.parse(heard[2]?.body ?? "").text.length).toBeLessThanOrEqual(4_096);
  });

  test.for<[string, number, string, object]>([
    [
      "a wrong chat is refused for good",
      400,
      '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
      { isFinal: true, reason: "Telegram refused with 400: Bad Request: chat not found" },
    ],
    [
      "too many messages wait as long as Telegram says",
      429,
      '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":5}}',
      { isFinal: false, retryAfterMs: 5_000 },
    ],
    [
      "a status without the ok is none",
      200,
      '{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}',
      { isFinal: true },
    ],
  ])("%s", async ([, status, body, expected]) => {
    const { url } = await httpServer({ status, body });
    const refusal = await opened(createTelegram({ apiRoot: url, ...settings })).send(message(), never);
    expect(refusal).toMatchObject(expected);
    expect(refusal?.reason).not.toContain("secret");
  });
});
