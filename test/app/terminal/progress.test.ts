import { expect, it } from "vitest";
import { openProgress } from "../../../src/app/terminal/progress.ts";
import { millis, mono } from "../../../src/domain/time.ts";

function stage() {
  const lines: string[] = [];
  let now = 0;
  const clock = { now: () => millis(0), monotonic: () => mono(now) };
  const work = { what: "reading x", total: 1_000, rateText: (rate: number) => `${rate} B/s` };
  const progress = openProgress({ renote: (line) => void lines.push(line) }, clock, work);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { lines, progress, pass };
}

it("progress is the part done, the rate and the time left, drawn five times a second at most", () => {
  const { lines, progress, pass } = stage();
  pass(100);
  progress.at(50);
  expect(lines).toEqual([]);
  pass(900);
  progress.at(250);
  pass(50);
  progress.at(260);
  pass(1_000);
  progress.at(1_000);
  progress.end();
  expect(lines).toEqual([
    `reading x  █████${"░".repeat(15)} 25 %  250 B/s  3 s left`,
    `reading x  ${"█".repeat(20)} 100 %  ${1_000 / 2.05} B/s  0 s left`,
    "",
  ]);
});

it("what was done before it began is no part of the rate", () => {
  const { lines, progress, pass } = stage();
  pass(1_000);
  progress.at(500, 500);
  pass(1_000);
  progress.at(600, 500);
  expect(lines).toEqual([
    `reading x  ${"█".repeat(10)}${"░".repeat(10)} 50 %`,
    `reading x  ${"█".repeat(12)}${"░".repeat(8)} 60 %  50 B/s  8 s left`,
  ]);
});
