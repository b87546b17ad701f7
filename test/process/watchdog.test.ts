// A strategy that never returns, in whole processes: a loop hears no signal, so that only another thread can end it.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPool } from "../../backtest/search/pool.ts";
import { strategyDigest } from "../../backtest/search/trial-files.ts";
import { unwrap } from "../../src/domain/result.ts";
import { NO_FILES, trialOf } from "../backtest/search/stage.ts";
import { type BotStage, botStage } from "../cli/bot-stage.ts";
import { LAUNCHER } from "../cli/pegbot.ts";
import { temporaryFolder } from "../journal/place.ts";

const ENDLESS = `export default { name: "endless", decide() { for (;;) {} } };`;
/** 30 s by the clock of the stage, which is five times as fast. */
const REASON = "strategy endless did not return from a call for 6 s";

/** An older Node supervises the bundled one; the bundled one itself runs alone. */
const NODES = ["node", process.execPath];

test("a bot and a backtest whose strategy loops end by themselves with its name, and the bot's next start is HALTED", async () => {
  await Promise.all(NODES.map(endsByItself));
});

async function endsByItself(node: string): Promise<void> {
  const stage = await stageWith(ENDLESS);
  const isSupervised = node === "node" && majorOnPath(stage) < 24;
  const ended = isSupervised ? { code: 142, signal: null } : { code: null, signal: "SIGALRM" };
  const bot = stage.launch(node, LAUNCHER, "run", "--port", "0");
  const backtest = stage.launch(node, LAUNCHER, "backtest", "--strategy", "endless.ts", "--days", "1");
  expect(await backtest.ended(), backtest.stderr()).toEqual(ended);
  expect(backtest.stderr()).toContain(`pegbot: ${REASON}: this process ends\n`);
  expect(await bot.ended(), bot.stderr()).toEqual(ended);
  const next = isSupervised ? "pegbot: The next start resolves what was in flight\n" : "";
  expect(bot.stderr()).toContain(`pegbot: ${REASON}: this process ends. The next start is HALTED\n${next}`);
  const way = 'mend the strategy, start the bot again, then pegbot resume --reason "..."';
  const halted = { state: "HALTED", cause: "strategy", reason: REASON, wayOut: way };
  expect(JSON.parse((await stage.ask("status", "--json")).stdout).standing).toMatchObject(halted);
  // The strategy is not mended: a bot that were not HALTED would loop again.
  const again = stage.launch(node, LAUNCHER, "run", "--port", "0", "--duration", "3s");
  expect((await again.ended()).code, again.stderr()).toBe(5);
  expect(again.lines().join("\n")).toContain(`HALTED: ${REASON}`);
}

test("a run of a sweep whose strategy loops is not made again, and the sweep ends in words", async () => {
  const path = join(temporaryFolder(), "endless.ts");
  writeFileSync(path, ENDLESS);
  const digest = unwrap(strategyDigest(path));
  const told: string[] = [];
  const options = { callMsMax: 1_000, tell: (line: string) => told.push(line) };
  const pool = openPool(1, { ...NO_FILES, strategies: [{ digest, path }] }, options);
  onTestFinished(() => pool.close());
  await expect(pool.run(trialOf({ strategy: { kind: "file", digest } }))).rejects.toThrow(
    "a run's strategy did not return from a call: the line above names it",
  );
  expect(told).toEqual([]);
});

test("a bot under a watchdog of systemd reports to it as long as its event loop turns", async () => {
  const stage = await stageWith(`export default { name: "quiet", decide() {} };`);
  const fake = join(stage.folder, "systemd-notify");
  writeFileSync(fake, `#!/bin/sh\necho "$1 $NOTIFY_SOCKET $SECRET." >> ${stage.folder}/reported\n`);
  chmodSync(fake, 0o755);
  const given = {
    PATH: `${stage.folder}${delimiter}${stage.env.PATH}`,
    NOTIFY_SOCKET: "/run/notify",
    SECRET: "secret",
  };
  const env = Object.entries({ ...given, WATCHDOG_USEC: "600000" }).map(([name, value]) => `${name}=${value}`);
  const bot = stage.launch("/usr/bin/env", ...env, process.execPath, LAUNCHER, "run", "--port", "0");
  const reported = (): readonly string[] =>
    existsSync(`${stage.folder}/reported`)
      ? readFileSync(`${stage.folder}/reported`, "utf8").trimEnd().split("\n")
      : [];
  await bot.until(() => reported().length >= 4, "four reports");
  expect(new Set(reported())).toEqual(new Set(["WATCHDOG=1 /run/notify ."]));
  bot.kill("SIGTERM");
  expect((await bot.ended()).code).toBe(0);
});

async function stageWith(strategy: string): Promise<BotStage> {
  const stage = await botStage({ strategy: { use: "./endless.ts" } });
  writeFileSync(join(stage.folder, "endless.ts"), strategy);
  return stage;
}

function majorOnPath({ env }: BotStage): number {
  return Number(spawnSync("node", ["--version"], { env, encoding: "utf8" }).stdout.slice(1).split(".")[0]);
}
