import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { parseTimeScale, scaledClock, scaledHost, scaledTimers } from "../../../src/app/system/time-scale.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import { LAUNCHER, pegbot } from "../../cli/pegbot.ts";
import { completeConfig } from "../../config/complete.ts";
import { createVirtualMachine, noon } from "../../exchange/budget/virtual-machine.ts";
import { start } from "../../support/program.ts";

const scale = { factor: 40, epoch: noon };

test("a scale is a factor and the moment from which it holds", () => {
  expect(parseTimeScale(undefined)).toEqual({ ok: true, value: undefined });
  expect(parseTimeScale("40@1780315200000")).toEqual({ ok: true, value: { factor: 40, epoch: 1780315200000 } });
  for (const text of [
    "40",
    "0@1780315200000",
    "0.5@1780315200000",
    "40@noon",
    "-4@1780315200000",
    "4000@1780315200000",
  ])
    expect(parseTimeScale(text).ok, text).toBe(false);
});

test("two processes that started at different times show the same scaled time", () => {
  const first = { now: () => millis(noon + 5_000), monotonic: () => mono(3_000) };
  const second = { now: () => millis(noon + 5_000), monotonic: () => mono(17) };
  expect(scaledClock(first, scale).now()).toBe(noon + 200_000);
  expect(scaledClock(second, scale).now()).toBe(noon + 200_000);
  expect(scaledClock(second, scale).monotonic()).toBe(680);
});

test("timers and the host's clock run as fast as the clock", async () => {
  const machine = createVirtualMachine();
  const host = scaledHost(machine.host, scale);
  let rangAt = 0;
  scaledTimers(machine.timers, scale).after(4_000, () => {
    rangAt = machine.clock.monotonic();
  });
  await machine.pass(500);
  expect(rangAt).toBe(100);
  expect(host.monotonic()).toBe(20_000);
  expect(host.boot).not.toBe(machine.host.boot);
});

test("live mode refuses a scale by name, before anything is opened", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "pegbot-scale-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const { environment: _, ...venue } = completeConfig().venue as Record<string, unknown>;
  const config = { ...completeConfig(), venue: { ...venue, environment: "test", profile: "contract" } };
  writeFileSync(join(cwd, "pegbot.yaml"), stringify(config));
  const { code, stderr } = await pegbot(["quotes"], { cwd, env: { PEGBOT_TIME_SCALE: "40@1780315200000" } });
  expect([code, stderr]).toEqual([
    2,
    "pegbot: PEGBOT_TIME_SCALE must not be set in live mode: the venue's clock is the world's; unset it\n",
  ]);
});

test("a scale that cannot be read ends the command", async () => {
  const { code, stderr } = await pegbot(["simulator", "--port", "0"], { env: { PEGBOT_TIME_SCALE: "fast" } });
  expect(code).toBe(2);
  expect(stderr).toContain("PEGBOT_TIME_SCALE must be a whole factor");
});

test("a simulator lives by the scale that it is given", async () => {
  const epoch = Date.now() - 60_000;
  const env = { PATH: process.env.PATH, PEGBOT_TIME_SCALE: `100@${epoch}` };
  const simulator = start(process.execPath, [LAUNCHER, "simulator", "--port", "0"], { env });
  onTestFinished(() => simulator.killGroup("SIGKILL"));
  const portal = /http\S+/.exec(await simulator.line(/^portal/))?.[0];
  const asked = Date.now();
  const clock = (await (await fetch(`${portal}clock`)).json()) as { now: string };
  const shown = Date.parse(clock.now);
  expect(shown).toBeGreaterThanOrEqual(epoch + (asked - epoch) * 100);
  expect(shown).toBeLessThanOrEqual(epoch + (Date.now() - epoch) * 100);
});
