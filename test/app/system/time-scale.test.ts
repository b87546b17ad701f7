import { expect, test } from "vitest";
import { parseTimeScale, scaledHost, scaledTimers } from "../../../src/app/system/time-scale.ts";
import { createVirtualMachine, noon } from "../../exchange/budget/virtual-machine.ts";

const scale = { factor: 40, epoch: noon };

test("a scale is a factor and the moment from which it holds", () => {
  expect(parseTimeScale(undefined)).toEqual({ ok: true, value: undefined });
  expect(parseTimeScale("40@1780315200000")).toEqual({ ok: true, value: { factor: 40, epoch: 1780315200000 } });
  for (const text of ["0.5@1780315200000", "40@noon"]) expect(parseTimeScale(text).ok, text).toBe(false);
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
