// Messages of a whole run: one channel works, the others hang or refuse, and the bot trades as if there were none.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { botFolder, CONFIRMED, logged } from "../../app/bot/bot-process.ts";
import { canary } from "../../support/canary.ts";
import { until } from "../../support/program.ts";
import { httpServer } from "./stage.ts";

const TOKEN = `987654:${canary("telegram")}`;

test("fills, stops and resumptions reach the webhook, a stop for the same reason once more, while Telegram hangs, and no secret is in the log", async (context) => {
  const hook = await httpServer({ status: 500 }, { status: 200 });
  const chat = await httpServer("hang");
  const bot = botFolder(context, { env: { TELEGRAM: TOKEN } });
  const notices = {
    webhook: { urlFile: "./hook" },
    telegram: { tokenEnv: "TELEGRAM", chatId: "5", apiRoot: chat.url, commands: true },
    fillValueMin: "1",
  };
  const address = `${hook.url}/services/${canary("webhook")}`;
  writeFileSync(join(bot.folder, "hook"), `${address}\n`, { mode: 0o600 });
  writeFileSync(join(bot.folder, "pegbot.yaml"), JSON.stringify({ mode: "paper", notices }));
  const program = bot.pegbot("run", "--port", "0");
  await logged(program, CONFIRMED, 2);
  const texts = (): readonly string[] => hook.heard.map(({ body }) => JSON.parse(body).text);
  await until(() => texts().length >= 3, "two fills at the webhook, one of them twice");
  expect(texts()[0]).toMatch(
    /^pegbot paper: fill: (buy|sell) \S+ V(CHF|GBP)\/\w+ at [\d.]+, worth [\d,]+\.\d\d CHF, fee /,
  );
  // Two fills may read alike, but are of two moments.
  const times = hook.heard.map(({ body }) => JSON.parse(body).at);
  expect(times.slice(1)).toContain(times[0]);
  expect(new Set(times).size).toBeGreaterThan(1);
  const halt = async (): Promise<void> => expect((await bot.pegbot("halt", "to be told").ended()).code).toBe(0);
  const stops = (): number => texts().filter((text) => text.startsWith("pegbot paper: stop: HALTED by ")).length;
  await halt();
  await until(() => stops() === 1, "the stop");
  // Another process's record, which the bot hears of.
  expect((await bot.pegbot("resume", "--reason", "looked", "--yes").ended()).code).toBe(0);
  await until(() => texts().some((text) => /^pegbot paper: resume: resumed by .*: looked$/.test(text)), "its end");
  await logged(program, /resume by .*: looked/);
  await halt();
  await until(() => stops() === 2, "the same stop, after it was taken back");
  await logged(program, /message by telegram failed: no answer within 10000 ms/);
  program.kill("SIGTERM");
  expect((await program.ended()).code).toBe(5);
  const said = program.stderr() + program.lines().join("\n");
  for (const secret of [TOKEN, canary("webhook")]) expect(said).not.toContain(secret);
});
