import { expect, onTestFinished, test } from "vitest";
import { isAlive, start, until } from "./support/program.ts";

test("what a test has started ends with the test's process, also when that is killed", async () => {
  const host = start(process.execPath, ["test/fixture/process/starts-two.ts"]);
  const started = (await host.line(/^\d+ \d+$/)).split(" ").map(Number);
  onTestFinished(() => {
    for (const pid of started) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  expect(started.map(isAlive)).toEqual([true, true]);
  host.kill("SIGKILL");
  await until(() => !started.some(isAlive), "both to end");
});

test("a word of a program that has ended is not waited for: how it ended is told, with all that it said", async () => {
  const ended = start(process.execPath, ["-e", "console.log('one'); console.error('two'); process.exitCode = 3"]);
  expect(await ended.line(/one/)).toBe("one");
  await expect(ended.line(/three/)).rejects.toThrow(
    "ended (code 3, signal null) before a line like /three/; it said: one\ntwo\n",
  );
  // What it said stays.
  expect(await ended.line(/one/)).toBe("one");
});
