import { interval, of, take, timer } from "rxjs";
import { delay } from "rxjs/operators";
import { expect, test } from "vitest";
import { timerScheduler } from "../../../src/app/bot/pipeline-parts.ts";
import { createVirtualMachine } from "../../exchange/budget/virtual-machine.ts";

function stage() {
  const machine = createVirtualMachine();
  const seen: string[] = [];
  const note = (name: string) => () => seen.push(`${name} at ${machine.clock.monotonic()}`);
  return { machine, seen, note, scheduler: timerScheduler(machine.clock, machine.timers) };
}

test("streams wait by the timers they are given", async () => {
  const { machine, seen, note, scheduler } = stage();
  interval(400, scheduler).pipe(take(3)).subscribe(note("tick"));
  timer(1_000, scheduler).subscribe(note("timer"));
  of("x").pipe(delay(500, scheduler)).subscribe(note("late"));
  await machine.pass(5_000);
  expect(seen).toEqual(["tick at 400", "late at 500", "tick at 800", "timer at 1000", "tick at 1200"]);
});

test("who unsubscribes is not called again, and leaves no timer behind", async () => {
  const { machine, seen, note, scheduler } = stage();
  const ticks = interval(400, scheduler).subscribe(note("tick"));
  await machine.pass(900);
  ticks.unsubscribe();
  await machine.pass(5_000);
  expect(seen).toEqual(["tick at 400", "tick at 800"]);
});
