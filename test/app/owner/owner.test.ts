// One process owns a key: commands ask it, and are the owner themselves where there is none. As whole processes.
// Side by side, each with a key, a venue and a journal of its own: what takes time in them is waiting.

import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { stringify } from "yaml";
import { type AnswerParts, createAnswers } from "../../../src/app/owner/answer.ts";
import { PROTOCOL, PROTOCOL_HEADER, uuid7Of } from "../../../src/app/owner/protocol.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { OperationLine } from "../../../src/bot/operation-line.ts";
import { boundedText } from "../../../src/domain/bounded-text.ts";
import { JournalReader } from "../../../src/journal/journal-reader.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { type Program, until } from "../../support/program.ts";
import { type BotFolder, botFolder, logged } from "../bot/bot-process.ts";

const order = ["order", "buy", "VCHF/CHF", "100", "--price", "1.0045", "--yes"] as const;
const mint = ["mint", "VCHF", "--chain", "ETH", "--quantity", "140000", "--yes"] as const;

function newId(): string {
  return uuid7Of(Date.now(), randomBytes(10));
}

async function run(bot: BotFolder, ...args: string[]) {
  const program = bot.pegbot(...args);
  const { code } = await program.ended();
  return { code, stdout: program.lines().join("\n"), stderr: program.rawStderr() };
}

/** With a strategy that never trades, so that no rule on both sides of a pair stands in the way. */
function quietFolder(context: TestContext): BotFolder {
  const bot = botFolder(context, { scale: 1 });
  writeFileSync(join(bot.folder, "still.ts"), 'export default { name: "still", decide: () => undefined };\n');
  const config = { mode: "paper", journal: { path: "data/pegbot.db" }, strategy: { use: "./still.ts" } };
  writeFileSync(join(bot.folder, "pegbot.yaml"), stringify(config));
  return bot;
}

async function started(bot: BotFolder): Promise<Program> {
  const program = bot.pegbot("run", "--port", "0");
  await logged(program, /trading/);
  return program;
}

function records(bot: BotFolder): readonly JournalRecord[] {
  const opened = JournalReader.open(bot.journal);
  if (!opened.ok) return [];
  try {
    return [...opened.value.after(0)].flatMap((read) => (read.ok ? [read.value.entry.record] : []));
  } finally {
    opened.value.close();
  }
}

/** The requests of people that were sent to the venue. */
function sentFor(bot: BotFolder, id: string): readonly JournalRecord[] {
  const all = records(bot);
  const asked = all.filter((one) => one.kind === "operation" && one.id === id);
  const requests = asked.flatMap((one) => (one.kind === "operation" && one.request !== undefined ? [one.request] : []));
  return all.filter((one) => one.kind === "sending" && requests.includes(one.id));
}

test.concurrent("an order is previewed, sent once under its id, and refused under that id with another content", async (context) => {
  const bot = quietFolder(context);
  await started(bot);
  expect(statSync(`${bot.journal}.sock`).mode & 0o777).toBe(0o600);
  const preview = await run(bot, ...order, "--preview", "--json");
  expect(preview.code, preview.stderr).toBe(0);
  expect(JSON.parse(preview.stdout)).toMatchObject({
    sent: { side: "buy", symbol: "VCHF/CHF", quantity: "100", price: "1.0045" },
    worst: ["100.45 CHF"],
  });
  const id = newId();
  const first = await run(bot, ...order, "--id", id);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^filled {2}T-/) });
  const again = await run(bot, ...order, "--id", id);
  expect([again.code, again.stdout]).toEqual([0, first.stdout]);
  const other = await run(bot, "order", "buy", "VCHF/CHF", "101", "--price", "1.0045", "--yes", "--id", id);
  expect(other.code).toBe(2);
  expect(sentFor(bot, id)).toHaveLength(1);
  // Of a clock that is two hours ahead: after a day it would still count as young.
  const ahead = await run(bot, ...order, "--id", uuid7Of(Date.now() + 7_200_000, randomBytes(10)));
  // Half an hour older than the journal, which may be a new one after a loss.
  const before = await run(bot, ...order, "--id", uuid7Of(Date.now() - 1_800_000, randomBytes(10)));
  const old = await run(bot, ...order, "--id", uuid7Of(Date.now() - 90_000_000, randomBytes(10)));
  // What was sent under an old id is not known any more: no refusal, after which a new id would be safe.
  expect([ahead.code, before.code, old.code]).toEqual([3, 4, 4]);
});

