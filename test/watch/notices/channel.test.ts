// Channels against servers on loopback that speak the documented formats, and through what goes wrong with them.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { redacted } from "../../../src/domain/redact.ts";
import type { Channel } from "../../../src/watch/notices/channel.ts";
import { createEmail, createWebhook, type EmailSettings } from "../../../src/watch/notices/channel.ts";
import { createTelegram } from "../../../src/watch/notices/telegram.ts";
import { httpServer, mailServer, message, strangeCertificate, strangeServer } from "./stage.ts";

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

  test.for([200, 299])("status %i is that it was taken", async (status) => {
    const { url } = await httpServer({ status });
    expect(await opened(createWebhook(url)).send(message(), never)).toBeUndefined();
  });

  test.for<[number, boolean]>([
    [500, false],
    [503, false],
    [429, false],
    [404, true],
    [401, true],
    [302, true],
    [300, true],
  ])("status %i is refused for good: %s", async ([status, isFinal]) => {
    const { url, heard } = await httpServer({ status, headers: { location: "/elsewhere", "retry-after": "7" } });
    const refusal = await opened(createWebhook(url)).send(message(), never);
    expect(refusal).toEqual({ reason: `the webhook answered with status ${status}`, isFinal, retryAfterMs: 7_000 });
    expect(heard).toHaveLength(1);
  });

  test.for(["soon", "-7", "0", "Infinity"])("a wait of %j that it asks for is none", async (asked) => {
    const { url } = await httpServer({ status: 503, headers: { "retry-after": asked } });
    expect(await opened(createWebhook(url)).send(message(), never)).toMatchObject({ retryAfterMs: undefined });
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

test("nothing is told to a server whose certificate nobody vouches for", async () => {
  const { url, heard } = await strangeServer();
  const telegram = createTelegram({ apiRoot: url, token: "123:secret", chatId: "-100" });
  for (const channel of [createWebhook(url), telegram])
    await expect(opened(channel).send(message(), never)).rejects.toThrow(/certificate/);
  expect(heard).toEqual([]);
});

test("an answer without end is not read to its end", async () => {
  const { url } = await httpServer({ status: 200, body: "x".repeat(65_537) });
  await expect(opened(createWebhook(url)).send(message(), never)).rejects.toThrow("at most 65536 bytes");
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
      "a wrong token is refused for good",
      401,
      '{"ok":false,"error_code":401,"description":"Unauthorized"}',
      { isFinal: true },
    ],
    [
      "too many messages wait as long as Telegram says",
      429,
      '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":5}}',
      { isFinal: false, retryAfterMs: 5_000 },
    ],
    [
      "its own trouble is tried again",
      502,
      '{"ok":false,"error_code":502,"description":"Bad Gateway"}',
      { isFinal: false },
    ],
    ["what is no answer of Telegram is tried again", 200, "<html>", { isFinal: false }],
    ["a code that is none of its refusals is tried again", 200, '{"ok":false,"error_code":302}', { isFinal: false }],
    [
      "a status without the ok is none",
      200,
      '{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}',
      { isFinal: true },
    ],
    ["an ok without the status is none", 500, '{"ok":true}', { isFinal: false }],
  ])("%s", async ([, status, body, expected]) => {
    const { url } = await httpServer({ status, body });
    const refusal = await opened(createTelegram({ apiRoot: url, ...settings })).send(message(), never);
    expect(refusal).toMatchObject(expected);
    expect(refusal?.reason).not.toContain("secret");
  });
});

describe("e-mail", () => {
  const settings = {
    host: "127.0.0.1",
    security: "none",
    from: "bot@pegbot.test",
    to: ["ann@x.test", "bo@x.test"],
  } as const;
  const email = (port: number, change: Partial<EmailSettings> = {}): Channel =>
    opened(createEmail({ ...settings, port, login: undefined, ...change }));

  test("is one plain message to all receivers", async () => {
    const { port, mails } = await mailServer();
    const text = "HALTED by bot: RC05\n.\nWay out: resume";
    expect(await email(port).send(message({ urgency: "critical", text }), never)).toBeUndefined();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ from: "bot@pegbot.test", to: ["ann@x.test", "bo@x.test"] });
    expect(mails[0]?.data).toContain("Subject: [critical] pegbot test: fill");
    expect(mails[0]?.data).toContain("Date: Sun, 15 Nov 2026 08:00:00 +0000");
    expect(mails[0]?.data).toContain("HALTED by bot: RC05\n.\nWay out: resume");
  });

  test("logs in where that is asked for, and a login that is refused is refused for good", async () => {
    const { port, mails, lines } = await mailServer({ login: true });
    const login = { user: "bot", password: "right" };
    expect(await email(port, { login }).send(message(), never)).toBeUndefined();
    expect(mails).toHaveLength(1);
    const refusal = await email(port, { login: { ...login, password: "wrong-word" } }).send(message(), never);
    expect(refusal?.isFinal).toBe(true);
    // The server repeats what it was sent.
    expect(redacted(refusal?.reason ?? "")).toContain("535 5.7.8 no: AUTH PLAIN ***");
    expect(lines.some((line) => line.startsWith("AUTH PLAIN"))).toBe(true);
  });

  test("is tried again after 4xx of the server, and not after 5xx", async () => {
    const busy = await mailServer({ refuse: "451 4.3.0 try again later" });
    expect(await email(busy.port).send(message(), never)).toMatchObject({ isFinal: false });
    for (const refuse of ["500 5.5.1 what?", "550 5.7.1 not wanted"]) {
      const closed = await mailServer({ refuse });
      expect(await email(closed.port).send(message(), never)).toMatchObject({ isFinal: true });
    }
  });

  test("never goes out in the clear where encryption is asked for", async () => {
    const { port, mails } = await mailServer();
    expect(await email(port, { security: "starttls" }).send(message(), never)).toBeDefined();
    expect(mails).toEqual([]);
  });

  test("goes to no server whose certificate nobody vouches for, and says nothing before TLS", async () => {
    const { port, mails } = await mailServer({ tls: strangeCertificate() });
    expect(await email(port, { security: "tls" }).send(message(), never)).toBeDefined();
    expect(mails).toEqual([]);
    const plain = await mailServer();
    expect(await email(plain.port, { security: "tls" }).send(message(), never)).toBeDefined();
    expect([plain.lines.filter((line) => /^EHLO/i.test(line)), plain.mails]).toEqual([[], []]);
  });

  test("has no second header line, whatever the title holds", async () => {
    const { port, mails } = await mailServer();
    await email(port).send(message({ title: "a\r\nBcc: evil@x.test" }), never);
    expect(mails[0]?.to).toEqual(["ann@x.test", "bo@x.test"]);
    expect(mails[0]?.data).not.toMatch(/^Bcc:/m);
  });
});
