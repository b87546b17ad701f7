// A process of its own for many commands, one at a time.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { searchPrinted } from "../support/canary.ts";
import { COMPILED } from "../support/compiled.ts";
import { type Finished, LAUNCHER } from "./pegbot.ts";
import type { HostedCommand } from "./processes/command-host.ts";

const HOST = fileURLToPath(new URL("./processes/command-host.ts", import.meta.url));

/** Where a command is run, and what it sees. */
export type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

export type CommandHost = {
  readonly pid: number;
  run(...args: string[]): Promise<Finished>;
  /** The same elsewhere; the clock stays the one that the host has begun with. */
  runAt(place: Place, ...args: string[]): Promise<Finished>;
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
  const runAt: CommandHost["runAt"] = (place, ...args) => {
    const ended = turn.then(() => ask(child, { ...place, args }));
    turn = ended.catch(() => undefined);
    return ended;
  };
  return {
    pid,
    run: (...args) => runAt({ cwd, env }, ...args),
    runAt,
    end: () => void child.kill("SIGKILL"),
  };
}

async function ask(child: ChildProcess, command: HostedCommand): Promise<Finished> {
  const over = new AbortController();
  const { signal } = over;
  const gone = once(child, "exit", { signal }).then(() => Promise.reject(new Error("the host of commands has ended")));
  try {
    child.send(command);
    const [finished] = (await Promise.race([once(child, "message", { signal }), gone])) as [Finished];
    searchPrinted(finished.stdout + finished.stderr, `pegbot ${command.args.join(" ")}`);
    return finished;
  } finally {
    // What still waits is told so, and nobody listens.
    gone.catch(() => undefined);
    over.abort();
  }
}
