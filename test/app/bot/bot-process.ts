// The bot as a user starts it, in a process and a folder of its own, on a clock that runs ten times as fast where the
// test only waits.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { LAUNCHER } from "../../cli/pegbot.ts";
import { COMPILED } from "../../support/compiled.ts";
import { isAlive, type Program, start, until } from "../../support/program.ts";

export type BotFolder = {
  readonly folder: string;
  readonly journal: string;
  /** Runs `pegbot ARGS` there. */
  pegbot(...args: string[]): Program;
  /** The same by another command, for example npm. */
  command(name: string, ...args: string[]): Program;
};

type Setting = {
  readonly scale?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** `run` is on the market of its configuration; otherwise on `demo`, as `start` is: there is something to trade. */
  readonly isOwnMarket?: boolean;
};

/** Removed after the test, with every process that it started. */
export function botFolder(context: Pick<TestContext, "onTestFinished">, setting: Setting = {}): BotFolder {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-run-"));
  const programs: Program[] = [];
  context.onTestFinished(async () => {
    for (const program of programs)
      try {
        program.killGroup("SIGKILL");
      } catch {
        // gone already: what most tests expect
      }
    await until(() => programs.every(({ pid }) => !isAlive(pid)), "the test's programs to end");
    rmSync(folder, { recursive: true });
  });
  const { scale = 10, env = {}, isOwnMarket = false } = setting;
  const scaled = scale === 1 ? {} : { PEGBOT_TIME_SCALE: `${scale}@${Date.now()}` };
  const place = {
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_RUNTIME_DIR: folder,
    NODE_COMPILE_CACHE: COMPILED,
  };
  const all = { PATH: process.env.PATH, ...place, ...scaled, ...env };
  const command = (name: string, ...args: string[]): Program => {
    const program = start(name, args, { cwd: folder, env: all });
    programs.push(program);
    return program;
  };
  const marketOf = ([name = ""]: readonly string[]): readonly string[] =>
    isOwnMarket || name !== "run" ? [] : ["--market", "demo"];
  return {
    folder,
    journal: join(folder, "data", "pegbot.db"),
    pegbot: (...args) => command(process.execPath, LAUNCHER, ...args, ...marketOf(args)),
    command,
  };
}

/** Waits for a line of the log. */
export async function logged(program: Program, pattern: RegExp, count = 1): Promise<void> {
  const all = new RegExp(pattern.source, "gm");
  const seen = (): boolean => (program.stderr().match(all) ?? []).length >= count;
  await program.until(seen, `${count} of ${pattern}`);
}

export const FILLED = / filled: bought /;
export const CONFIRMED = / confirmed by the history/;