test.concurrent("without a bot the command is the owner, and ends as it does with one; its id is known to the next", async (context) => {
  const bot = quietFolder(context);
  const first = await started(bot);
  first.kill("SIGTERM");
  await first.ended();
  const id = newId();
  const alone = await run(bot, ...order, "--id", id);
  expect(alone).toMatchObject({ code: 0, stdout: expect.stringMatching(/^filled {2}T-/) });
  await started(bot);
  const again = await run(bot, ...order, "--id", id);
  expect([again.code, again.stdout]).toEqual([0, alone.stdout]);
  expect(sentFor(bot, id)).toHaveLength(1);
});

test.concurrent("a command that is killed between asking and answer is asked again with its id: one order, the same outcome", async (context) => {
  const bot = quietFolder(context);
  await started(bot);
  const id = newId();
  const killed = bot.pegbot(...order, "--id", id);
  await until(() => records(bot).some((one) => one.kind === "operation" && one.id === id), "the order was intended");
  killed.killGroup("SIGKILL");
  await killed.ended();
  const again = await run(bot, ...order, "--id", id);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^filled {2}T-/) });
  expect(sentFor(bot, id)).toHaveLength(1);
});

test.concurrent("an owner that is killed in the middle of an order leaves it to the next, which resolves it without a person", async (context) => {
  const bot = quietFolder(context);
  const owner = await started(bot);
  const id = newId();
  const command = bot.pegbot(...order, "--id", id);
  await until(() => records(bot).some((one) => one.kind === "operation" && one.id === id), "the order was intended");
  owner.killGroup("SIGKILL");
  await owner.ended();
  expect((await command.ended()).code).toBe(4);
  const again = await run(bot, ...order, "--id", id, "--confirm-within", "10m");
  expect([0, 1, 4]).toContain(again.code);
  expect(sentFor(bot, id).length).toBeLessThanOrEqual(1);
});

test.concurrent("an owner that stands still is named within seconds, and a halt holds when it goes on", async (context) => {
  const bot = quietFolder(context);
  const owner = await started(bot);
  owner.kill("SIGSTOP");
  const stuck = await run(bot, ...order);
  expect(stuck).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`process ${owner.pid}, the owner of the key`),
  });
  await run(bot, "halt", "it hangs");
  owner.kill("SIGCONT");
  await logged(owner, /HALTED|control\.kill/);
  expect((await run(bot, ...order)).code).toBe(5);
});

/** Asks as a client that speaks another protocol would. */
function foreign(bot: BotFolder, name: string, input?: object): Promise<string> {
  return asClient(bot, name, { by: "anna", input }, 999);
}

function asClient(bot: BotFolder, name: string, body: object, protocol = PROTOCOL): Promise<string> {
  const headers = { "content-type": "application/json", [PROTOCOL_HEADER]: String(protocol) };
  return new Promise((resolve, reject) => {
    const socketPath = `${bot.journal}.sock`;
    const asked = request({ socketPath, path: `/${name}`, method: "POST", headers }, (response) => {
      boundedText(response, 1_000_000).then((text) => resolve(text.trim().split("\n").at(-1) ?? ""), reject);
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(body));
  });
}

test.concurrent("client and owner of different protocols: words and exit 1, and halt and status work", async (context) => {
  const bot = quietFolder(context);
  const owner = await started(bot);
  const refused = JSON.parse(await foreign(bot, "order", {}));
  expect(refused).toMatchObject({ kind: "failed", exit: 1, error: expect.stringMatching(/protocol 2.* 999/) });
  expect(JSON.parse(await foreign(bot, "status"))).toMatchObject({ kind: "answer", value: { pid: owner.pid } });
  expect(JSON.parse(await foreign(bot, "halt", { reason: "by an old command" }))).toMatchObject({ kind: "answer" });
  await logged(owner, /HALTED|control\.kill/);
  owner.kill("SIGTERM");
  await owner.ended();
  // The other way round: an owner whose lines this version does not know.
  const strange = createServer((_, response) =>
    response.writeHead(200, { [PROTOCOL_HEADER]: "7" }).end('{"kind":"later"}\n'),
  );
  await new Promise<void>((resolve) => strange.listen(`${bot.journal}.sock`, resolve));
  context.onTestFinished(() => void strange.close());
  const asked = await run(bot, ...order);
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/protocol 7, this command 2/)]);
  expect((await run(bot, "status")).stdout).toContain("by an old command");
  const halted = await run(bot, "halt", "by a new command");
  expect([halted.code, readFileSync(`${bot.journal}.KILL`, "utf8")]).toEqual([
    0,
    expect.stringContaining("by a new command"),
  ]);
});

