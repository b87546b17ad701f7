import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LAUNCHER } from "./pegbot.ts";

const WAITS = fileURLToPath(new URL("../fixture/cli/waits.ts", import.meta.url));

async function ended(
  kind: string,
  stop: (child: ChildProcess) => void,
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [LAUNCHER, WAITS, kind], { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdout.once("data", () => stop(child));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stderr };
}

const closeStdout = (child: ChildProcess): void => void child.stdout?.destroy();

describe("a command that ends at once", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("is over with %s, with the code that shells expect", async (signal, code) => {
    expect(await ended("plain", (child) => child.kill(signal))).toEqual({ code, stderr: "" });
  });

  test("is over when nobody reads it any more, which is no failure", async () => {
    expect(await ended("plain", closeStdout)).toEqual({ code: 0, stderr: "" });
  });
});

describe("a command that ends itself", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("is told of %s, and its own exit code counts", async (signal) => {
    expect(await ended("ends-itself", (child) => child.kill(signal))).toEqual({
      code: 7,
      stderr: `asked to stop: ${signal}\n`,
    });
  });

  test("is over at once when it does not follow and Ctrl-C comes again", async () => {
    // The launcher takes signals within a second for one.
    const twice = (child: ChildProcess): void => {
      child.kill("SIGINT");
      const timer = setInterval(() => child.kill("SIGINT"), 1_500);
      child.on("close", () => clearInterval(timer));
    };
    expect(await ended("never-ends", twice)).toEqual({ code: 130, stderr: "asked to stop: SIGINT\n" });
  });

  test("is told when nobody reads it any more", async () => {
    expect(await ended("ends-itself", closeStdout)).toEqual({ code: 7, stderr: "asked to stop: stdout closed\n" });
  });
});
