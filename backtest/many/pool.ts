// Processes of this machine that run trials, or threads where copies of the columns would take too much memory. Which of them
// runs a trial, and when, leaves no mark on its result; one that dies leaves its trial to the next.

import { totalmem } from "node:os";
import { type Beside, type BesideKind, startBeside } from "./beside.ts";
import type { GroundParts } from "./ground.ts";
import type { Runner } from "./run-trials.ts";
import type { Trial } from "./trial.ts";
import type { Answer } from "./trial-desk.ts";
import type { TrialResult } from "./trial-result.ts";

export interface Pool extends Runner {
  /** Files that trials from now on may name. */
  learn(more: Pick<GroundParts, "columns" | "strategies">): void;
  /** What is going on is given up. */
  close(): Promise<void>;
}

export type PoolOptions = {
  /** Told when one of them died. */
  readonly tell?: (line: string) => void;
  /** So much memory may copies of the columns take, those of all processes together. */
  readonly copiesBytesMax?: number;
};

type Waiting = {
  readonly trial: Trial;
  readonly resolve: (result: TrialResult) => void;
  readonly reject: (error: Error) => void;
  /** How many died while they ran it. */
  deaths: number;
};

/** A trial that ended so many is what ends them. As at a queue. */
const DEATHS_MAX = 4;
const MEMORY_SHARE = 0.25;
/** What one process is sent; while it is, it is there three times. */
const COPY_BYTES_MAX = 2 ** 29;
const CLOSED = "the pool has been closed";

export function openPool(size: number, given: GroundParts, options: PoolOptions = {}): Pool {
  const { tell = () => undefined } = options;
  const { copiesBytesMax = Math.min(memory() * MEMORY_SHARE, size * COPY_BYTES_MAX) } = options;
  const waiting: Waiting[] = [];
  let ground = given;
  let isClosed = false;
  const shared: Shared = {
    ...{ waiting, tell },
    ground: () => ground,
    kind: () => (size * bytesOf(ground) > copiesBytesMax ? "thread" : "process"),
  };
  const hands = Array.from({ length: size }, () => openHand(shared));
  return {
    inFlightMax: size,
    learn({ columns, strategies }) {
      ground = {
        ...ground,
        columns: [...ground.columns, ...columns],
        strategies: [...ground.strategies, ...strategies],
      };
      for (const hand of hands) hand.learns({ ...ground, columns, strategies });
    },
    run(trial) {
      if (isClosed) return Promise.reject(new Error(CLOSED));
      return new Promise((resolve, reject) => {
        waiting.push({ trial, resolve, reject, deaths: 0 });
        for (const hand of hands) if (hand.takes()) break;
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error(CLOSED));
      await Promise.all(hands.map((hand) => hand.end()));
    },
  };
}

type Shared = {
  readonly waiting: Waiting[];
  readonly tell: (line: string) => void;
  readonly ground: () => GroundParts;
  readonly kind: () => BesideKind;
};

type Hand = {
  takes(): boolean;
  learns(more: GroundParts): void;
  end(): Promise<void>;
};

/** One at a time has a trial here, started with the first. */
function openHand({ waiting, tell, ground, kind }: Shared): Hand {
  let beside: Beside | undefined;
  let current: Waiting | undefined;
  const started = (): Beside => {
    const fresh = startBeside(kind(), {
      answered(answer) {
        if (answer.kind === "broken") void leave();
        if (current === undefined && answer.kind === "broken") tell(`a run failed after its end: ${answer.reason}`);
        settle(current, answer);
        current = undefined;
        take();
      },
      gone(how) {
        beside = undefined;
        const lost = current;
        current = undefined;
        mourn(fresh.kind, how, lost);
        take();
      },
    });
    fresh.tell({ kind: "learn", more: ground() });
    return fresh;
  };
  const mourn = (who: BesideKind, how: string, lost: Waiting | undefined): void => {
    if (lost === undefined) tell(`a ${who} that waited for a run ended ${how}`);
    else if (++lost.deaths >= DEATHS_MAX)
      lost.reject(new Error(`a run ended ${DEATHS_MAX} that ran it, the last one, a ${who}, ${how}`));
    else {
      tell(`a ${who} ended ${how} before its run did: the run is made again`);
      waiting.unshift(lost);
    }
  };
  const leave = async (): Promise<void> => {
    const old = beside;
    beside = undefined;
    await old?.end();
  };
  const take = (): boolean => {
    if (current !== undefined) return false;
    current = waiting.shift();
    if (current === undefined) return false;
    if (beside !== undefined && beside.kind !== kind()) void leave();
    beside ??= started();
    beside.tell({ kind: "run", trial: current.trial });
    return true;
  };
  return {
    takes: take,
    // One that is to be left has no use for more, and no room.
    learns: (more) => void (beside?.kind === kind() && beside.tell({ kind: "learn", more })),
    end() {
      current?.reject(new Error(CLOSED));
      current = undefined;
      return leave();
    },
  };
}

function settle(done: Waiting | undefined, answer: Answer): void {
  if (answer.kind === "result") done?.resolve(answer.result);
  else done?.reject(new Error(answer.reason));
}

function bytesOf({ columns }: GroundParts): number {
  return columns.reduce((sum, own) => sum + own.columns.reduce((all, { byteLength }) => all + byteLength, 0), 0);
}

/** Of the machine, or what a container may have of it. */
function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
