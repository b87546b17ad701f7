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
