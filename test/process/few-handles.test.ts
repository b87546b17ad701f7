// A bot that may open 128 files, in a whole process: a flood of connections to its page, then a strategy that leaks handles.

import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { killFilePath } from "../../src/app/kill-switch/kill-file.ts";
import { whyExposed } from "../../src/disk/open-to-others.ts";
import { botStage, eventually, said } from "../cli/bot-stage.ts";
import { LAUNCHER } from "../cli/pegbot.ts";
import { until } from "../support/program.ts";

const LEAKING = `import { existsSync, openSync } from "node:fs";
export default { name: "leaking", decide() { try { while (existsSync("leak")) openSync("/dev/null"); } catch {} } };`;

test("a bot with few file handles trades on under a flood, and without any left is HALTED for that and takes a stop", async (context) => {
  if (process.platform !== "linux") context.skip("the limit is read from /proc");
  const stage = await botStage({ strategy: { use: "./leaking.ts" } });
  writeFileSync(join(stage.folder, "leaking.ts"), LEAKING);
  const bot = stage.launch("sh", "-c", `ulimit -n 128; exec ${process.execPath} ${LAUNCHER} run --port 0`);
  const url = (await said(bot, /listening on http:\S+\//)).slice("listening on ".length);
  await said(bot, /may open 128 files, so the page takes 32 connections: allow 1024 or more/);
  await said(bot, /strategy leaking starts/);
  const isReady = async (): Promise<boolean> => (await fetch(`${url}readyz`)).ok;
  await eventually(isReady, "a ready bot");

  const flood = Array.from({ length: 400 }, (_, i) => idle(Number(new URL(url).port), i % 2 ? "127.0.0.1" : "::1"));
  onTestFinished(() => flood.forEach((socket) => void socket.destroy()));
  await until(() => flood.every(({ connecting }) => !connecting), "every connection to be taken");
  // The kill file is read four times a second.
  await sleep(600);
  const token = readFileSync(`${stage.journal}.token`, "utf8").trim();
  const answer = await fetch(`${url}readyz`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.text()).toBe("ready\n");

  writeFileSync(join(stage.folder, "leak"), "");
  await said(bot, /halt by bot: too many open files: .* raise the limit \(ulimit -n, LimitNOFILE= in a unit\)/);
  bot.kill("SIGUSR2");
  await bot.until(() => existsSync(killFilePath(stage.journal)), "the kill file");
  expect(readFileSync(killFilePath(stage.journal), "utf8")).toBe("SIGUSR2 was received\nby SIGUSR2\n");
  bot.kill("SIGTERM");
  expect((await bot.ended()).code).toBe(5);
  const { standing } = JSON.parse((await stage.ask("status", "--json")).stdout);
  expect([standing, ...standing.also].map(({ cause }) => cause).toSorted()).toEqual(["journal", "person"]);

  const kept = readdirSync(dirname(stage.journal)).filter((name) => !name.endsWith(".KILL"));
  for (const file of kept.map((name) => join(dirname(stage.journal), name))) {
    chmodSync(file, 0o604);
    expect(whyExposed(stage.journal) ?? file).toContain(`the mode of ${file} must be 600`);
    chmodSync(file, 0o600);
  }
});

function idle(port: number, host: string): Socket {
  return connect(port, host).on("error", () => undefined);
}
