// Following what takes hours: time passes, the questions that are due are asked over the shared budget, and what others found
// out is read from the journal. Whoever keeps it asks; beside a bot that took it over this only looks on.

import type { Submission } from "../../execution/submission.ts";
import { systemTimers } from "../system-timers.ts";
import type { Tool } from "./tool.ts";

const EVERY_MS = 1_000;

/** Until it is as wanted, or the command is to stop. `told` hears of every change. */
export async function follow(
  tool: Tool,
  id: string,
  { stop, until, told }: FollowOptions,
): Promise<Submission | undefined> {
  for (let last: Submission["state"] | undefined; ; ) {
    await pass(tool);
    const submission = tool.desk.executor.get(id);
    if (submission === undefined) return undefined;
    if (submission.state !== last) told(submission);
    last = submission.state;
    if (stop.aborted || until(submission)) return submission;
    await sleep(stop);
  }
}

export type FollowOptions = {
  readonly stop: AbortSignal;
  readonly until: (submission: Submission) => boolean;
  readonly told: (submission: Submission) => void;
};

/** A look at the clock and at what others wrote; what follows from it is asked, and what follows from that as well. */
async function pass(tool: Tool): Promise<void> {
  let { asks } = await tool.take({ kind: "time" });
  for (let round = 0; round < ROUNDS_MAX && asks.length > 0; round++) {
    const next = [];
    for (const ask of asks) next.push(...(await tool.take(await tool.dispatch.ask(ask))).asks);
    asks = next;
  }
}

const ROUNDS_MAX = 4;

function sleep(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      stop.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = systemTimers.after(EVERY_MS, wake);
    stop.addEventListener("abort", wake, { once: true });
  });
}
