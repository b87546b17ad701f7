// An agent, by the official client: it lists, reads, explains and proposes, over stdio and HTTP, and nothing that it may not
// do exists for it. A person approves what it proposed, and only then an order is sent.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Status } from "../../src/watch/status.ts";
import { type BotStage, botStage, eventually, said } from "../cli/bot-stage.ts";
import { LAUNCHER } from "../cli/pegbot.ts";

const READS = ["balances", "explain", "fills", "orders", "plans", "status"];
/** What no answer to an agent may have in it, and how many characters were searched. */
let secrets: readonly string[] = [];
let heard = 0;

function hear(text: string): void {
  heard += text.length;
  for (const secret of secrets) if (text.includes(secret)) throw new Error("an answer has a secret in it");
}

let stage: BotStage;
let url = "";
/** The service of Telegram: what its users write, and what the bot says. */
const telegram = { written: [] as object[], said: [] as string[] };

async function telegramService(): Promise<string> {
  const server = createServer((request, response) => {
    void textOf(request).then(async (body) => {
      const asked = JSON.parse(body);
      if (request.url?.endsWith("/sendMessage")) {
        // Unsolicited messages begin with the bot's name.
        if (!asked.text.startsWith("pegbot ")) telegram.said.push(asked.text);
      } else if (telegram.written.length <= (asked.offset ?? 0)) await sleep(100);
      response.end(JSON.stringify({ ok: true, result: telegram.written.slice(asked.offset ?? 0) }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a user of the chat writes, and the answer. */
async function chat(user: number, text: string): Promise<string> {
  const before = telegram.said.length;
  const message = { date: Date.now() / 1_000, text, from: { id: user }, chat: { id: -5 } };
  telegram.written.push({ update_id: telegram.written.length, message });
  await eventually(async () => telegram.said.length > before, "an answer");
  return telegram.said.at(-1) ?? "";
}

async function tokenOf(name: string, scope: string): Promise<string> {
  const { stdout } = await stage.ask("token", "add", name, "--scope", scope);
  return stdout.trim();
}

async function overStdio(...flags: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const args = [LAUNCHER, "mcp", ...flags];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: stage.folder, env: { ...stage.env } }),
  );
  afterAll(() => client.close());
  return client;
}

async function overHttp(token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("mcp", url), { requestInit }));
  afterAll(() => client.close());
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  hear(text);
  if (isError === true) throw new Error(text);
  return text;
}

async function toolsOf(client: Client): Promise<readonly string[]> {
  const { tools } = await client.listTools();
  hear(JSON.stringify(tools));
  return tools.map(({ name }) => name).sort();
}

/** A sale that the limits let through. */
async function aSale(client: Client, quantity: string) {
  const { quotes } = JSON.parse(await call(client, "status")) as Status;
  const { bid = 0 } = quotes.find(({ symbol }) => symbol === "VCHF/CHF") ?? {};
  return { side: "sell", symbol: "VCHF/CHF", quantity, price: (bid * 0.9985).toFixed(4) };
}

beforeAll(async () => {
  const apiRoot = await telegramService();
  const chat = { tokenFile: "./telegram", chatId: "-5", commands: true, approvers: [77], apiRoot };
  stage = await botStage({ notices: { telegram: chat, fillValueMin: "1000000" } }, afterAll);
  writeFileSync(join(stage.folder, "telegram"), "1:t\n", { mode: 0o600 });
  const bot = stage.run();
  afterAll(async () => {
    bot.kill("SIGTERM");
    await bot.ended();
  });
  url = /http:\S+(?=:)/.exec(await said(bot, /listening on http:\S+: /))?.[0] ?? "";
  const client = await overStdio("--read-only");
  await eventually(async () => (await call(client, "fills")).includes('"fair"'), "a fill");
  const key = readFileSync(join(stage.folder, "keys", "key.pem"), "utf8");
  const owner = readFileSync(`${stage.journal}.token`, "utf8").trim();
  secrets = [owner, ...key.split("\n").filter((one) => one.length > 20)];
});

test("over stdio an agent lists, reads, explains one decision as `pegbot why` does, and reads the docs", async () => {
  const client = await overStdio("--name", "claude");
  expect(await toolsOf(client)).toEqual([...READS, "propose"].sort());
  const { state, market, equity } = JSON.parse(await call(client, "status")) as Status;
  expect([market, equity.currency]).toEqual(["another simulator", "CHF"]);
  expect(await call(client, "explain")).toContain(state.word);
  const { decisions } = JSON.parse(await call(client, "orders")) as Pick<Status, "decisions">;
  const id = decisions.find(({ outcome }) => outcome === "confirmed")?.clientOrderId ?? "";
  const { lines } = JSON.parse(await call(client, "explain", { id })) as { lines: string[][] };
  const { stdout } = await stage.ask("why", id, "--json");
  expect(lines).toEqual(JSON.parse(stdout).lines);
  const { resources } = await client.listResources();
  expect(resources.map(({ name }) => name)).toContain("guides/limits.md");
  const { contents } = await client.readResource({ uri: "pegbot://docs/guides/limits.md" });
  expect(JSON.stringify(contents)).toContain("RC05");
});

test("what moves money, stops, resumes or approves does not exist for an agent, and a token that may only look may not propose", async () => {
  const [stdio, http] = [await overStdio(), await overHttp(await tokenOf("looker", "read"))];
  expect(await toolsOf(http)).toEqual(READS);
  for (const client of [stdio, http])
    for (const name of [
      "order",
      "mint",
      "rail",
      "rebalance",
      "halt",
      "resume",
      "approve",
      "decline",
      "adopt",
      "read",
      "limits",
    ])
      await expect(call(client, name, { reason: "now" })).rejects.toThrow(/not found|unknown/i);
  await expect(call(http, "propose", { reason: "x" })).rejects.toThrow(/not found|unknown/i);
  await expect(overHttp("5".repeat(64))).rejects.toThrow();
  const bare = await fetch(new URL("mcp", url), { method: "POST", body: "{}" });
  expect(bare.status).toBe(401);
});

test("a proposal is judged by the gate, waits, is approved by a person and not by its own token, and only then an order is sent", async () => {
  const own = await tokenOf("claude", "approve");
  const client = await overHttp(own);
  const order = await aSale(client, "77.77");
  const far = { ...order, price: "0.5" };
  await expect(call(client, "propose", { order: far, reason: "too cheap" })).rejects.toThrow(/^RC\d+/);
  await expect(call(client, "propose", { reason: "nothing" })).rejects.toThrow("either an order or a mint");
  const proposal = JSON.parse(await call(client, "propose", { order, reason: "less of it" }));
  await expect(call(client, "propose", { order, reason: "again" })).rejects.toThrow("proposes the same");
  const { plans } = JSON.parse(await call(client, "plans"));
  expect(plans).toMatchObject([{ id: proposal.id, digest: proposal.digest, by: "agent:claude", persons: 1 }]);
  const { needs } = JSON.parse(await call(client, "status")) as Status;
  expect(needs.find(({ plan }) => plan === proposal.id)?.what).toContain("77.77");
  const filled = async () => (await call(client, "fills")).includes('"77.77"');
  expect(await filled()).toBe(false);
  const post = async (token: string, route: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(new URL(`api/${route}`, url), { method: "POST", headers, body: JSON.stringify(body) });
  };
  const approve = async (token: string, by: string, { id, digest }: { readonly id: string; readonly digest: string }) =>
    (await post(token, "approve", { id, digest, by, confirm: "approve" })).status;
  expect(await approve(own, "claude", proposal)).toBe(409);
  expect(await approve(await tokenOf("anna", "approve"), "anna", proposal)).toBe(200);
  await eventually(filled, "the order that was approved");
  // The same by the API, and with the owner's token.
  const owner = readFileSync(`${stage.journal}.token`, "utf8").trim();
  const other = { order: { ...order, quantity: "66.66" }, reason: "by the API" };
  expect(await approve(own, "claude", await (await post(own, "propose", other)).json())).toBe(409);
  const third = { order: { ...order, quantity: "55.55" }, reason: "with the owner's token" };
  expect(await approve(owner, "owner", JSON.parse(await call(await overHttp(owner), "propose", third)))).toBe(409);
});

test("by Telegram an approver approves by the whole digest, once; another user, another digest and a plan that is no more are refused", async () => {
  const client = await overHttp(await tokenOf("codex", "halt"));
  const order = await aSale(client, "44.44");
  const { digest } = JSON.parse(await call(client, "propose", { order, reason: "less of it" }));
  const approve = async (user: number, what: string) => (await chat(user, `/approve ${what}`)).split(/[: ]/)[0];
  expect(await chat(78, "/plans")).toMatch(new RegExp(`44\\.44 VCHF.*/approve ${digest}`, "s"));
  expect(await approve(78, digest)).toBe("NOT");
  expect(await approve(77, digest.slice(0, 10))).toBe("NOT");
  expect(
    await approve(
      77,
      digest.replace(/^./, (one: string) => (one === "0" ? "1" : "0")),
    ),
  ).toBe("NOT");
  const filled = async () => (await call(client, "fills")).includes('"44.44"');
  expect(await filled()).toBe(false);
  expect(await approve(77, digest)).toBe("approved");
  await eventually(filled, "the order that was approved");
  expect(await approve(77, digest)).toBe("NOT");
  // The same wish at another price is another plan, and a declined one is no plan.
  const cheaper = { ...order, price: (Number(order.price) - 0.0001).toFixed(4) };
  const other = JSON.parse(await call(client, "propose", { order: cheaper, reason: "less of it" }));
  expect(other.digest).not.toBe(digest);
  await stage.ask("decline", other.id, "--reason", "no", "--yes");
  expect(await approve(77, other.digest)).toBe("NOT");
  const { stdout } = await stage.ask("journal", "list", "--last", "1000", "--json");
  expect(stdout.match(/"kind": ?"approval"[^{}]*"by": ?"telegram-77"/g)).toHaveLength(1);
});

/** So long, by our clock. */
const READS_MS = Number(process.env.PEGBOT_READS_MS ?? 3_000);

test(
  "reads at full speed cost no slot: the venue hears no more, and the bot goes on sending orders",
  async () => {
    const client = await overHttp(await tokenOf("fast", "read"));
    const [before, orders] = [await stage.requests(), await stage.orders()];
    const begun = before.at(-1)?.monotonicMs ?? 0;
    const until = Date.now() + READS_MS;
    let reads = 0;
    while (Date.now() < until) {
      await Promise.all(["status", "fills", "orders", "explain"].map((name) => call(client, name)));
      reads += 4;
    }
    const heardSince = (await stage.requests()).slice(before.length);
    const spanMs = (heardSince.at(-1)?.monotonicMs ?? 0) - begun;
    expect(reads).toBeGreaterThan(READS_MS / 100);
    // One a second by the bot's clock, as without an agent.
    expect(heardSince.length).toBeLessThanOrEqual(spanMs / 1_000 + 1);
    const sent = (await stage.orders()) - orders;
    expect(sent).toBeGreaterThan(0);
    process.stdout.write(
      `${reads} reads in ${READS_MS / 1_000} s; ${heardSince.length} requests of the bot, ${sent} orders\n`,
    );
  },
  READS_MS + 60_000,
);

test("every answer was searched for the owner's token and the key", () => {
  expect([secrets.length > 2, heard > 10_000]).toEqual([true, true]);
});
