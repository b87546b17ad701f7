import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { parseTimeScale, scaledHost, scaledTimers } from "../../../src/app/system/time-scale.ts";
import { pegbot } from "../../cli/pegbot.ts";
import { completeConfig } from "../../config/complete.ts";
import { createVirtualMachine, noon } from "../../exchange/budget/virtual-machine.ts";

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
    expect.stringContaining(
      "PEGBOT_TIME_SCALE must not be set in live mode: the venue's clock is the world's; unset it",
    ),
  ]);
});
