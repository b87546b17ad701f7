// Starts a real program for a test, reads what it says line by line with a bound on the wait, and knows whether a
// process of a given id still lives.

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { prettyLine } from "../../src/watch/log.ts";
import { searchPrinted } from "./canary.ts";
import { endWithUs } from "./end-with-us.ts";
import { WAIT_MS_MAX } from "./patience.ts";

export type Ended = { readonly code: number | null; readonly signal: string | null };
export type Program = {
  readonly pid: number;
  /** With the lines of the bot's log as a terminal shows them. */
  readonly stderr: () => string;
  readonly rawStderr: () => string;
  /** Waits as long as it lives: one that has ended says and does nothing more. */
  until(holds: () => boolean, what: string): Promise<void>;
  /** The first line, said already or still to come, that matches. */
  line(pattern: RegExp): Promise<string>;
  lines(): readonly string[];
  ended(): Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** What a terminal does at Ctrl-C: the signal goes to every process of the group. */
  killGroup(signal: NodeJS.Signals): void;
};

export function start(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  endWithUs(child, true);
  const said: string[] = [];
  let errors = "";
  let shown: string | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
    shown = undefined;
  });
  const end = endOf(child);
  let ended: Ended | undefined;
  void end.then((how) => {
    searchPrinted([...said, errors].join("\n"), `${command} ${args.join(" ")}`);
    ended = how;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} did not start`);
  const program: Program = {
    pid,
    // Asked for again and again by whoever waits for a line.
    stderr: () => {
      shown ??= logText(errors);
      return shown;
    },
    rawStderr: () => errors,
    lines: () => said,
    async until(holds, what) {
      // Asked once more after its end: its last word may be the one.
      await until(() => holds() || ended !== undefined, what).catch((error: Error) => {
        throw new Error(`${error.message}; it said: ${[...said, logText(errors)].join("\n")}`);
      });
      if (ended === undefined || holds()) return;
      const how = `code ${ended.code}, signal ${ended.signal}`;
      throw new Error(`${command} ended (${how}) before ${what}; it said: ${[...said, logText(errors)].join("\n")}`);
    },
    line: async (pattern) => {
      await program.until(() => said.some((line) => pattern.test(line)), `a line like ${pattern}`);
      return said.find((line) => pattern.test(line)) ?? "";
    },
    ended: () =>
      Promise.race([
        end,
        sleep(WAIT_MS_MAX, undefined, { ref: false }).then(() => Promise.reject(new Error(`${command} still runs`))),
      ]),
    kill: (signal) => void child.kill(signal),
    // The system gives the id of a process that has ended to others.
    killGroup(signal) {
      if (ended !== undefined) return;
      try {
        process.kill(-pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
  };
  return program;
}

/** A last line that has not come as a whole stays as it is. */
export function logText(text: string): string {
  return text.replace(/^\{"level":.*\}(?=\n)/gm, prettyLine);
}

export async function until(holds: () => boolean, what: string, waitMsMax = WAIT_MS_MAX, everyMs = 50): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited ${waitMsMax} ms for ${what}`);
    await sleep(everyMs);
  }
}

/** A process that ended but was not collected by its parent (a zombie) does not live. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function endOf(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
}
