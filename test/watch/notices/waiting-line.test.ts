// Who finds a place where all are taken.

import { expect, test } from "vitest";
import { mono } from "../../../src/domain/time.ts";
import { createWaitingLine, type Waiting } from "../../../src/watch/notices/waiting-line.ts";
import { message } from "./stage.ts";

const waiting = (text: string, change: Parameters<typeof message>[0]): Waiting => ({
  ...{ message: message({ text, ...change }), since: mono(0), because: undefined, tries: 0, isTold: false },
});
const stop = (text: string): Waiting => waiting(text, { kind: "stop", urgency: "critical" });
const plan = (text: string): Waiting => waiting(text, { kind: "plan", urgency: "critical" });

test("a line full of stops has no place for what else is critical, and of stops the first gives way to the last", () => {
  const line = createWaitingLine(2);
  expect(line.isFullFor(plan("early").message)).toBe(false);
  for (const text of ["first", "second"]) line.put(stop(text));
  expect([line.isFullFor(plan("late").message), line.placeFor(plan("late").message)]).toEqual([
    true,
    { hasOne: false },
  ]);
  expect(line.isFullFor(stop("third").message)).toBe(false);
  expect(line.placeFor(stop("third").message)).toMatchObject({ hasOne: true, gone: { message: { text: "first" } } });
  expect(line.next()?.message.text).toBe("second");
});

test("what is no less urgent gives way to nothing but a stop", () => {
  const line = createWaitingLine(1);
  line.put(plan("first"));
  expect(line.placeFor(plan("second").message)).toEqual({ hasOne: false });
  expect(line.placeFor(stop("stop").message)).toMatchObject({ hasOne: true, gone: { message: { text: "first" } } });
});