test.concurrent("what was previewed by an owner that has ended is carried out by the next one if it is no worse", async (context) => {
  const bot = quietFolder(context);
  const first = await started(bot);
  const input = { side: "buy", symbol: "VCHF/CHF", quantity: "100", price: "1.0045" };
  const asked = { by: "anna", input };
  const { preview } = JSON.parse(await asClient(bot, "order", { ...asked, step: "preview" }));
  const { shown: _, ...accepted } = preview;
  first.killGroup("SIGKILL");
  await first.ended();
  await started(bot);
  const execute = { ...asked, step: "execute", id: newId(), accepted };
  const changed = { ...execute, input: { ...input, price: "1.0049" } };
  expect(JSON.parse(await asClient(bot, "order", changed))).toMatchObject({ kind: "failed", exit: 3 });
  expect(JSON.parse(await asClient(bot, "order", execute))).toMatchObject({ value: { outcome: "filled" } });
});

test.concurrent("status, heartbeat, reads and resume are asked of the bot", async (context) => {
  const bot = quietFolder(context);
  await started(bot);
  const status = await run(bot, "status", "--json");
  expect([status.code, JSON.parse(status.stdout).phase.kind]).toEqual([0, "trading"]);
  const balances = await run(bot, "balances", "--json");
  expect(JSON.parse(balances.stdout)).toContainEqual(expect.objectContaining({ asset: "CHF" }));
  expect((await run(bot, "heartbeat")).code).toBe(0);
  expect((await run(bot, "halt", "drill")).stdout).toContain("it has stopped");
  expect((await run(bot, ...order)).code).toBe(5);
  const resumed = await run(bot, "resume", "--reason", "over", "--yes");
  expect([resumed.code, resumed.stdout]).toEqual([
    0,
    expect.stringContaining("ACTIVE: a person's stop was taken back"),
  ]);
  // What is read again after a resume is waited for.
  expect((await run(bot, ...order)).code).toBe(0);
  await until(() => JSON.stringify(records(bot)).includes('"heartbeat"'), "the heartbeat is on record");
});

test.concurrent("a bot that starts while a command waits for its mint takes the key over, and the mint is followed there", async (context) => {
  const bot = quietFolder(context);
  const first = await started(bot);
  first.kill("SIGTERM");
  await first.ended();
  const id = newId();
  const waiting = bot.pegbot(...mint, "--wait", "--id", id);
  await waiting.until(() => /^accepted {2}/m.test(waiting.rawStderr()), "the mint was accepted");
  await started(bot);
  await waiting.until(() => waiting.rawStderr().includes("a bot has started on this key"), "it made way");
  const again = await run(bot, ...mint, "--wait", "--id", newId());
  expect(again.code, "one mint of a coin at a time").toBe(3);
  expect(sentFor(bot, id)).toHaveLength(1);
  waiting.kill("SIGINT");
  expect((await waiting.ended()).code).toBe(4);
});

test.concurrent("an id that was sent ends with 4 where no owner can look it up, and a new one with 1", async (context) => {
  const bot = quietFolder(context);
  const owner = await started(bot);
  const id = newId();
  expect((await run(bot, ...order, "--id", id)).code).toBe(0);
  const refusal = JSON.stringify({ kind: "failed", exit: 1, error: "the owner of the key speaks protocol 99" });
  const other = createServer((_, response) =>
    response.writeHead(200, { "x-pegbot-protocol": "99" }).end(`${refusal}\n`),
  );
  owner.kill("SIGTERM");
  await owner.ended();
  other.listen(`${bot.journal}.sock`);
  expect((await run(bot, ...order, "--id", id)).code, "an owner of another version").toBe(4);
  expect((await run(bot, ...order)).code).toBe(1);
  await new Promise((resolve) => other.close(resolve));
  writeFileSync(bot.journal, "no database any more");
  expect((await run(bot, ...order, "--id", id)).code, "a broken journal").toBe(4);
  expect((await run(bot, ...order)).code).toBe(1);
});

test.concurrent("a command whose owner stops before it looked up an id ends with 4, without an id with 1", async () => {
  const line = new OperationLine();
  const parts = { line, phase: () => "reading", clock: systemClock } as unknown as AnswerParts;
  const answers = createAnswers(parts);
  const { signal } = new AbortController();
  const input = { side: "buy", symbol: "VCHF/CHF", quantity: "100", price: "1.0045" };
  const ask = (id?: string) => answers("order", { by: "ann", input, step: "preview", id }, () => undefined, signal);
  const asked = [ask(newId()), ask()];
  line.close("the owner of the key has stopped");
  expect((await Promise.all(asked)).map((last) => last.kind === "failed" && last.exit)).toEqual([4, 1]);
  // Of a command that waits for a person's word: a client asks again, until the key is free.
  const held = createAnswers({ ...parts, isHeld: true });
  const request = { by: "ann", input, step: "preview" } as const;
  expect(await held("order", request, () => undefined, signal)).toMatchObject({ exit: 1, again: true });
});
