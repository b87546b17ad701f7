import { expect, it } from "vitest";
import { ControlLine } from "../../../src/app/owner/control-line.ts";
import type { Control } from "../../../src/domain/event.ts";

const KILL: Control = { kind: "kill", reason: "enough", by: "anna" };

function heard(line: ControlLine): readonly Control[] {
  const controls: Control[] = [];
  line.control$.subscribe((control) => controls.push(control));
  return controls;
}

it("keeps a stop for the pipeline, however many heartbeats come before it is there", () => {
  const line = new ControlLine();
  line.tell(KILL);
  for (let beat = 0; beat < 20; beat++) line.heartbeat("watchdog");
  expect(heard(line)).toContainEqual(KILL);
});

it("keeps no heartbeat: it would count from when the pipeline hears it, perhaps hours later, and who says it is told", () => {
  const line = new ControlLine();
  expect(line.heartbeat("watchdog")).toMatch(/^the bot does not trade yet.*: pegbot heartbeat /);
  const controls = heard(line);
  expect(controls).toEqual([]);
  expect(line.heartbeat("watchdog")).toBeUndefined();
  expect(controls).toEqual([{ kind: "heartbeat", by: "watchdog" }]);
});
