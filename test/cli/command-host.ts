// A process of its own for many commands, one at a time.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { COMPILED } from "../support/compiled.ts";
import { type Finished, LAUNCHER } from "./pegbot.ts";

const HOST = fileURLToPath(new URL("./processes/command-host.ts", import.meta.url));

export type CommandHost = {
  readonly pid: number;
  run(...args: string[]): Promise<Finished>;
  end(): void;
};

export function startHost(cwd: string, env: Readonly<Record<string, string>>): CommandHost {
  // Through the launcher, which finds our sources faster.
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", LAUNCHER, HOST], {
    cwd,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("the host of commands did not start");
  let turn: Promise<unknown> = Promise.resolve();
  return {
    pid,
    run(...args) {
      const ended = turn.then(() => ask(child, args));
      turn = ended.catch(() => undefined);
      return ended;
    },
    end: () => void child.kill("SIGKILL"),
  };
}

async function ask(child: ChildProcess, args: readonly string[]): Promise<Finished> {
  const over = new AbortController();
  const { signal } = over;
  const gone = once(child, "exit", { signal }).then(() => Promise.reject(new Error("the host of commands has ended")));
  try {
    child.send(args);
    const [finished] = (await Promise.race([once(child, "message", { signal }), gone])) as [Finished];
    return finished;
  } finally {
    // What still waits is told so, and nobody listens.
    gone.catch(() => undefined);
    over.abort();
  }
}
