// Streaks: rejections per symbol and in total, and losing fills.

import type { PairSymbol } from "../../domain/asset.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Streak } from "../counters.ts";
import type { CountersData } from "./data.ts";

const NONE: Streak = Object.freeze({ count: 0, lastAt: undefined });

export type Streaks = {
  readonly rejects: Streak;
  readonly losses: Streak;
  rejectsOf(symbol: PairSymbol): Streak;
  rejected(symbol: PairSymbol | undefined, at: Millis): void;
  /** Undefined for a fill that closed nothing, neither a win nor a loss. */
  filled(symbol: PairSymbol | undefined, lost: boolean | undefined, at: Millis): void;
  clear(): void;
  save(): Pick<CountersData, "rejects" | "rejectsBySymbol" | "losses">;
};

export function createStreaks(
  saved: Pick<CountersData, "rejects" | "rejectsBySymbol" | "losses"> | undefined,
): Streaks {
  let rejects = loaded(saved?.rejects);
  let losses = loaded(saved?.losses);
  const bySymbol = new Map<PairSymbol, Streak>();
  for (const [symbol, streak] of Object.entries(saved?.rejectsBySymbol ?? {}))
    bySymbol.set(symbol as PairSymbol, loaded(streak));

  return {
    get rejects() {
      return rejects;
    },
    get losses() {
      return losses;
    },
    rejectsOf: (symbol) => bySymbol.get(symbol) ?? NONE,
    rejected(symbol, at) {
      rejects = longer(rejects, at);
      if (symbol !== undefined) bySymbol.set(symbol, longer(bySymbol.get(symbol) ?? NONE, at));
    },
    filled(symbol, lost, at) {
      rejects = NONE;
      if (symbol !== undefined && bySymbol.size > 0) bySymbol.delete(symbol);
      if (lost !== undefined) losses = lost ? longer(losses, at) : NONE;
    },
    clear() {
      rejects = NONE;
      losses = NONE;
      bySymbol.clear();
    },
    save: () => ({
      rejects: saveable(rejects),
      rejectsBySymbol: Object.fromEntries(
        [...bySymbol].flatMap(([symbol, streak]) => {
          const data = saveable(streak);
          return data === null ? [] : [[symbol, data]];
        }),
      ),
      losses: saveable(losses),
    }),
  };
}

function longer(streak: Streak, at: Millis): Streak {
  return { count: streak.count + 1, lastAt: at };
}

function loaded(data: { count: number; lastAt: number } | null | undefined): Streak {
  return data ? { count: data.count, lastAt: millis(data.lastAt) } : NONE;
}

function saveable({ count, lastAt }: Streak): { count: number; lastAt: number } | null {
  return lastAt === undefined ? null : { count, lastAt };
}
