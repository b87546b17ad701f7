// Following what takes hours: time passes, the questions that are due are asked over the shared budget, and what others found
// out is read from the journal. Whoever keeps it asks; beside a bot that took it over this only looks on.

import { printable } from "../../domain/outside-text.ts";
import type { Timers } from "../../domain/time.ts";
import type { Ask } from "../../execution/effects.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import { hear } from "./hear.ts";
import type { Tool } from "./tool.ts";

const EVERY_MS = 1_000;

/** Until it is as wanted, or the command is to stop. `asks`: what is to be asked already. `told` hears of every change. */
export async function follow(
  tool: Tool,
  id: string,
  { stop, until, told, asks }: FollowOptions,
): Promise<MoneyRequest | undefined> {
  await inquire(tool, asks);
  for (let last: string | undefined; ; ) {
    await inquire(tool, (await tool.take({ kind: "time" })).asks);
    const submission = tool.desk.executor.get(id);
    if (submission === undefined) return undefined;
    const stage = stageOf(submission);
    if (stage !== last) told(stage);
    last = stage;
    if (stop.aborted || until(submission)) return submission;
    await pauseOrStop(tool, EVERY_MS, stop);
  }
}

export type FollowOptions = {
  readonly stop: AbortSignal;
  readonly until: (submission: MoneyRequest) => boolean;
  readonly told: (stage: string) => void;
  readonly asks: readonly Ask[];
};

/** How far it is, in words. */
function stageOf({ state }: MoneyRequest): string {
  if (!("receipt" in state)) return state.kind;
  const { status, reason } = state.receipt as { readonly status?: string; readonly reason?: string };
  const said = status === undefined ? "" : `, the venue says ${printable(status, 40)}`;
  return `${state.kind}${said}${reason === undefined ? "" : ` (${printable(reason, 200)})`}`;
}

/** What is to be asked, and what follows from the answers. */
async function inquire(tool: Tool, first: readonly Ask[]): Promise<void> {
  let asks = first;
  for (let round = 0; round < ROUNDS_MAX && asks.length > 0; round++) {
    const next: Ask[] = [];
    for (const ask of asks) next.push(...(await hear(tool, await tool.dispatch.ask(ask))).asks);
    asks = next;
  }
}

const ROUNDS_MAX = 4;

/** Or until the command is to stop. */
export function pauseOrStop({ timers }: { readonly timers: Timers }, ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      stop.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = timers.after(ms, wake);
    stop.addEventListener("abort", wake, { once: true });
  });
}
