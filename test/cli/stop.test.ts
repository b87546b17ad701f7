import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { start, until } from "../support/program.ts";
import { LAUNCHER } from "./pegbot.ts";

const WAITS = fileURLToPath(new URL("../fixture/cli/waits.ts", import.meta.url));

async function ended(
  kind: string,
  stop: (child: ChildProcess) => void,
): Promise<{ code: number | null; stderr: string; signal?: NodeJS.Signals }> {
  const child = spawn(process.execPath, [LAUNCHER, WAITS, kind], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdout.once("data", () => stop(child));
  return new Promise((resolve) =>
    child.on("close", (code, signal) => resolve({ code, stderr, ...(signal === null ? {} : { signal }) })),
  );
}

describe("a command that ends at once", () => {
  test("is over by a signal, which shells report as 128 and its number", async () => {
    const signal = "SIGTERM";
    expect(await ended("plain", (child) => child.kill(signal))).toEqual({ code: null, signal, stderr: "" });
  });
});

describe("a command that ends itself", () => {
  test("is told of SIGINT, and its own exit code counts", async () => {
    const signal = "SIGINT";
    expect(await ended("ends-itself", (child) => child.kill(signal))).toEqual({
      code: 7,
      stderr: `asked to stop: ${signal}\n`,
    });
  });

  test("takes the signals of one second for one wish, and is over at once with one after it", async () => {
    // Without the launcher, which drops copies of one signal before they come here.
    const program = start(process.execPath, [WAITS, "never-ends"]);
    onTestFinished(() => program.kill("SIGKILL"));
    const said: string[] = [];
    const send = async (signal: NodeJS.Signals, ...answer: string[]): Promise<void> => {
      said.push(...answer);
      program.kill(signal);
      await until(() => program.stderr() === `${said.join("\n")}\n`, `${said}; was ${program.stderr()}`);
    };
    await program.line(/^working$/);
    await send("SIGINT", "asked to stop: SIGINT", "lives on after SIGINT");
    for (const copy of ["SIGINT", "SIGTERM", "SIGHUP"] as const) await send(copy, `lives on after ${copy}`);
    await send("SIGUSR2", "a second later");
    program.kill("SIGTERM");
    expect(await program.ended()).toEqual({ code: 143, signal: null });
  });
});
