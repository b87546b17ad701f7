import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { JournalRecord } from "../../src/journal/record.ts";
import { until } from "../support/program.ts";
import { openStage } from "./chaos/stage.ts";

/** Before 200 orders were seen in history nothing is freed without a person: the defaults, not the campaign's settings. */
test("at default settings an order that vanished freezes trading until a person resolves it", async () => {
  const stage = openStage({
    seed: 3,
    // Not faster: it runs beside other test files, which keep it waiting for moments.
    factor: 10,
    faults: { rules: [{ fault: "lost-request", on: "addOrder", nth: 4 }] },
  });
  onTestFinished(() => stage.close());
  await stage.startSimulator();
  const bot = stage.startBot();
  const records = (kind: JournalRecord["kind"]) => stage.entries().filter(({ record }) => record.kind === kind);
  const escalated = () =>
    stage
      .entries()
      .flatMap(({ record }) =>
        record.kind === "resolution" && record.verdict.kind === "escalated" ? [record] : [],
      )[0];
  await until(() => escalated() !== undefined, `a person to be asked; the bot said ${bot.stderr().slice(-500)}`);
  const id = escalated()?.id ?? "";
  const frozen = records("intent").length;
  const reads = await stage.reads();
  await sleep(2_000);
  for (let tries = 0; tries < 100 && (await stage.reads()) === reads; tries++) await sleep(1_000);
  expect(await stage.reads()).toBeGreaterThan(reads);
  expect(records("intent").length).toBe(frozen);
  expect((await stage.command("status")).stdout).toContain(id);
  const reason = "the venue's portal does not list it";
  const resolve = () => stage.command("resolve", id, "--not-filled", "--reason", reason, "--yes");
  // On a machine that stood still for a moment the venue could not be read; then it says so, and is asked again.
  let resolved = await resolve();
  for (let tries = 1; /could not be read/.test(resolved.stderr) && tries < 10; tries++) resolved = await resolve();
  expect(resolved.code, resolved.stderr).toBe(0);
  await until(() => records("intent").length > frozen, "the bot to trade again");
  bot.kill("SIGTERM");
  await bot.ended();
});
