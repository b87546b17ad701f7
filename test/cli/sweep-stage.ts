// Sweeps as processes of their own, in a folder that is removed: started, watched by what their file of results has, killed.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { BUSY } from "../support/busy.ts";
import { COMPILED } from "../support/compiled.ts";
import { isAlive, type Program, start, until } from "../support/program.ts";
import { runHere } from "../support/run-here.ts";
import { type Finished, LAUNCHER } from "./pegbot.ts";

/** Thirty parameter sets, each run over two minutes that choose and two that judge: sixty runs. */
export const SIXTY = [
  ...["--param", "edgeBps=0..9:1", "--param", "size=1000..3000:1000", "--objective", "profit-over-holding"],
  ...[...BUSY, "--to", "2026-01-01T00:04:00Z", "--out-of-sample", "0.5", "--quotes-every", "5s"],
];

export function sweepStage() {
  const folder = temporaryFolder();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    NODE_COMPILE_CACHE: COMPILED,
  };
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}, launcher = LAUNCHER): Program => {
    const program = start(process.execPath, [launcher, ...args], { cwd: folder, env: { ...env, ...more } });
    onTestFinished(() => void (isAlive(program.pid) && program.kill("SIGKILL")));
    return program;
  };
  const place = (name: string): string => join(folder, name);
  return {
    folder,
    place,
    run,
    /** Runs to its end, and gives its exit code with all that it said. */
    async finished(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
      const program = run(args, more);
      const { code } = await program.ended();
      return { code, stdout: program.lines().join("\n"), stderr: program.stderr() };
    },
    /** When a file of results has so many. */
    async has(name: string, results: number): Promise<void> {
      await until(() => countIn(place(name)) >= results, `${results} results in ${name}`);
    },
    /** The same in this process. */
    said: (...args: readonly string[]): Promise<Finished> => runHere([...args, "--out", join(folder, "sweep.html")]),
    count: (name: string): number => countIn(place(name)),
    read: (name: string): string => readFileSync(place(name), "utf8"),
  };
}

function countIn(path: string): number {
  if (!existsSync(path)) return 0;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  try {
    return Number(database.prepare("SELECT count(*) AS n FROM result").get()?.n);
  } catch {
    // Its tables are being made.
    return 0;
  } finally {
    database.close();
  }
}
