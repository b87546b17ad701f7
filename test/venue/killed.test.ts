import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { JournalReader } from "../../src/journal/journal-reader.ts";
import type { Entry } from "../../src/journal/record.ts";
import { type BotStage, botStage, eventually, said } from "../cli/bot-stage.ts";
import { LAUNCHER } from "../cli/pegbot.ts";

const CALLER = fileURLToPath(new URL("processes/caller.ts", import.meta.url));

function caller(stage: BotStage, task: "trade" | "settle" | "open") {
  const url = /baseUrl: (\S+)/.exec(stage.config())?.[1] ?? "";
  return stage.launch(process.execPath, LAUNCHER, CALLER, task, url);
}

async function lastLine(stage: BotStage, task: "settle" | "open") {
  const program = caller(stage, task);
  expect(await program.ended(), program.stderr()).toMatchObject({ code: 0 });
  return JSON.parse(program.lines().at(-1) ?? "null");
}

function entriesOf({ journal }: BotStage): readonly Entry[] {
  const reader = unwrap(JournalReader.open(journal));
  try {
    return unwrap(reader.read(0, 100_000));
  } finally {
    reader.close();
  }
}

test("killed at any moment, it uses no nonce twice and sends nothing twice; settle finds what was lost, and a bot trades on", async () => {
  const stage = await botStage();
  const seed = Date.now() % 100_000;
  process.stdout.write(`seed ${seed}\n`);
  const random = createRandom(seed);
  await stage.portal("faults", { rules: [{ fault: "lost-answer", on: "addOrder", probability: 0.4 }] });
  for (let kills = 0; kills < 3; kills++) {
    const before = await stage.orders();
    const program = caller(stage, "trade");
    await eventually(async () => (await stage.orders()) > before, "an order of this process");
    await sleep(random.integer(0, 600));
    program.kill("SIGKILL");
    await program.ended();
  }
  await stage.portal("faults", { rules: [] });
  expect(await lastLine(stage, "settle")).toEqual({ unsettled: [] });
  const seen = (await stage.requests()).filter(({ nonce }) => nonce !== undefined);
  const nonces = seen.map(({ nonce }) => Number(nonce));
  expect(nonces.slice(1).filter((nonce, i) => nonce <= (nonces[i] ?? 0))).toEqual([]);
  expect(seen.filter(({ status }) => status === 401 || status === 429)).toEqual([]);
  const digests = seen.filter(({ path }) => path.endsWith("/addOrder")).map(({ digest }) => digest);
  expect(new Set(digests).size).toBe(digests.length);
  const sent = entriesOf(stage).flatMap(({ record }) => (record.kind === "sending" ? record.digest : []));
  expect(digests.filter((digest) => !sent.includes(digest ?? ""))).toEqual([]);
  const bot = stage.run();
  await said(bot, / filled: /);
});

test("a bot that opens the journal knows what was sent, resolves it, and refuses the library while it runs", async () => {
  const stage = await botStage();
  await stage.portal("faults", { rules: [{ fault: "lost-answer", on: "addOrder", times: 1 }] });
  const program = caller(stage, "trade");
  await eventually(async () => (await stage.orders()) === 1, "the order");
  program.kill("SIGKILL");
  await program.ended();
  const bot = stage.run();
  await said(bot, / filled: /);
  const entries = entriesOf(stage);
  const intent = entries.find(({ record }) => record.kind === "intent");
  const id = intent?.record.kind === "intent" ? intent.record.id : "";
  const [found] = entries.filter(({ record }) => record.kind === "evidence" && record.id === id);
  expect(found?.record).toMatchObject({ finding: { kind: "landed" } });
  expect(found?.writer).not.toBe(intent?.writer);
  const refused = await lastLine(stage, "open");
  expect(refused).toMatchObject({
    code: "key-owned",
    message: expect.stringMatching(`pegbot run, process ${bot.pid}`),
  });
});
