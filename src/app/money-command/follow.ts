// Follows a request that takes hours: advances time, sends the due reads over the shared budget, and takes other
// processes' findings from the journal. Only the process that tracks the request sends reads; next to a bot that took
// it over, the command only watches.

import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { Ask } from "../../execution/effects.ts";
import { isFollowed, witnessesOf } from "../../execution/parameters.ts";
import type { AnyReceipt, MoneyRequest, State } from "../../execution/request.ts";
import { mintedBy } from "../../execution/request-tracker.ts";
import type { Shell } from "../shell.ts";
import { standingLines } from "../terminal/trading-state-lines.ts";
import { hear } from "./market.ts";
import { type MoneyCommand, standingOf } from "./money-command.ts";
import { sayOutcome } from "./send.ts";

const EVERY_MS = 1_000;
const LOOK_EVERY_MS = 10_000;

/**
 * Runs until `until` holds or the command is stopped. `asks`: the reads that are due already. `told` receives every
 * change of stage.
 */
async function follow(
  tool: MoneyCommand,
  id: string,
  { stop, until, told, asks }: FollowOptions,
): Promise<MoneyRequest | undefined> {
  await inquire(tool, asks);
  let looked = tool.now().mono;
  for (let last: string | undefined; ; ) {
    await inquire(tool, (await tool.take({ kind: "time" })).asks);
    const submission = tool.tradingCore.executor.get(id);
    if (submission === undefined) return undefined;
    const stage = stageOf(submission);
    if (stage !== last) told(stage);
    last = stage;
    // For a person who waits the list is read more often than for a bot that follows.
    if (isFollowed(submission) && tool.now().mono - looked >= LOOK_EVERY_MS) {
      looked = tool.now().mono;
      const asset = mintedBy(submission);
      await inquire(
        tool,
        witnessesOf(submission).map((witness) => ({ witness, asset, class: "treasury" })),
      );
      continue;
    }
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

/** The progress of a request, in words. */
function stageOf({ state }: MoneyRequest): string {
  if (!("receipt" in state)) return state.kind;
  const { status, reason } = state.receipt as { readonly status?: string; readonly reason?: string };
  const said = status === undefined ? "" : `, the venue says ${printable(status, 40)}`;
  return `${state.kind}${said}${reason === undefined ? "" : ` (${printable(reason, 200)})`}`;
}

/** Sends the reads, and those that follow from their answers. */
async function inquire(tool: MoneyCommand, first: readonly Ask[]): Promise<void> {
  let asks = first;
  for (let round = 0; round < ROUNDS_MAX && asks.length > 0; round++) {
    const next: Ask[] = [];
    for (const ask of asks) next.push(...(await hear(tool, await tool.dispatch.ask(ask))).asks);
    asks = next;
  }
}

const ROUNDS_MAX = 4;

/** Resolves early if the command is stopped. */
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

// Follows a mint or a rail until it rests: done, refused, held by the venue, or in a doubt that only a person can end.
// If the command stops waiting, the running bot takes over.

export type Rest = { readonly name: string; readonly code: ExitCode; readonly text: string };

/** How a completed request rests at the venue; undefined while it is in progress. */
type RestOf = (receipt: AnyReceipt, state: State<unknown>["kind"]) => Rest | undefined;

export type WaitOptions = {
  readonly stop: AbortSignal;
  readonly asks: readonly Ask[];
  readonly restOf: RestOf;
  /** How it is left when the wait ends before it rests. */
  readonly left?: Rest;
};

const LEFT: Rest = { name: "open", code: exitCode.unknown, text: "on its way; a running bot goes on looking" };

export async function waitFor(
  { terminal }: Shell,
  tool: MoneyCommand,
  id: string,
  { stop, asks, restOf, left = LEFT }: WaitOptions,
): Promise<ExitCode> {
  const submission = await follow(tool, id, {
    stop,
    asks,
    until: (now) => restingPlace(now, restOf) !== undefined,
    told: (stage) => terminal.note(`${id}: ${stage}`),
  });
  const rest = submission === undefined ? undefined : restingPlace(submission, restOf);
  const { name, code, text } = rest ?? left;
  sayOutcome({ terminal }, name, id, text);
  const standing = standingOf(tool);
  if (standing.state !== "ACTIVE") for (const line of standingLines(standing)) terminal.note(line);
  return code;
}

function restingPlace({ kind, id, state }: MoneyRequest, restOf: RestOf): Rest | undefined {
  switch (state.kind) {
    case "confirmed":
    case "late":
    case "settled":
      return restOf(state.receipt, state.kind);
    case "rejected":
      return { name: "rejected", code: exitCode.refused, text: printable(state.message) };
    case "not-sent":
    case "released":
      return { name: "did not happen", code: exitCode.failed, text: printable(state.reason) };
    case "unknown": {
      if (state.escalated === undefined) return undefined;
      const question = `look at the venue's portal: is this ${kind} there? pegbot resolve ${id} --landed|--not-landed --reason "..."`;
      return { name: "unknown", code: exitCode.unknown, text: question };
    }
    default:
      return undefined;
  }
}

/** The time of the reads that are due 0, 5, 15, 30 and 60 s after the answer, each with its wait for a slot. */
export const CONFIRM_MS_MAX = 75_000;
